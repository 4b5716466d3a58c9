package outputs

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mapatools/mapa/robots"
)

const wanted = "https://example.com/sitemap.xml"

func TestSetSitemapLine(t *testing.T) {
	const rules = "User-agent: *\nDisallow: /private\n"
	tests := []struct {
		name, text, want string
		edit             RobotsEdit
	}{
		{"empty", "", "Sitemap: " + wanted + "\n", RobotsAdded},
		{"present", rules + "sitemap:" + wanted + " # ours", rules + "sitemap:" + wanted + " # ours", RobotsUnchanged},
		{"added", rules, rules + "Sitemap: " + wanted + "\n", RobotsAdded},
		{"no line end", "Disallow: /a", "Disallow: /a\nSitemap: " + wanted + "\n", RobotsAdded},
		{"CRLF", "User-agent: *\r\nDisallow:\r\n", "User-agent: *\r\nDisallow:\r\nSitemap: " + wanted + "\r\n", RobotsAdded},
		{"CR", "User-agent: *\rDisallow:", "User-agent: *\rDisallow:\rSitemap: " + wanted + "\r", RobotsAdded},
		{"BOM alone", "\xEF\xBB\xBF", "\xEF\xBB\xBFSitemap: " + wanted + "\n", RobotsAdded},
		{"http", "Sitemap:  http://example.com/sitemap.xml\t# old\r\n" + rules,
			"Sitemap:  " + wanted + "\t# old\r\n" + rules, RobotsCorrected},
		{"www and case", "SITEMAP: https://WWW.Example.com:443/sitemap.xml\n", "SITEMAP: " + wanted + "\n", RobotsCorrected},
		{"relative", "Sitemap: /sitemap.xml\n", "Sitemap: " + wanted + "\n", RobotsCorrected},
		{"without a colon", "Sitemap /sitemap.xml\n", "Sitemap " + wanted + "\n", RobotsCorrected},
		{"another file stays", "Sitemap: https://example.com/news.xml\n",
			"Sitemap: https://example.com/news.xml\nSitemap: " + wanted + "\n", RobotsAdded},
		{"another port is another site", "Sitemap: https://example.com:8443/sitemap.xml\n",
			"Sitemap: https://example.com:8443/sitemap.xml\nSitemap: " + wanted + "\n", RobotsAdded},
		{"a comment is no line", "# Sitemap: " + wanted + "\n",
			"# Sitemap: " + wanted + "\nSitemap: " + wanted + "\n", RobotsAdded},
		{"a right line after a wrong one", "Sitemap: /sitemap.xml\nSitemap: " + wanted,
			"Sitemap: /sitemap.xml\nSitemap: " + wanted, RobotsUnchanged},
	}
	for _, test := range tests {
		got, edit := setSitemapLine([]byte(test.text), wanted)
		if string(got) != test.want || edit != test.edit {
			t.Errorf("%s: got %q, %s; want %q, %s", test.name, got, edit, test.want, test.edit)
		}
	}
}

// TestLongFile adds the line where crawlers read it.
func TestLongFile(t *testing.T) {
	text := strings.Repeat("Disallow: /a\n", robots.ReadLimit/13)
	got, edit := setSitemapLine([]byte(text), wanted)
	if edit != RobotsAdded || !bytes.HasPrefix(got, []byte("Sitemap: "+wanted+"\nDisallow")) {
		t.Errorf("%s, begins with %q", edit, got[:60])
	}
}

// FuzzSetSitemapLine checks that crawlers find the sitemap afterwards, that a second call
// changes nothing, and that a line that is added leaves all rules as they were.
func FuzzSetSitemapLine(f *testing.F) {
	for _, seed := range []string{"", "Sitemap: /sitemap.xml\r\n", "\xEF\xBB\xBFUser-agent: *\rDisallow: /", "Sitemap a:b",
		"site-map : http://www.example.com/sitemap.xml#x"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		patched, edit := setSitemapLine(text, wanted)
		file, err := robots.Parse(bytes.NewReader(patched))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, line := range file.Sitemaps() {
			found = found || line.Value == wanted
		}
		if !found {
			t.Fatalf("%q became %q, which does not name the sitemap", text, patched)
		}
		if again, edit := setSitemapLine(patched, wanted); edit != RobotsUnchanged || !bytes.Equal(again, patched) {
			t.Fatalf("%q became %q, and then %q", text, patched, again)
		}
		if edit == RobotsAdded && len(patched) < robots.ReadLimit && !bytes.HasPrefix(patched, text) {
			t.Fatalf("%q became %q", text, patched)
		}
	})
}

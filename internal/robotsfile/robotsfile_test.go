package robotsfile

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mapatools/mapa/robots"
)

const wanted = "https://example.com/sitemap.xml"

func TestSetSitemap(t *testing.T) {
	const rules = "User-agent: *\nDisallow: /private\n"
	tests := []struct {
		name, text, want string
		edit             Edit
	}{
		{"empty", "", "Sitemap: " + wanted + "\n", Added},
		{"present", rules + "sitemap:" + wanted + " # ours", rules + "sitemap:" + wanted + " # ours", Unchanged},
		{"added", rules, rules + "Sitemap: " + wanted + "\n", Added},
		{"no line end", "Disallow: /a", "Disallow: /a\nSitemap: " + wanted + "\n", Added},
		{"CRLF", "User-agent: *\r\nDisallow:\r\n", "User-agent: *\r\nDisallow:\r\nSitemap: " + wanted + "\r\n", Added},
		{"CR", "User-agent: *\rDisallow:", "User-agent: *\rDisallow:\rSitemap: " + wanted + "\r", Added},
		{"BOM alone", "\xEF\xBB\xBF", "\xEF\xBB\xBFSitemap: " + wanted + "\n", Added},
		{"http", "Sitemap:  http://example.com/sitemap.xml\t# old\r\n" + rules,
			"Sitemap:  " + wanted + "\t# old\r\n" + rules, Corrected},
		{"www and case", "SITEMAP: https://WWW.Example.com:443/sitemap.xml\n", "SITEMAP: " + wanted + "\n", Corrected},
		{"relative", "Sitemap: /sitemap.xml\n", "Sitemap: " + wanted + "\n", Corrected},
		{"without a colon", "Sitemap /sitemap.xml\n", "Sitemap " + wanted + "\n", Corrected},
		{"another file stays", "Sitemap: https://example.com/news.xml\n",
			"Sitemap: https://example.com/news.xml\nSitemap: " + wanted + "\n", Added},
		{"another port is another site", "Sitemap: https://example.com:8443/sitemap.xml\n",
			"Sitemap: https://example.com:8443/sitemap.xml\nSitemap: " + wanted + "\n", Added},
		{"a comment is no line", "# Sitemap: " + wanted + "\n",
			"# Sitemap: " + wanted + "\nSitemap: " + wanted + "\n", Added},
		{"a right line after a wrong one", "Sitemap: /sitemap.xml\nSitemap: " + wanted,
			"Sitemap: /sitemap.xml\nSitemap: " + wanted, Unchanged},
	}
	for _, test := range tests {
		got, edit := SetSitemap([]byte(test.text), wanted)
		if string(got) != test.want || edit != test.edit {
			t.Errorf("%s: got %q, edit %d; want %q, edit %d", test.name, got, edit, test.want, test.edit)
		}
	}
}

// TestLongFile adds the line where crawlers read it.
func TestLongFile(t *testing.T) {
	text := strings.Repeat("Disallow: /a\n", robots.ReadLimit/13)
	got, edit := SetSitemap([]byte(text), wanted)
	if edit != Added || !bytes.HasPrefix(got, []byte("Sitemap: "+wanted+"\nDisallow")) {
		t.Errorf("edit %d, begins with %q", edit, got[:60])
	}
}

// FuzzSetSitemap checks that crawlers find the sitemap afterwards, that a second call
// changes nothing, and that a line that is added leaves all rules as they were.
func FuzzSetSitemap(f *testing.F) {
	for _, seed := range []string{"", "Sitemap: /sitemap.xml\r\n", "\xEF\xBB\xBFUser-agent: *\rDisallow: /", "Sitemap a:b",
		"site-map : http://www.example.com/sitemap.xml#x"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		patched, edit := SetSitemap(text, wanted)
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
		if again, edit := SetSitemap(patched, wanted); edit != Unchanged || !bytes.Equal(again, patched) {
			t.Fatalf("%q became %q, and then %q", text, patched, again)
		}
		if edit == Added && len(patched) < robots.ReadLimit && !bytes.HasPrefix(patched, text) {
			t.Fatalf("%q became %q", text, patched)
		}
	})
}

package lint_test

import (
	"slices"
	"testing"

	"github.com/mapatools/mapa/lint"
)

// TestProtocolPage checks the examples of https://www.sitemaps.org/protocol.html
// in their places, the page's own slips included.
func TestProtocolPage(t *testing.T) {
	const declaration = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	for name, c := range map[string]struct {
		address, text string
		want          []string
	}{
		"the sample with every tag": {
			address: "http://www.example.com/sitemap.xml",
			text: declaration + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
   <url>
      <loc>http://www.example.com/</loc>
      <lastmod>2005-01-01</lastmod>
      <changefreq>monthly</changefreq>
      <priority>0.8</priority>
   </url>
</urlset>
`,
		},
		"several pages, ampersands escaped, dates of three kinds": {
			address: "http://www.example.com/sitemap.xml",
			text: declaration + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
   <url>
      <loc>http://www.example.com/</loc>
      <lastmod>2005-01-01</lastmod>
      <changefreq>monthly</changefreq>
      <priority>0.8</priority>
   </url>
   <url>
      <loc>http://www.example.com/catalog?item=12&amp;desc=vacation_hawaii</loc>
      <changefreq>weekly</changefreq>
   </url>
   <url>
      <loc>http://www.example.com/catalog?item=73&amp;desc=vacation_new_zealand</loc>
      <lastmod>2004-12-23</lastmod>
      <changefreq>weekly</changefreq>
   </url>
   <url>
      <loc>http://www.example.com/catalog?item=74&amp;desc=vacation_newfoundland</loc>
      <lastmod>2004-12-23T18:00:15+00:00</lastmod>
      <priority>0.3</priority>
   </url>
   <url>
      <loc>http://www.example.com/catalog?item=83&amp;desc=vacation_usa</loc>
      <lastmod>2004-11-23</lastmod>
   </url>
</urlset>
`,
		},
		"the index, with a date that lacks nothing": {
			address: "http://www.example.com/index.xml",
			text: declaration + `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
   <sitemap>
      <loc>http://www.example.com/sitemap1.xml.gz</loc>
      <lastmod>2004-10-01T18:23:17+00:00</lastmod>
   </sitemap>
   <sitemap>
      <loc>http://www.example.com/sitemap2.xml.gz</loc>
      <lastmod>2005-01-01</lastmod>
   </sitemap>
</sitemapindex>
`,
			// The files it lists are not there.
			want: []string{"child-unreachable", "child-unreachable"},
		},
		"an address that is not escaped": {
			address: "http://www.example.com/sitemap.xml",
			text: declaration + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
   <url><loc>http://www.example.com/ümlat.php&q=name</loc></url>
</urlset>
`,
			want: []string{"loc-not-percent-encoded", "bare-ampersand"},
		},
		"the same, escaped for the server and for XML": {
			address: "http://www.example.com/sitemap.xml",
			text: declaration + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
   <url><loc>http://www.example.com/%C3%BCmlat.php&amp;q=name</loc></url>
</urlset>
`,
		},
		"the schema with a namespace of its own, as the page extends it": {
			address: "http://www.example.com/sitemap.xml",
			text: declaration + `<urlset xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
         xsi:schemaLocation="http://www.sitemaps.org/schemas/sitemap/0.9 http://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd"
         xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
   <url><loc>http://www.example.com/</loc></url>
</urlset>
`,
		},
		"the namespace given twice": {
			address: "http://www.example.com/sitemap.xml",
			text: declaration + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
   <url><loc>http://www.example.com/</loc></url>
</urlset>
`,
			want: []string{"duplicate-attribute"},
		},
		"the namespace of another host": {
			address: "http://www.example.com/sitemap.xml",
			text: declaration + `<urlset xmlns="http://www.google.com/schemas/sitemap/0.9">
   <url><loc>http://www.example.com/</loc></url>
</urlset>
`,
			want: []string{"ns-noncanonical"},
		},
		"places that may be listed": {
			address: "http://example.com/catalog/sitemap.xml",
			text: declaration + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
   <url><loc>http://example.com/catalog/show?item=23</loc></url>
   <url><loc>http://example.com/catalog/show?item=233&amp;user=3453</loc></url>
</urlset>
`,
		},
		"places that may not": {
			address: "http://example.com/catalog/sitemap.xml",
			text: declaration + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
   <url><loc>http://example.com/image/show?item=23</loc></url>
   <url><loc>http://example.com/image/show?item=233&amp;user=3453</loc></url>
   <url><loc>https://example.com/catalog/page1.php</loc></url>
</urlset>
`,
			want: []string{"out-of-scope-path", "out-of-scope-path", "out-of-scope-scheme"},
		},
		"another host that the sitemap may not speak for": {
			address: "http://www.host1.example/sitemap-host2.xml",
			text: declaration + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
   <url><loc>http://www.host2.example/a</loc></url>
</urlset>
`,
			want: []string{"out-of-scope-host"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			options := served(t, c.address, c.text, "")
			options.Disable = []string{"index-lastmod-missing"}
			found := check(t, options, c.address)
			if got := ids(found); !slices.Equal(got, c.want) {
				t.Errorf("found\n%swant %v", listed(found), c.want)
			}
		})
	}
}

// served makes options under which an address answers with a text, and its host
// with a robots.txt where there is one. Each other host answers 404.
func served(t *testing.T, address, text, robots string) lint.Options {
	t.Helper()
	archive := "-- " + targetOf(t, address) + " --\n" + text
	if robots != "" {
		archive += robots
	}
	return exampleOptions(t, []byte(archive))
}

// TestScopeIsLifted gives each of the proofs in turn.
func TestScopeIsLifted(t *testing.T) {
	const address = "http://www.host1.example/sitemap-host2.xml"
	const text = head + "<url><loc>http://www.host2.example/a</loc></url></urlset>\n"
	robots := "-- //www.host2.example/robots.txt --\nUser-agent: *\nAllow: /\n\nSitemap: " + address + "\n"
	only := []string{"out-of-scope-host"}

	options := served(t, address, text, "")
	options.Only = only
	if found := check(t, options, address); len(found) != 1 {
		t.Errorf("without a proof: found\n%s", listed(found))
	}
	options = served(t, address, text, robots)
	options.Only = only
	if found := check(t, options, address); len(found) > 0 {
		t.Errorf("with a robots.txt that names it: found\n%s", listed(found))
	}
	options = served(t, address, text, "")
	options.Only, options.VerifiedHosts = only, []string{"host2.example"}
	if found := check(t, options, address); len(found) > 0 {
		t.Errorf("with the host verified: found\n%s", listed(found))
	}
}

// TestScopeOfFiles gives a file on disk an address, or none.
func TestScopeOfFiles(t *testing.T) {
	path := write(t, "sitemap.xml",
		head+"<url><loc>https://example.com/catalog/a</loc></url><url><loc>https://example.com/b</loc></url>"+
			"<url><loc>https://example.org/c</loc></url></urlset>")
	for base, want := range map[string][]string{
		"":                             {"out-of-scope-host"},
		"https://example.com/":         {"out-of-scope-host"},
		"https://example.com/catalog/": {"out-of-scope-path", "out-of-scope-host"},
		"https://example.org/":         {"out-of-scope-host", "out-of-scope-host"},
	} {
		found := check(t, lint.Options{BaseURL: base}, path)
		if got := ids(found); !slices.Equal(got, want) {
			t.Errorf("base %q: found\n%swant %v", base, listed(found), want)
		}
	}
}

// TestScopeOfUnicodeHosts takes a host for itself, in Punycode and in its own letters.
func TestScopeOfUnicodeHosts(t *testing.T) {
	path := write(t, "sitemap.xml", head+"<url><loc>https://bücher.example/a</loc></url>"+
		"<url><loc>https://xn--bcher-kva.example/b</loc></url><url><loc>https://BÜCHER.example/c</loc></url>"+
		"<url><loc>https://b%C3%BCcher.example/d</loc></url><url><loc>https://köche.example/e</loc></url></urlset>")
	only := []string{"out-of-scope-host"}
	for name, c := range map[string]struct {
		base     string
		verified []string
		lines    int
	}{
		"no address":    {lines: 1},
		"in Punycode":   {base: "https://xn--bcher-kva.example/", lines: 1},
		"in Unicode":    {base: "https://bücher.example/", lines: 1},
		"the other one": {base: "https://köche.example/", lines: 4},
		"verified":      {base: "https://xn--bcher-kva.example/", verified: []string{"Köche.example"}},
	} {
		found := check(t, lint.Options{BaseURL: c.base, VerifiedHosts: c.verified, Only: only}, path)
		if len(found) != c.lines {
			t.Errorf("%s: found\n%swant %d", name, listed(found), c.lines)
		}
	}
}

package lint

// Parts of examples.
const (
	xmlHead  = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	goodURL  = `<url><loc>https://example.com/</loc></url>`
	goodHead = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`
)

// urlset is an example with entries.
func urlset(entries string) string { return xmlHead + goodHead + "\n" + entries + "\n</urlset>\n" }

var goodSitemap = urlset(goodURL)

// page is an entry of an example with a location and other elements.
func page(loc, others string) string { return "<url><loc>" + loc + "</loc>" + others + "</url>" }

// indexOf is an example of an index with entries.
func indexOf(entries string) string {
	return xmlHead + `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n" + entries +
		"\n</sitemapindex>\n"
}

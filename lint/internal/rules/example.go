package rules

// Pieces that examples are put together from.
const (
	xmlHead  = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	goodURL  = `<url><loc>https://example.com/</loc></url>`
	goodHead = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`
)

// urlset is an example with these entries and goodSitemap one without a fault.
func urlset(entries string) string { return xmlHead + goodHead + "\n" + entries + "\n</urlset>\n" }

var goodSitemap = urlset(goodURL)

// page is the entry of an example with one location, and other elements.
func page(loc, others string) string { return "<url><loc>" + loc + "</loc>" + others + "</url>" }

// indexOf is an example of an index.
func indexOf(entries string) string {
	return xmlHead + `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n" + entries + "\n</sitemapindex>\n"
}

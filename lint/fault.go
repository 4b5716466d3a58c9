package lint

import "github.com/mapatools/mapa/sitemap"

// Where the rules are written down.
const (
	protocolText  = "https://www.sitemaps.org/protocol.html"
	protocolFAQ   = "https://www.sitemaps.org/faq.html"
	urlsetSchema  = "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd"
	indexSchema   = "https://www.sitemaps.org/schemas/sitemap/0.9/siteindex.xsd"
	xmlText       = "https://www.w3.org/TR/xml/"
	namespaceText = "https://www.w3.org/TR/xml-names/"
	googleText    = "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap"
	googleIndex   = "https://developers.google.com/search/docs/crawling-indexing/sitemaps/large-sitemaps"
	googleReport  = "https://support.google.com/webmasters/answer/7451001"
	yandexText    = "https://yandex.com/support/webmaster/en/indexing-options/sitemap"
	bingText      = "https://blogs.bing.com/webmaster/february-2023/The-Importance-of-Setting-the-lastmod-Tag-in-Your-Sitemap"
)

// search are the engines, as opposed to the protocol: they forgive what breaks
// only the schema.
const search = Google | Bing | Yandex

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

// inIndex are the rules about an index that the reader's faults stand for there.
var inIndex = map[sitemap.FaultKind]string{
	sitemap.TooManyEntries: "index-too-many",
	sitemap.TooLarge:       "index-too-large",
	sitemap.EmptySet:       "index-empty",
}

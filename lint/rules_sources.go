package lint

// The documents that rules of several chapters follow.
const (
	protocolHome     = "https://www.sitemaps.org/"
	protocolText     = "https://www.sitemaps.org/protocol.html"
	protocolFAQ      = "https://www.sitemaps.org/faq.html"
	urlsetSchema     = "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd"
	indexSchema      = "https://www.sitemaps.org/schemas/sitemap/0.9/siteindex.xsd"
	xmlText          = "https://www.w3.org/TR/xml/"
	namespaceText    = "https://www.w3.org/TR/xml-names/"
	googleText       = "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap"
	googleIndex      = "https://developers.google.com/search/docs/crawling-indexing/sitemaps/large-sitemaps"
	googleReport     = "https://support.google.com/webmasters/answer/7451001"
	googleLinks      = "https://developers.google.com/search/docs/crawling-indexing/links-crawlable"
	googleNoIndex    = "https://developers.google.com/search/docs/crawling-indexing/block-indexing"
	googleRobotsMeta = "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag"
	yandexText       = "https://yandex.com/support/webmaster/en/indexing-options/sitemap"
	bingText         = "https://blogs.bing.com/webmaster/february-2023/The-Importance-of-Setting-the-lastmod-Tag-in-Your-Sitemap"
)

// search is the search engines, which accept what breaks only the schema.
const search = EngineGoogle | EngineBing | EngineYandex

// onlySchema is how a breach is judged that no search engine cares about.
var onlySchema = Overlay{Error: EngineSchema}

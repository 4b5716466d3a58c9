package lint

import (
	"slices"
	"sync"
)

// Rules returns every rule, in the order of the documentation.
func Rules() []*Rule { return allRules() }

var allRules = sync.OnceValue(func() []*Rule {
	return slices.Concat(
		transportRules, answerRules, bodyRules, encodingRules, markupRules, namespaceRules, stylesheetRules, structureRules, orderRules, statisticRules,
		locRules, scopeRules, dateRules, frequencyRules, indexRules, childRules, setRules,
		textRules, feedRules, extensionRules, imageRules, videoRules, newsRules, hreflangRules, pageMapRules, retiredRules,
	)
})

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

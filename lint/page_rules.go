package lint

import "slices"

// pageGroups are the rules over crawled pages, in the order of the documentation. None has
// a check here: a crawl is judged from its file.
var pageGroups = []Group{
	{"Crawled site", siteRules},
	{"Crawled pages: links", pageLinkRules},
	{"Crawled pages: redirects and errors", pageRedirectRules},
	{"Crawled pages: titles and descriptions", pageTitleRules},
	{"Crawled pages: headings and content", pageContentRules},
	{"Crawled pages: canonical URLs", pageCanonicalRules},
	{"Crawled pages: robots", pageRobotsRules},
	{"Crawled pages: hreflang", slices.Concat(pageHreflangRules, sharedHreflangRules)},
	{"Crawled pages: images", pageImageRules},
	{"Crawled pages: security", pageSecurityRules},
	{"Crawled pages: structured data", pageDataRules},
	{"Crawled pages: search engines", pageEngineRules},
}

var allPageRules = rulesOf(pageGroups)

// PageGroups returns copies of all rules over crawled pages, in the order of the
// documentation. A rule of SubjectSitemap among them judges crawled pages as it judges
// sitemaps.
func PageGroups() []Group { return cloneGroups(pageGroups) }

// PageRules returns copies of the rules of PageGroups.
func PageRules() []*Rule { return cloneRules(allPageRules) }

package lint

// crawlRules compare the pages of all files together with those of a crawl.
var crawlRules = []*Rule{pageNotInSitemap, orphanPage, crawledDead, crawledRedirect, crawledNoIndex}

var (
	pageNotInSitemap = &Rule{ID: "page-not-in-sitemap", Severity: SeverityInfo, Source: protocolHome}
	orphanPage       = &Rule{ID: "orphan-page", Severity: SeverityInfo, Source: googleLinks}
	crawledDead      = &Rule{ID: "crawled-dead", Severity: SeverityError, Source: googleReport,
		SearchConsole: "URLs not accessible", Yandex: "HTTP error"}
	crawledRedirect = &Rule{ID: "crawled-redirect", Severity: SeverityWarning, Source: googleReport,
		SearchConsole: "URLs not followed", Yandex: "HTTP error"}
	crawledNoIndex = &Rule{ID: "crawled-noindex", Severity: SeverityWarning, Source: googleNoIndex}
)

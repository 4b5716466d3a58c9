package lint

const (
	googleScripts = "https://developers.google.com/search/docs/crawling-indexing/javascript/javascript-seo-basics"
	googleURLs    = "https://developers.google.com/search/docs/crawling-indexing/url-structure"
)

// siteRules are what a crawl as a whole can lack: the causes of its verdict, which are errors
// where the crawl is not usable, and what the site tells other crawlers.
var siteRules = []*Rule{
	siteRule("site-start-broken", googleStatus),
	siteRule("site-start-empty", googleScripts),
	siteRule("site-start-not-html", googleLinks),
	siteRule("site-login", googleLinks),
	siteRule("site-other-host", googleCanonical),
	siteRule("site-copy", googleCanonical),
	siteRule("site-needs-javascript", googleScripts),
	siteRule("site-not-rendered", googleScripts),
	siteRule("site-soft-404", googleStatus+"#soft-404-errors"),
	siteRule("site-noindex", googleNoIndex),
	siteRule("site-robots-blocks-all", "https://www.rfc-editor.org/rfc/rfc9309"),
	siteRule("site-unreached", googleLinks),
	siteRule("site-few-listed", googleCanonical),
	siteRule("site-clean-urls", googleURLs),
	siteRule("site-sitemap-broken", protocolText),
	siteRule("site-sitemap-unnamed", protocolText+"#submit_robots"),
	{ID: "site-engine-refused", Subject: SubjectSite, Severity: SeverityWarning,
		Source: "https://developers.google.com/crawling/docs/crawlers-fetchers/verifying-googlebot"},
	{ID: "site-ai-robots", Subject: SubjectSite, Severity: SeverityInfo,
		Source: "https://www.rfc-editor.org/rfc/rfc9309"},
	siteRule("crawl-partial", protocolText),
	siteRule("publish-refused", protocolText),
}

func siteRule(id, source string) *Rule {
	return &Rule{
		ID: id, Subject: SubjectSite, Severity: SeverityWarning, Escalated: SeverityError, Source: source,
	}
}

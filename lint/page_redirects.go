package lint

const googleRedirects = "https://developers.google.com/search/docs/crawling-indexing/301-redirects"

// pageRedirectRules are about what the server answers, and how fast.
var pageRedirectRules = []*Rule{
	{ID: "server-error", Subject: SubjectPage, Severity: SeverityError, Source: googleStatus, Since: "0.1"},
	{ID: "redirect-internal", Subject: SubjectLink, Severity: SeverityInfo, Source: googleRedirects, Since: "0.1"},
	{ID: "redirect-chain", Subject: SubjectPage, Severity: SeverityWarning, Escalated: SeverityError,
		Threshold: Above(1, 9), Source: googleStatus, Since: "0.1"},
	{ID: "redirect-loop", Subject: SubjectPage, Severity: SeverityError, Source: googleStatus, Since: "0.1"},
	{ID: "slow-response", Subject: SubjectPage, Severity: SeverityInfo, Threshold: Above(1000),
		Source: "https://web.dev/articles/ttfb", Since: "0.1"},
}

package lint

const googleRedirects = "https://developers.google.com/search/docs/crawling-indexing/301-redirects"

// pageRedirectRules are about what the server answers, and how fast.
var pageRedirectRules = []*Rule{
	{ID: "server-error", Subject: SubjectPage, Severity: SeverityError, Source: googleStatus},
	{ID: "redirect-internal", Subject: SubjectLink, Severity: SeverityInfo, Source: googleRedirects},
	{ID: "redirect-chain", Subject: SubjectPage, Severity: SeverityWarning, Escalated: SeverityError,
		Threshold: Above(1, 9), Source: googleStatus},
	{ID: "redirect-loop", Subject: SubjectPage, Severity: SeverityError, Source: googleStatus},
	{ID: "slow-response", Subject: SubjectPage, Severity: SeverityInfo, Threshold: Above(1000),
		Source: "https://web.dev/articles/ttfb"},
}

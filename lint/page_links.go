package lint

// pageLinkRules are about links, and about the links that a page has or lacks.
var pageLinkRules = []*Rule{
	// An error within the site.
	{ID: "link-broken", Subject: SubjectLink, Severity: SeverityWarning, Escalated: SeverityError,
		Source: googleStatus},
	{ID: "link-inconclusive", Subject: SubjectLink, Severity: SeverityInfo,
		Source: "https://github.com/lycheeverse/lychee/issues/367"},
	{ID: "anchor-missing", Subject: SubjectLink, Severity: SeverityWarning,
		Source: "https://html.spec.whatwg.org/multipage/browsing-the-web.html#scrolling-to-a-fragment"},
	{ID: "link-invalid", Subject: SubjectLink, Severity: SeverityWarning,
		Source: "https://url.spec.whatwg.org/#url-parsing"},
	{ID: "link-uncrawlable", Subject: SubjectLink, Severity: SeverityWarning, Source: googleLinks},
	{ID: "link-localhost", Subject: SubjectLink, Severity: SeverityError,
		Source: "https://www.rfc-editor.org/rfc/rfc6890"},
	{ID: "link-no-text", Subject: SubjectLink, Severity: SeverityInfo, Source: googleLinks + "#anchor-text"},
	{ID: "link-vague", Subject: SubjectLink, Severity: SeverityInfo, Source: "https://developer.chrome.com/docs/lighthouse/seo/link-text"},
	{ID: "orphan", Subject: SubjectPage, Severity: SeverityWarning, Source: googleLinks},
	{ID: "single-inlink", Subject: SubjectPage, Severity: SeverityInfo, Source: googleLinks},
	{ID: "nofollow-only", Subject: SubjectPage, Severity: SeverityWarning,
		Source: "https://developers.google.com/search/docs/crawling-indexing/qualify-outbound-links"},
	{ID: "dead-end", Subject: SubjectPage, Severity: SeverityInfo, Source: googleLinks},
	{ID: "deep-page", Subject: SubjectPage, Severity: SeverityInfo, Escalated: SeverityWarning, Threshold: Above(4, 10),
		Source: googleLinks},
	{ID: "pagination-broken", Subject: SubjectPage, Severity: SeverityInfo,
		Source: "https://developers.google.com/search/docs/specialty/ecommerce/pagination-and-incremental-page-loading"},
}

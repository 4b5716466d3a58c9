package lint

// pageLinkRules are about links, and about the links that a page has or lacks.
var pageLinkRules = []*Rule{
	// An error within the site.
	{ID: "link-broken", Subject: SubjectLink, Severity: SeverityWarning, Escalated: SeverityError,
		Source: googleStatus, Since: "0.1"},
	{ID: "link-inconclusive", Subject: SubjectLink, Severity: SeverityInfo,
		Source: "https://github.com/lycheeverse/lychee/issues/367", Since: "0.1"},
	{ID: "anchor-missing", Subject: SubjectLink, Severity: SeverityWarning,
		Source: "https://html.spec.whatwg.org/multipage/browsing-the-web.html#scrolling-to-a-fragment", Since: "0.1"},
	{ID: "link-invalid", Subject: SubjectLink, Severity: SeverityWarning,
		Source: "https://url.spec.whatwg.org/#url-parsing", Since: "0.1"},
	{ID: "link-uncrawlable", Subject: SubjectLink, Severity: SeverityWarning, Source: googleLinks, Since: "0.1"},
	{ID: "link-localhost", Subject: SubjectLink, Severity: SeverityError,
		Source: "https://www.rfc-editor.org/rfc/rfc6890", Since: "0.1"},
	{ID: "link-no-text", Subject: SubjectLink, Severity: SeverityInfo, Source: googleLinks + "#anchor-text",
		Since: "0.1"},
	{ID: "link-vague", Subject: SubjectLink, Severity: SeverityInfo, Source: "https://developer.chrome.com/docs/lighthouse/seo/link-text", Since: "0.1"},
	{ID: "orphan", Subject: SubjectPage, Severity: SeverityWarning, Source: googleLinks, Since: "0.1"},
	{ID: "single-inlink", Subject: SubjectPage, Severity: SeverityInfo, Source: googleLinks, Since: "0.1"},
	{ID: "nofollow-only", Subject: SubjectPage, Severity: SeverityWarning,
		Source: "https://developers.google.com/search/docs/crawling-indexing/qualify-outbound-links", Since: "0.1"},
	{ID: "dead-end", Subject: SubjectPage, Severity: SeverityInfo, Source: googleLinks, Since: "0.1"},
	{ID: "deep-page", Subject: SubjectPage, Severity: SeverityInfo, Escalated: SeverityWarning, Threshold: Above(4, 10),
		Source: googleLinks, Since: "0.1"},
	{ID: "pagination-broken", Subject: SubjectPage, Severity: SeverityInfo,
		Source: "https://developers.google.com/search/docs/specialty/ecommerce/pagination-and-incremental-page-loading",
		Since:  "0.1"},
}

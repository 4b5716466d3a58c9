package lint

const (
	googleTitles   = "https://developers.google.com/search/docs/appearance/title-link"
	googleSnippets = "https://developers.google.com/search/docs/appearance/snippet"
)

// pageTitleRules are about what search results show of a page.
var pageTitleRules = []*Rule{
	{ID: "title-missing", Subject: SubjectPage, Severity: SeverityWarning, Source: googleTitles},
	{ID: "title-duplicate", Subject: SubjectPage, Severity: SeverityWarning, Source: googleTitles},
	{ID: "title-length", Subject: SubjectPage, Severity: SeverityInfo, Threshold: Outside(30, 60),
		Source: googleTitles},
	{ID: "title-multiple", Subject: SubjectPage, Severity: SeverityWarning,
		Source: "https://html.spec.whatwg.org/multipage/semantics.html#the-title-element"},
	{ID: "description-missing", Subject: SubjectPage, Severity: SeverityInfo, Source: googleSnippets},
	{ID: "description-duplicate", Subject: SubjectPage, Severity: SeverityWarning, Source: googleSnippets},
	{ID: "description-length", Subject: SubjectPage, Severity: SeverityInfo, Threshold: Outside(70, 155),
		Source: googleSnippets},
	{ID: "description-multiple", Subject: SubjectPage, Severity: SeverityWarning,
		Source: "https://html.spec.whatwg.org/multipage/semantics.html#meta-description"},
}

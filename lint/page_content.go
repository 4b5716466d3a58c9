package lint

// pageContentRules are about the content of a page and its language.
var pageContentRules = []*Rule{
	{ID: "h1-missing", Subject: SubjectPage, Severity: SeverityWarning, Source: googleTitles},
	{ID: "h1-multiple", Subject: SubjectPage, Severity: SeverityInfo,
		Source: "https://html.spec.whatwg.org/multipage/sections.html#headings-and-outlines-2"},
	{ID: "thin-content", Subject: SubjectPage, Severity: SeverityInfo, Escalated: SeverityWarning,
		Threshold: Below(200, 50),
		Source:    "https://developers.google.com/search/docs/fundamentals/creating-helpful-content"},
	{ID: "duplicate-content", Subject: SubjectPage, Severity: SeverityWarning, Source: googleCanonical},
	// Off: the content of every page is compared with that of others. The limit is in percent.
	{ID: "near-duplicate", Subject: SubjectPage, Severity: SeverityWarning,
		Overlay: Overlay{Off: EngineAll | EngineSchema}, Threshold: Above(89), Source: googleCanonical},
	{ID: "soft-404-text", Subject: SubjectPage, Severity: SeverityWarning,
		Source: googleStatus + "#soft-404-errors"},
	// A warning where scripts change which page is listed.
	{ID: "rendered-differs", Subject: SubjectPage, Severity: SeverityInfo, Escalated: SeverityWarning,
		Source: googleScripts},
	{ID: "render-inconclusive", Subject: SubjectPage, Severity: SeverityWarning, Source: googleScripts},
	// An error where the canonical URL, the title or links are after the bytes that Google reads.
	{ID: "html-too-large", Subject: SubjectPage, Severity: SeverityInfo, Escalated: SeverityError,
		Threshold: Above(1 << 20),
		Source:    "https://developers.google.com/search/docs/crawling-indexing/googlebot"},
	{ID: "lang-missing", Subject: SubjectPage, Severity: SeverityInfo,
		Source: "https://www.w3.org/WAI/WCAG22/Understanding/language-of-page.html"},
	{ID: "viewport-missing", Subject: SubjectPage, Severity: SeverityWarning,
		Source: "https://developer.mozilla.org/en-US/docs/Web/HTML/Reference/Elements/meta/name/viewport"},
}

package lint

// pageImageRules are about the images of pages.
var pageImageRules = []*Rule{
	{ID: "image-alt", Subject: SubjectPage, Severity: SeverityWarning,
		Source: "https://www.w3.org/WAI/WCAG22/Understanding/non-text-content.html"},
	{ID: "image-size", Subject: SubjectPage, Severity: SeverityInfo,
		Source: "https://web.dev/articles/optimize-cls#images-without-dimensions"},
	{ID: "image-large", Subject: SubjectPage, Severity: SeverityInfo, Escalated: SeverityWarning,
		Threshold: Above(100_000, 500_000),
		Source:    "https://developers.google.com/search/docs/appearance/google-images"},
}

package lint

const openGraphText = "https://ogp.me/"

// pageDataRules are about what a page says to programs.
var pageDataRules = []*Rule{
	{ID: "json-ld-invalid", Subject: SubjectPage, Severity: SeverityWarning,
		Source: "https://www.w3.org/TR/json-ld11/#embedding-json-ld-in-html-documents"},
	{ID: "og-incomplete", Subject: SubjectPage, Severity: SeverityInfo, Source: openGraphText + "#metadata"},
	{ID: "og-url-mismatch", Subject: SubjectPage, Severity: SeverityInfo, Source: openGraphText + "#metadata"},
}

package lint

const (
	googleIndexReport = "https://support.google.com/webmasters/answer/7440203"
	googlePerformance = "https://support.google.com/webmasters/answer/7576553"
)

// pageEngineRules compare what a crawl decided with what search engines say, where the user has joined their exports.
var pageEngineRules = []*Rule{
	{ID: "not-indexed", Subject: SubjectPage, Severity: SeverityWarning, Source: googleIndexReport, Since: "0.1"},
	{ID: "engine-canonical", Subject: SubjectPage, Severity: SeverityWarning, Source: googleCanonical, Since: "0.1"},
	{ID: "shown-not-listed", Subject: SubjectPage, Severity: SeverityInfo, Source: googlePerformance, Since: "0.1"},
	{ID: "never-shown", Subject: SubjectPage, Severity: SeverityInfo, Source: googlePerformance, Since: "0.1"},
}

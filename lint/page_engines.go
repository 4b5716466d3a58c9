package lint

const (
	googleIndexReport = "https://support.google.com/webmasters/answer/7440203"
	googlePerformance = "https://support.google.com/webmasters/answer/7576553"
)

// pageEngineRules compare what a crawl decided with what search engines say, where the user has joined their exports.
var pageEngineRules = []*Rule{
	{ID: "not-indexed", Subject: SubjectPage, Severity: SeverityWarning, Source: googleIndexReport},
	{ID: "engine-canonical", Subject: SubjectPage, Severity: SeverityWarning, Source: googleCanonical},
	{ID: "shown-not-listed", Subject: SubjectPage, Severity: SeverityInfo, Source: googlePerformance},
	{ID: "never-shown", Subject: SubjectPage, Severity: SeverityInfo, Source: googlePerformance},
}

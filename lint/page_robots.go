package lint

// pageRobotsRules are about what pages and robots.txt ask of crawlers.
var pageRobotsRules = []*Rule{
	{ID: "noindex-blocked", Subject: SubjectPage, Severity: SeverityWarning,
		Source: googleNoIndex, Since: "0.1"},
	{ID: "robots-conflict", Subject: SubjectPage, Severity: SeverityWarning, Source: googleRobotsMeta, Since: "0.1"},
	{ID: "meta-in-body", Subject: SubjectPage, Severity: SeverityWarning,
		Source: "https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata", Since: "0.1"},
}

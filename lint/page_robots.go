package lint

// pageRobotsRules are about what pages and robots.txt ask of crawlers.
var pageRobotsRules = []*Rule{
	{ID: "noindex-blocked", Subject: SubjectPage, Severity: SeverityWarning, Source: googleNoIndex},
	{ID: "robots-conflict", Subject: SubjectPage, Severity: SeverityWarning, Source: googleRobotsMeta},
	{ID: "meta-in-body", Subject: SubjectPage, Severity: SeverityWarning,
		Source: "https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata"},
}

package rules

import (
	"github.com/mapatools/mapa/lint/internal/rule"
)

// setRules are about the pages of all files together.
var setRules = []*rule.Rule{
	duplicateLoc, duplicateAcrossFiles, equivalentLoc, conflictingMetadata, hreflangNotReciprocal, hreflangInconsistent,
}

var duplicateLoc = &rule.Rule{
	ID:       "duplicate-loc",
	Title:    "a page stands twice in a file",
	Why:      "The second entry says nothing new and takes the place of a page; of different dates nobody knows which counts.",
	Cure:     "List every page once.",
	Severity: rule.SeverityWarning,
	Source:   protocolText + "#urldef",
	Since:    "0.1",
	Bad:      urlset(goodURL + goodURL),
	Good:     urlset(goodURL + page("https://example.com/a", "")),
}

var duplicateAcrossFiles = &rule.Rule{
	ID:       "duplicate-across-files",
	Title:    "a page stands in two sitemaps of one kind",
	Why:      "Engines read it twice and learn nothing new; reports by file count it twice. Feeds, lists and sitemaps of images, videos or news alone may repeat what others list.",
	Cure:     "Decide which sitemap a page belongs to. Two programs that each make sitemaps of one site are the usual cause.",
	Severity: rule.SeverityWarning,
	Source:   protocolText + "#urldef",
	Since:    "0.1",
	Bad: "-- /sitemap.xml --\n" + indexOf(child("https://example.com/a.xml")+child("https://example.com/b.xml")) +
		"-- /a.xml --\n" + goodSitemap + "-- /b.xml --\n" + goodSitemap,
	Good: goodIndex,
}

var equivalentLoc = &rule.Rule{
	ID:       "equivalent-loc",
	Title:    "a page is listed in two spellings",
	Why:      "Capital letters in the host, the port that goes without saying, escapes that need none or a fragment do not make another page: engines see a duplicate.",
	Cure:     "Choose one spelling, the one that the page's canonical link has, and list only that.",
	Severity: rule.SeverityWarning,
	Source:   uriText + "#section-6.2.2",
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/~a", "") + page("https://example.com/%7Ea", "")),
	Good:     urlset(page("https://example.com/~a", "") + page("https://example.com/~b", "")),
}

var conflictingMetadata = &rule.Rule{
	ID:       "conflicting-metadata",
	Title:    "a page is listed with different dates, frequencies or priorities",
	Why:      "One of them is wrong, and engines drop what they cannot rely on: the date of the last change first.",
	Cure:     "List the page once, with its real date.",
	Severity: rule.SeverityWarning,
	Source:   protocolText + "#lastmoddef",
	Since:    "0.1",
	Bad: urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod>") +
		page("https://example.com/", "<lastmod>2024-02-09</lastmod>")),
	Good: urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod>") +
		page("https://example.com/a", "<lastmod>2024-02-09</lastmod>")),
}

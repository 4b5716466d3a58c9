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
	Title:    "duplicate URL in one sitemap",
	Why:      "The second entry adds nothing and takes the place of another page. If the dates differ, search engines cannot know which one counts.",
	Cure:     "List every URL once.",
	Severity: rule.SeverityWarning,
	Source:   protocolText + "#urldef",
	Since:    "0.1",
	Bad:      urlset(goodURL + goodURL),
	Good:     urlset(goodURL + page("https://example.com/a", "")),
}

var duplicateAcrossFiles = &rule.Rule{
	ID:       "duplicate-across-files",
	Title:    "duplicate URL in two sitemaps of the same kind",
	Why:      "Search engines read it twice and learn nothing new, and reports by file count it twice. Feeds, text sitemaps and sitemaps of only images, videos or news may repeat URLs from other sitemaps.",
	Cure:     "Decide which sitemap lists the page. The usual cause is two programs that both generate sitemaps for the site.",
	Severity: rule.SeverityWarning,
	Source:   protocolText + "#urldef",
	Since:    "0.1",
	Bad: "-- /sitemap.xml --\n" + indexOf(child("https://example.com/a.xml")+child("https://example.com/b.xml")) +
		"-- /a.xml --\n" + goodSitemap + "-- /b.xml --\n" + goodSitemap,
	Good: goodIndex,
}

var equivalentLoc = &rule.Rule{
	ID:       "equivalent-loc",
	Title:    "same page listed under two spellings of its URL",
	Why:      "Capital letters in the host, a default port, needless escapes or a fragment do not make another page. Search engines see a duplicate.",
	Cure:     "List only one spelling: the one in the page's canonical link.",
	Severity: rule.SeverityWarning,
	Source:   uriText + "#section-6.2.2",
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/~a", "") + page("https://example.com/%7Ea", "")),
	Good:     urlset(page("https://example.com/~a", "") + page("https://example.com/~b", "")),
}

var conflictingMetadata = &rule.Rule{
	ID:       "conflicting-metadata",
	Title:    "same page listed with a different lastmod, changefreq or priority",
	Why:      "At least one of the values is wrong. Search engines ignore what they cannot trust, and lastmod first.",
	Cure:     "List the page once, with its real date.",
	Severity: rule.SeverityWarning,
	Source:   protocolText + "#lastmoddef",
	Since:    "0.1",
	Bad: urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod>") +
		page("https://example.com/", "<lastmod>2024-02-09</lastmod>")),
	Good: urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod>") +
		page("https://example.com/a", "<lastmod>2024-02-09</lastmod>")),
}

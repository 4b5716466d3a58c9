package lint

// setRules are about the pages of all files together.
var setRules = []*Rule{
	duplicateLoc, duplicateAcrossFiles, equivalentLoc, conflictingMetadata, hreflangNotReciprocal, hreflangInconsistent,
}

var duplicateLoc = &Rule{
	ID:       "duplicate-loc",
	Title:    "duplicate URL in one sitemap",
	Why:      "The second entry adds nothing and takes the place of another page. If the dates differ, search engines cannot know which one counts.",
	Fix:      "List every URL once.",
	Severity: SeverityWarning,
	Source:   protocolText + "#urldef",
	Since:    "0.1",
	Bad:      urlset(goodURL + goodURL),
	Good:     urlset(goodURL + page("https://example.com/a", "")),
}

var duplicateAcrossFiles = &Rule{
	ID:       "duplicate-across-files",
	Title:    "duplicate URL in two sitemaps of the same kind",
	Why:      "Search engines read it twice and learn nothing new, and reports by file count it twice. Feeds, text sitemaps and sitemaps of only images, videos or news may repeat URLs from other sitemaps.",
	Fix:      "Decide which sitemap lists the page. The usual cause is two programs that both generate sitemaps for the site.",
	Severity: SeverityWarning,
	Source:   protocolText + "#urldef",
	Since:    "0.1",
	Bad: "-- /sitemap.xml --\n" + indexOf(child("https://example.com/a.xml")+child("https://example.com/b.xml")) +
		"-- /a.xml --\n" + goodSitemap + "-- /b.xml --\n" + goodSitemap,
	Good: goodIndex,
}

var equivalentLoc = &Rule{
	ID:       "equivalent-loc",
	Title:    "same page listed under two spellings of its URL",
	Why:      "Capital letters in the host, a default port, needless escapes or a fragment do not make another page. Search engines see a duplicate.",
	Fix:      "List only one spelling: the one in the page's canonical link.",
	Severity: SeverityWarning,
	Source:   uriText + "#section-6.2.2",
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/~a", "") + page("https://example.com/%7Ea", "")),
	Good:     urlset(page("https://example.com/~a", "") + page("https://example.com/~b", "")),
}

var conflictingMetadata = &Rule{
	ID:       "conflicting-metadata",
	Title:    "same page listed with a different lastmod, changefreq or priority",
	Why:      "At least one of the values is wrong. Search engines ignore what they cannot trust, and lastmod first.",
	Fix:      "List the page once, with its real date.",
	Severity: SeverityWarning,
	Source:   protocolText + "#lastmoddef",
	Since:    "0.1",
	Bad: urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod>") +
		page("https://example.com/", "<lastmod>2024-02-09</lastmod>")),
	Good: urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod>") +
		page("https://example.com/a", "<lastmod>2024-02-09</lastmod>")),
}

package rules

import (
	"github.com/mapatools/mapa/lint/internal/rule"
)

// childRules are about an index and the sitemaps that it lists.
var childRules = []*rule.Rule{
	nestedIndex, indexCycle, selfReference, childOtherSite, childAboveDirectory, childDuplicate, childRedirects,
	childUnreachable, childNotSitemap, indexLastModOlder, indexLastModAllNow, indexLastModMissing, tooManyIndexes,
	manySitemaps, setEmpty, setShrank,
}

// indexSite writes an example of an index at /sitemap.xml with other files.
func indexSite(entries string, files ...string) string {
	text := "-- /sitemap.xml --\n" + indexOf(entries)
	for i := 0; i < len(files); i += 2 {
		text += "-- " + files[i] + " --\n" + files[i+1]
	}
	return text
}

var nestedIndex = &rule.Rule{
	ID:       "nested-index",
	Title:    "an index inside an index",
	Why:      "The protocol knows one level. Google reports the inner index as an error and reads none of its sitemaps.",
	Cure:     "List the sitemaps of the inner index in the outer one, or submit both.",
	Severity: rule.SeverityWarning, Overlay: map[rule.Engines]rule.Severity{rule.EngineGoogle: rule.SeverityError},
	Source:        protocolText + "#index",
	SearchConsole: "Incorrect sitemap index format: Nested sitemap indexes",
	Since:         "0.1",
	Bad: indexSite(child("https://example.com/inner.xml"), "/inner.xml", indexOf(child("https://example.com/a.xml")),
		"/a.xml", goodSitemap),
	Good: goodIndex,
}

var indexCycle = &rule.Rule{
	ID:            "index-cycle",
	Title:         "indexes that list each other",
	Why:           "Whoever follows them goes round in circles.",
	Cure:          "List only sitemaps of pages in an index.",
	Severity:      rule.SeverityError,
	Source:        protocolText + "#index",
	SearchConsole: "Incorrect sitemap index format: Nested sitemap indexes",
	Since:         "0.1",
	Bad:           indexSite(child("https://example.com/inner.xml"), "/inner.xml", indexOf(child("https://example.com/sitemap.xml"))),
	Good:          goodIndex,
}

var selfReference = &rule.Rule{
	ID:            "self-reference",
	Title:         "an index lists itself",
	Why:           "The entry leads nowhere; a program that lists every .xml file it finds is the usual cause.",
	Cure:          "Leave the index's own address out.",
	Severity:      rule.SeverityWarning,
	Source:        protocolText + "#index",
	SearchConsole: "Incorrect sitemap index format: Nested sitemap indexes",
	Since:         "0.1",
	Bad:           indexSite(child("https://example.com/sitemap.xml")+child("https://example.com/a.xml"), "/a.xml", goodSitemap),
	Good:          goodIndex,
}

var childOtherSite = &rule.Rule{
	ID:            "child-other-site",
	Title:         "an index lists a sitemap of another site",
	Why:           "The sitemaps of an index lie on its own host; others are dropped unless the host is verified.",
	Cure:          "Give every host its own index, and name it in the robots.txt there.",
	Severity:      rule.SeverityError,
	Source:        protocolText + "#index",
	SearchConsole: "URL not allowed", Yandex: "Incorrect URL (doesn't match the Sitemap file location)",
	Since: "0.1",
	Bad:   indexSite(child("https://example.org/a.xml") + child("https://example.com/b.xml")),
	Good:  goodIndex,
}

var childAboveDirectory = &rule.Rule{
	ID:            "child-above-directory",
	Title:         "an index lists a sitemap outside of its own folder",
	Why:           "Google wants the sitemaps of an index in the same folder or below.",
	Cure:          "Move the index to the root of the site.",
	Severity:      rule.SeverityWarning,
	Engines:       rule.EngineGoogle,
	Source:        googleIndex,
	SearchConsole: "URL not allowed",
	Since:         "0.1",
	Bad: "-- /maps/sitemap.xml --\n" + indexOf(child("https://example.com/a.xml")) +
		"-- /a.xml --\n" + goodSitemap,
	Good: goodIndex,
}

var childDuplicate = &rule.Rule{
	ID:       "child-duplicate",
	Title:    "an index lists a sitemap twice",
	Why:      "The second entry says nothing new; of two dates nobody knows which counts.",
	Cure:     "List every sitemap once.",
	Severity: rule.SeverityWarning,
	Source:   protocolText + "#index",
	Since:    "0.1",
	Bad:      indexSite(child("https://example.com/a.xml")+child("https://example.com/a.xml"), "/a.xml", goodSitemap),
	Good:     goodIndex,
}

var childRedirects = &rule.Rule{
	ID:       "child-redirects-to-parent",
	Title:    "a listed sitemap redirects to the index itself",
	Why:      "The pages of that sitemap are lost: its address answers with the list that led to it.",
	Cure:     "See why the sitemap is missing; content management systems redirect what they do not know.",
	Severity: rule.SeverityWarning,
	Source:   protocolText + "#index",
	Since:    "0.1",
	Bad:      indexSite(child("https://example.com/a.xml"), "/a.xml", "HTTP 302\nLocation: https://example.com/sitemap.xml\n\n"),
	Good:     goodIndex,
}

var childUnreachable = &rule.Rule{
	ID:            "child-unreachable",
	Title:         "a listed sitemap cannot be fetched",
	Why:           "Its pages are unknown to engines that learn of them from the sitemap.",
	Cure:          "Restore the file, or take it out of the index.",
	Severity:      rule.SeverityError,
	Source:        googleReport,
	SearchConsole: "Couldn't fetch", Yandex: "HTTP error",
	Since: "0.1",
	Bad:   indexSite(child("https://example.com/gone.xml")),
	Good:  goodIndex,
}

var childNotSitemap = &rule.Rule{
	ID:            "child-not-sitemap",
	Title:         "a listed file is no sitemap",
	Why:           "An index lists sitemaps. Pages belong into a urlset, and an error page belongs nowhere.",
	Cure:          "List pages in a sitemap of their own, and take what is gone out of the index.",
	Severity:      rule.SeverityError,
	Source:        protocolText + "#index",
	SearchConsole: "Unsupported format", Yandex: "Incorrect HTTP response",
	Since: "0.1",
	Bad:   indexSite(child("https://example.com/about"), "/about", "<!DOCTYPE html>\n<html><head><title>About us</title></head></html>\n"),
	Good:  goodIndex,
}

// changed is an index of one sitemap with a date, and the sitemap with another.
func changed(index, last string) string {
	return indexSite("<sitemap><loc>https://example.com/a.xml</loc><lastmod>"+index+"</lastmod></sitemap>",
		"/a.xml", urlset(page("https://example.com/", "<lastmod>"+last+"</lastmod>")))
}

var indexLastModOlder = &rule.Rule{
	ID:       "index-lastmod-older-than-child",
	Title:    "a sitemap has newer pages than its index says",
	Why:      "Engines that go by the index do not fetch the sitemap and miss the change.",
	Cure:     "Let the lastmod of the index be the newest lastmod of the sitemap, or leave it out.",
	Severity: rule.SeverityWarning,
	Source:   protocolText + "#sitemapIndex_lastmod",
	Since:    "0.1",
	Bad:      changed("2024-01-08", "2024-03-01"),
	Good:     changed("2024-03-01", "2024-01-08"),
}

var indexLastModAllNow = &rule.Rule{
	ID:       "index-lastmod-all-now",
	Title:    "an index says that all sitemaps changed just now",
	Why:      "The dates are those of the request. Engines that see it fetch all sitemaps every time, or learn to disregard the dates.",
	Cure:     "Write the newest lastmod of each sitemap, or leave lastmod out.",
	Severity: rule.SeverityWarning,
	Source:   bingText,
	Since:    "0.1",
	Bad: indexSite(`{{repeat 3 "<sitemap><loc>https://example.com/{{n}}.xml</loc><lastmod>{{now}}</lastmod></sitemap>"}}`,
		"/1.xml", goodSitemap, "/2.xml", goodSitemap, "/3.xml", goodSitemap),
	Good: changed("2024-03-01", "2024-01-08"),
}

var indexLastModMissing = &rule.Rule{
	ID:       "index-lastmod-missing",
	Title:    "an index without dates",
	Why:      "With the date of each sitemap an engine fetches only those that have changed.",
	Cure:     "Add lastmod to every sitemap of the index: the newest lastmod of its pages.",
	Severity: rule.SeverityInfo,
	Source:   protocolText + "#sitemapIndex_lastmod",
	Since:    "0.1",
	Bad:      goodIndex,
	Good:     changed("2024-03-01", "2024-01-08"),
}

var tooManyIndexes = &rule.Rule{
	ID:       "too-many-indexes",
	Title:    "more than 500 indexes",
	Why:      "Search Console takes up to 500 index files of a site.",
	Cure:     "Fill the indexes better: each may list 50,000 sitemaps.",
	Severity: rule.SeverityInfo,
	Engines:  rule.EngineGoogle,
	Source:   googleIndex, SearchConsole: "Too many sitemaps",
	Since: "0.1",
	Bad: "-- /robots.txt --\n" + `{{repeat 501 "Sitemap: https://example.com/{{n}}.xml\n"}}` +
		`{{repeat 501 "-- /{{n}}.xml --\n<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'/>\n"}}`,
	Good: goodIndex,
}

var manySitemaps = &rule.Rule{
	ID:       "over-1000-sitemaps",
	Title:    "more than 1,000 sitemaps",
	Why:      "The Search Console report shows 1,000 sitemaps; what is wrong with the others is not seen there.",
	Cure:     "Fill the sitemaps better: each may list 50,000 pages.",
	Severity: rule.SeverityInfo,
	Engines:  rule.EngineGoogle,
	Source:   googleReport,
	Since:    "0.1",
	Bad: "-- /robots.txt --\n" + `{{repeat 1001 "Sitemap: https://example.com/{{n}}.xml\n"}}` +
		`{{repeat 1001 "-- /{{n}}.xml --\n<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'/>\n"}}`,
	Good: goodIndex,
}

var setEmpty = &rule.Rule{
	ID:       "set-empty",
	Title:    "no page in any of the sitemaps",
	Why:      "Engines that learn of the site from its sitemaps see nothing; a program that runs before the pages are there is the usual cause.",
	Cure:     "Look why nothing is listed.",
	Severity: rule.SeverityWarning,
	Source:   protocolText + "#index", SearchConsole: "Empty sitemap",
	Since: "0.1",
	Bad:   indexSite(child("https://example.com/a.xml"), "/a.xml", urlset("")),
	Good:  goodIndex,
}

package lint

// childRules are about an index and the sitemaps that it lists.
var childRules = []*Rule{
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

var nestedIndex = &Rule{
	ID:       "nested-index",
	Title:    "sitemap index lists another sitemap index",
	Why:      "The protocol allows one level. Google reports the inner index as an error and reads none of its sitemaps.",
	Fix:      "List the sitemaps of the inner index in the outer one, or submit both.",
	Severity: SeverityWarning, Overlay: Overlay{Error: EngineGoogle},
	Source:        protocolText + "#index",
	SearchConsole: "Incorrect sitemap index format: Nested sitemap indexes",
	Since:         "0.1",
	Bad: indexSite(child("https://example.com/inner.xml"), "/inner.xml", indexOf(child("https://example.com/a.xml")),
		"/a.xml", goodSitemap),
	Good: goodIndex,
}

var indexCycle = &Rule{
	ID:            "index-cycle",
	Title:         "sitemap indexes list each other",
	Why:           "A reader that follows them never reaches an end.",
	Fix:           "List only sitemaps with pages in a sitemap index.",
	Severity:      SeverityError,
	Source:        protocolText + "#index",
	SearchConsole: "Incorrect sitemap index format: Nested sitemap indexes",
	Since:         "0.1",
	Bad: indexSite(child("https://example.com/inner.xml"), "/inner.xml",
		indexOf(child("https://example.com/sitemap.xml"))),
	Good: goodIndex,
}

var selfReference = &Rule{
	ID:            "self-reference",
	Title:         "sitemap index lists itself",
	Why:           "The entry adds nothing. The usual cause is a generator that lists every .xml file it finds.",
	Fix:           "Remove the index's own URL.",
	Severity:      SeverityWarning,
	Source:        protocolText + "#index",
	SearchConsole: "Incorrect sitemap index format: Nested sitemap indexes",
	Since:         "0.1",
	Bad: indexSite(child("https://example.com/sitemap.xml")+child("https://example.com/a.xml"), "/a.xml",
		goodSitemap),
	Good: goodIndex,
}

var childOtherSite = &Rule{
	ID:            "child-other-site",
	Title:         "sitemap index lists a sitemap on another site",
	Why:           "The sitemaps of an index must be on the index's own host. Search engines ignore the others unless their host is verified.",
	Fix:           "Give every host its own sitemap index, and name it in that host's robots.txt.",
	Severity:      SeverityError,
	Source:        protocolText + "#index",
	SearchConsole: "URL not allowed", Yandex: "Incorrect URL (doesn't match the Sitemap file location)",
	Since: "0.1",
	Bad:   indexSite(child("https://example.org/a.xml") + child("https://example.com/b.xml")),
	Good:  goodIndex,
}

var childAboveDirectory = &Rule{
	ID:            "child-above-directory",
	Title:         "sitemap index lists a sitemap outside its own folder",
	Why:           "Google wants the sitemaps of an index in the same folder or below.",
	Fix:           "Move the sitemap index to the root of the site.",
	Severity:      SeverityWarning,
	Engines:       EngineGoogle,
	Source:        googleIndex,
	SearchConsole: "URL not allowed",
	Since:         "0.1",
	Bad: "-- /maps/sitemap.xml --\n" + indexOf(child("https://example.com/a.xml")) +
		"-- /a.xml --\n" + goodSitemap,
	Good: goodIndex,
}

var childDuplicate = &Rule{
	ID:       "child-duplicate",
	Title:    "sitemap index lists a sitemap twice",
	Why:      "The second entry adds nothing. If the dates differ, search engines cannot know which one counts.",
	Fix:      "List every sitemap once.",
	Severity: SeverityWarning,
	Source:   protocolText + "#index",
	Since:    "0.1",
	Bad:      indexSite(child("https://example.com/a.xml")+child("https://example.com/a.xml"), "/a.xml", goodSitemap),
	Good:     goodIndex,
}

var childRedirects = &Rule{
	ID:       "child-redirects-to-parent",
	Title:    "listed sitemap redirects to the sitemap index",
	Why:      "The pages of that sitemap are lost: its URL leads back to the index that lists it.",
	Fix:      "Find out why the sitemap is missing. Content management systems redirect URLs that they do not know.",
	Severity: SeverityWarning,
	Source:   protocolText + "#index",
	Since:    "0.1",
	Bad: indexSite(child("https://example.com/a.xml"), "/a.xml",
		"HTTP 302\nLocation: https://example.com/sitemap.xml\n\n"),
	Good: goodIndex,
}

var childUnreachable = &Rule{
	ID:            "child-unreachable",
	Title:         "listed sitemap cannot be fetched",
	Why:           "Search engines do not learn of the pages in it.",
	Fix:           "Restore the file, or remove it from the sitemap index.",
	Severity:      SeverityError,
	Source:        googleReport,
	SearchConsole: "Couldn't fetch", Yandex: "HTTP error",
	Since: "0.1",
	Bad:   indexSite(child("https://example.com/gone.xml")),
	Good:  goodIndex,
}

var childNotSitemap = &Rule{
	ID:            "child-not-sitemap",
	Title:         "sitemap index lists a file that is not a sitemap",
	Why:           "A sitemap index lists sitemaps only. Pages belong in a urlset, and error pages do not belong in any file.",
	Fix:           "List pages in a sitemap of their own, and remove missing files from the sitemap index.",
	Severity:      SeverityError,
	Source:        protocolText + "#index",
	SearchConsole: "Unsupported format", Yandex: "Incorrect HTTP response",
	Since: "0.1",
	Bad: indexSite(child("https://example.com/about"), "/about",
		"<!DOCTYPE html>\n<html><head><title>About us</title></head></html>\n"),
	Good: goodIndex,
}

// changed is an example of an index that lists one sitemap with a date, and of the
// sitemap with another date.
func changed(index, last string) string {
	return indexSite("<sitemap><loc>https://example.com/a.xml</loc><lastmod>"+index+"</lastmod></sitemap>",
		"/a.xml", urlset(page("https://example.com/", "<lastmod>"+last+"</lastmod>")))
}

var indexLastModOlder = &Rule{
	ID:       "index-lastmod-older-than-child",
	Title:    "sitemap has newer pages than its lastmod in the index says",
	Why:      "Search engines that rely on the index do not fetch the sitemap, and miss the change.",
	Fix:      "Set lastmod in the index to the newest lastmod in the sitemap, or leave it out.",
	Severity: SeverityWarning,
	Source:   protocolText + "#sitemapIndex_lastmod",
	Since:    "0.1",
	Bad:      changed("2024-01-08", "2024-03-01"),
	Good:     changed("2024-03-01", "2024-01-08"),
}

var indexLastModAllNow = &Rule{
	ID:       "index-lastmod-all-now",
	Title:    "sitemap index says that every sitemap changed just now",
	Why:      "The dates are those of the request. Search engines that notice fetch all sitemaps every time, or learn to ignore the dates.",
	Fix:      "Write the newest lastmod of each sitemap, or leave lastmod out.",
	Severity: SeverityWarning,
	Source:   bingText,
	Since:    "0.1",
	Bad: indexSite(`{{repeat 3 "<sitemap><loc>https://example.com/{{n}}.xml</loc><lastmod>{{now}}</lastmod></sitemap>"}}`,
		"/1.xml", goodSitemap, "/2.xml", goodSitemap, "/3.xml", goodSitemap),
	Good: changed("2024-03-01", "2024-01-08"),
}

var indexLastModMissing = &Rule{
	ID:       "index-lastmod-missing",
	Title:    "sitemap index has no lastmod",
	Why:      "With a date for each sitemap, search engines fetch only the sitemaps that changed.",
	Fix:      "Add lastmod to every sitemap in the index: the newest lastmod of its pages.",
	Severity: SeverityInfo,
	Source:   protocolText + "#sitemapIndex_lastmod",
	Since:    "0.1",
	Bad:      goodIndex,
	Good:     changed("2024-03-01", "2024-01-08"),
}

var tooManyIndexes = &Rule{
	ID:       "too-many-indexes",
	Title:    "more than 500 sitemap indexes",
	Why:      "Search Console accepts up to 500 sitemap index files for a site.",
	Fix:      "List more sitemaps in each index, up to 50,000.",
	Severity: SeverityInfo,
	Engines:  EngineGoogle,
	Source:   googleIndex, SearchConsole: "Too many sitemaps",
	Since: "0.1",
	Bad: "-- /robots.txt --\n" + `{{repeat 501 "Sitemap: https://example.com/{{n}}.xml\n"}}` +
		`{{repeat 501 "-- /{{n}}.xml --\n<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'/>\n"}}`,
	Good: goodIndex,
}

var manySitemaps = &Rule{
	ID:       "over-1000-sitemaps",
	Title:    "more than 1,000 sitemaps",
	Why:      "The Search Console report shows 1,000 sitemaps. It does not show the errors of the others.",
	Fix:      "List more pages in each sitemap, up to 50,000.",
	Severity: SeverityInfo,
	Engines:  EngineGoogle,
	Source:   googleReport,
	Since:    "0.1",
	Bad: "-- /robots.txt --\n" + `{{repeat 1001 "Sitemap: https://example.com/{{n}}.xml\n"}}` +
		`{{repeat 1001 "-- /{{n}}.xml --\n<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'/>\n"}}`,
	Good: goodIndex,
}

var setEmpty = &Rule{
	ID:       "set-empty",
	Title:    "no pages in any sitemap",
	Why:      "Search engines that rely on the sitemaps find no pages. The usual cause is a generator that runs before the pages exist.",
	Fix:      "Find out why the generator lists no pages.",
	Severity: SeverityWarning,
	Source:   protocolText + "#index", SearchConsole: "Empty sitemap",
	Since: "0.1",
	Bad:   indexSite(child("https://example.com/a.xml"), "/a.xml", urlset("")),
	Good:  goodIndex,
}

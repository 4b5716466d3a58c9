package lint

import (
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// indexRules are about an index by itself.
var indexRules = []*Rule{indexTooMany, indexTooLarge, indexEmpty, extensionInIndex}

var goodIndex = "-- /sitemap.xml --\n" + indexOf(child("https://example.com/a.xml")) + "-- /a.xml --\n" + goodSitemap

// child is an entry of an example of an index.
func child(loc string) string { return "<sitemap><loc>" + loc + "</loc></sitemap>" }

var depthCap = &Rule{
	ID:       "depth-cap",
	Title:    "sitemap indexes are nested too deep",
	Why:      "The protocol allows one level: an index of sitemaps. Mapa follows four levels, and hardly any search engine follows more than one.",
	Fix:      "List every sitemap in one index, or submit several indexes.",
	Severity: SeverityError,
	Source:   protocolText + "#index", SearchConsole: "Incorrect sitemap index format: Nested sitemap indexes",
	Since: "0.1",
	Bad: "-- /sitemap.xml --\n" + indexOf(child("https://example.com/1.xml")) + "-- /1.xml --\n" +
		indexOf(child("https://example.com/2.xml")) +
		"-- /2.xml --\n" + indexOf(child("https://example.com/3.xml")) + "-- /3.xml --\n" +
		indexOf(child("https://example.com/4.xml")) +
		"-- /4.xml --\n" + indexOf(child("https://example.com/5.xml")) + "-- /5.xml --\n" + goodSitemap,
	Good: goodIndex,
}

var tooManySitemaps = &Rule{
	ID:       "too-many-sitemaps",
	Title:    "more than 50,000 sitemaps in total",
	Why:      "One sitemap index may list at most 50,000 sitemaps, and Mapa stops there.",
	Fix:      "Check the sitemap indexes one by one.",
	Severity: SeverityError,
	Source:   protocolText + "#index",
	Since:    "0.1",
	Bad: "-- /sitemap.xml --\n" +
		indexOf(`{{repeat 50002 "<sitemap><loc>https://example.com/{{n}}</loc></sitemap>"}}`),
	Good: goodIndex,
}

var indexTooMany = &Rule{
	ID:            "index-too-many",
	Title:         "more than 50,000 sitemaps in one index",
	Why:           "A sitemap index may list at most 50,000 sitemaps. Search engines reject the file or ignore the rest.",
	Fix:           "List more pages in each sitemap, up to 50,000, or submit several indexes.",
	Severity:      SeverityError,
	Source:        protocolText + "#index",
	SearchConsole: "Too many sitemaps", Yandex: "Data limit exceeded",
	Since: "0.1",
	Bad:   indexOf(`{{repeat 50001 "<sitemap><loc>https://example.com/a.xml</loc></sitemap>"}}`),
	Good:  goodIndex,
}

var indexTooLarge = &Rule{
	ID:            "index-too-large",
	Title:         "sitemap index is larger than 52,428,800 bytes",
	Why:           "The limit of 50 MB before compression also applies to a sitemap index. Search engines reject the file.",
	Fix:           "Split the index and submit its parts.",
	Severity:      SeverityError,
	Source:        protocolText + "#index",
	SearchConsole: "Sitemap file size error", Yandex: "Maximum file size exceeded",
	Since: "0.1",
	Bad:   indexOf(child("https://example.com/a.xml") + `{{repeat 52429 "<!--` + blanks + `-->"}}`),
	Good:  goodIndex,
}

var indexEmpty = &Rule{
	ID:       "index-empty",
	Title:    "sitemap index is empty",
	Why:      "The schema requires at least one sitemap. Search engines find no pages.",
	Fix:      "Find out why the generator lists no sitemaps, or remove the index.",
	Severity: SeverityError, Overlay: Overlay{Warning: search},
	Source:        indexSchema,
	SearchConsole: "Empty sitemap",
	Since:         "0.1",
	Bad:           indexOf(""),
	Good:          goodIndex,
}

var extensionInIndex = &Rule{
	ID:       "extension-in-index",
	Title:    "sitemap index entry has more than loc and lastmod",
	Why:      "The schema allows only loc and lastmod in a sitemap index. Search engines do not read images or languages there.",
	Fix:      "Move extensions to the url elements of the sitemaps.",
	Severity: SeverityError, Overlay: Overlay{Warning: search},
	Source:        indexSchema,
	SearchConsole: "Invalid XML: too many tags", Yandex: "Unknown tag",
	Since: "0.1",
	Bad: "-- /sitemap.xml --\n" + `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">` +
		`<sitemap><loc>https://example.com/a.xml</loc><xhtml:link rel="alternate" hreflang="de" href="https://example.com/de.xml"/></sitemap></sitemapindex>` +
		"\n-- /a.xml --\n" + goodSitemap,
	Good:  goodIndex,
	needs: scan.IsSitemap,
	checkEntry: func(e *entryCheck) {
		if e.HasExtensions() {
			e.report("", 0, "", "an index entry may have only loc and lastmod")
		}
	},
}

// inIndex are the rules that a fault of the reader breaks in an index.
var inIndex = map[sitemap.FaultKind]*Rule{
	sitemap.FaultTooManyEntries: indexTooMany,
	sitemap.FaultTooLarge:       indexTooLarge,
	sitemap.FaultEmptySet:       indexEmpty,
}

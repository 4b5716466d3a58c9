package rules

import (
	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// indexRules are about an index by itself.
var indexRules = []*rule.Rule{indexTooMany, indexTooLarge, indexEmpty, extensionInIndex}

var goodIndex = "-- /sitemap.xml --\n" + indexOf(child("https://example.com/a.xml")) + "-- /a.xml --\n" + goodSitemap

// child is the entry of an example of an index.
func child(loc string) string { return "<sitemap><loc>" + loc + "</loc></sitemap>" }

var depthCap = &rule.Rule{
	ID:       "depth-cap",
	Title:    "indexes inside each other, too deep to follow",
	Why:      "The protocol knows one level: an index of sitemaps. What lies deeper than four is not followed here, and what lies deeper than one by hardly any engine.",
	Cure:     "List every sitemap in one index, or submit several indexes.",
	Severity: rule.SeverityError,
	Source:   protocolText + "#index", SearchConsole: "Incorrect sitemap index format: Nested sitemap indexes",
	Since: "0.1",
	Bad: "-- /sitemap.xml --\n" + indexOf(child("https://example.com/1.xml")) + "-- /1.xml --\n" + indexOf(child("https://example.com/2.xml")) +
		"-- /2.xml --\n" + indexOf(child("https://example.com/3.xml")) + "-- /3.xml --\n" + indexOf(child("https://example.com/4.xml")) +
		"-- /4.xml --\n" + indexOf(child("https://example.com/5.xml")) + "-- /5.xml --\n" + goodSitemap,
	Good: goodIndex,
}

var tooManySitemaps = &rule.Rule{
	ID:       "too-many-sitemaps",
	Title:    "more than 50,000 sitemaps in all",
	Why:      "50,000 is the most that one index may list, and where this program stops.",
	Cure:     "Check the indexes one by one.",
	Severity: rule.SeverityError,
	Source:   protocolText + "#index",
	Since:    "0.1",
	Bad:      "-- /sitemap.xml --\n" + indexOf(`{{repeat 50002 "<sitemap><loc>https://example.com/{{n}}</loc></sitemap>"}}`),
	Good:     goodIndex,
}

var indexTooMany = &rule.Rule{
	ID:            "index-too-many",
	Title:         "more than 50,000 sitemaps in one index",
	Why:           "50,000 is the most that an index may list; engines refuse the file or drop the rest.",
	Cure:          "Fill the sitemaps better, up to 50,000 pages each, or submit several indexes.",
	Severity:      rule.SeverityError,
	Source:        protocolText + "#index",
	SearchConsole: "Too many sitemaps", Yandex: "Data limit exceeded",
	Since: "0.1",
	Bad:   indexOf(`{{repeat 50001 "<sitemap><loc>https://example.com/a.xml</loc></sitemap>"}}`),
	Good:  goodIndex,
}

var indexTooLarge = &rule.Rule{
	ID:            "index-too-large",
	Title:         "an index of more than 52,428,800 bytes",
	Why:           "The limit of 50 MB before compression holds for an index as well; engines refuse the file.",
	Cure:          "Split the index and submit its parts.",
	Severity:      rule.SeverityError,
	Source:        protocolText + "#index",
	SearchConsole: "Sitemap file size error", Yandex: "Maximum file size exceeded",
	Since: "0.1",
	Bad:   indexOf(child("https://example.com/a.xml") + `{{repeat 52429 "<!--` + blanks + `-->"}}`),
	Good:  goodIndex,
}

var indexEmpty = &rule.Rule{
	ID:       "index-empty",
	Title:    "an index without a sitemap",
	Why:      "The schema wants one sitemap at least; engines learn of no page.",
	Cure:     "Look why nothing is listed, or remove the index.",
	Severity: rule.SeverityError, Overlay: map[rule.Engines]rule.Severity{search: rule.SeverityWarning},
	Source:        indexSchema,
	SearchConsole: "Empty sitemap",
	Since:         "0.1",
	Bad:           indexOf(""),
	Good:          goodIndex,
}

var extensionInIndex = &rule.Rule{
	ID:       "extension-in-index",
	Title:    "an index entry with more than an address and a date",
	Why:      "The schema allows loc and lastmod in an index and nothing else; what is said of images or languages there is read by nobody.",
	Cure:     "Move extensions to the url elements of the sitemaps.",
	Severity: rule.SeverityError, Overlay: map[rule.Engines]rule.Severity{search: rule.SeverityWarning},
	Source:        indexSchema,
	SearchConsole: "Invalid XML: too many tags", Yandex: "Unknown tag",
	Since: "0.1",
	Bad: "-- /sitemap.xml --\n" + `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">` +
		`<sitemap><loc>https://example.com/a.xml</loc><xhtml:link rel="alternate" hreflang="de" href="https://example.com/de.xml"/></sitemap></sitemapindex>` +
		"\n-- /a.xml --\n" + goodSitemap,
	Good:  goodIndex,
	Needs: scan.IsSitemap,
	CheckEntry: func(e *rule.Entry) {
		if e.HasExtensions() {
			e.Report("", 0, "", "an index entry has a loc and a lastmod, and nothing else")
		}
	},
}

// inIndex are the rules that a fault of the reader breaks in an index.
var inIndex = map[sitemap.FaultKind]*rule.Rule{
	sitemap.FaultTooManyEntries: indexTooMany,
	sitemap.FaultTooLarge:       indexTooLarge,
	sitemap.FaultEmptySet:       indexEmpty,
}

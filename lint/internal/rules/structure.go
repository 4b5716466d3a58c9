package rules

import (
	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/sitemap"
)

// structureRules are about the elements of the protocol and where they stand.
var structureRules = []*rule.Rule{
	unknownElement, duplicateChild, missingLoc, emptyTag, nestedTag, strayText, nestedRoot, mixedEntries, emptySet,
	tooManyEntries, tooLarge,
}

var unknownElement = &rule.Rule{
	ID:       string(sitemap.FaultUnknownElement),
	Title:    "an element that the protocol does not have",
	Why:      "The schema refuses it and engines pass over it, with whatever it was meant to say.",
	Cure:     "Look for a slip in the name, which is lower case (<lastmod>, not <lastMod>), or for a lost prefix, as in <image:loc>.",
	Severity: rule.SeverityError, Overlay: map[rule.Engines]rule.Severity{search: rule.SeverityWarning},
	Source:        urlsetSchema,
	SearchConsole: "Invalid XML: too many tags", Yandex: "Unknown tag",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/", "<lastMod>2024-01-08</lastMod>")),
	Good:  urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod>")),
}

var duplicateChild = &rule.Rule{
	ID:            string(sitemap.FaultDuplicateChild),
	Title:         "an element that may stand once stands twice",
	Why:           "Which of the two counts is anybody's guess; Yandex and the schema refuse the entry.",
	Cure:          "Leave one. Two pages need two <url> elements.",
	Severity:      rule.SeverityError,
	Source:        urlsetSchema,
	SearchConsole: "Invalid XML: too many tags", Yandex: "Tag found more than once",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod><lastmod>2024-01-09</lastmod>")),
	Good:  urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod>")),
}

var missingLoc = &rule.Rule{
	ID:            string(sitemap.FaultMissingLoc),
	Title:         "an entry without an address",
	Why:           "Without <loc> an entry says nothing, and is left out.",
	Cure:          "Give the entry its <loc>, or leave it out.",
	Severity:      rule.SeverityError,
	Source:        protocolText + "#locdef",
	SearchConsole: "Missing XML tag", Yandex: "Tag not found",
	Since: "0.1",
	Bad:   urlset(goodURL + "<url><lastmod>2024-01-08</lastmod></url>"),
	Good:  urlset(goodURL + page("https://example.com/a", "<lastmod>2024-01-08</lastmod>")),
}

var emptyTag = &rule.Rule{
	ID:            string(sitemap.FaultEmptyTag),
	Title:         "an element without a value",
	Why:           "An empty value is no valid one: the schema and Yandex refuse the entry.",
	Cure:          "Leave the element out when there is nothing to say.",
	Severity:      rule.SeverityError,
	Source:        urlsetSchema,
	SearchConsole: "Invalid tag value", Yandex: "Tag cannot be empty",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/", "<lastmod></lastmod>")),
	Good:  goodSitemap,
}

var nestedTag = &rule.Rule{
	ID:            string(sitemap.FaultNestedTag),
	Title:         "an element inside a value",
	Why:           "loc, lastmod, changefreq and priority hold text only; what stands in an element inside them is lost.",
	Cure:          "Write the bare value, and escape < as &lt;.",
	Severity:      rule.SeverityError,
	Source:        urlsetSchema,
	SearchConsole: "Invalid tag value", Yandex: "Tag cannot contain other tags",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/<b>a</b>", "")),
	Good:  urlset(page("https://example.com/a", "")),
}

var strayText = &rule.Rule{
	ID:       string(sitemap.FaultStrayText),
	Title:    "text between the elements",
	Why:      "It belongs to no element, so nobody reads it, and the schema refuses it. It may be a value whose tag is lost.",
	Cure:     "Remove it, or put it into the element that it belongs to.",
	Severity: rule.SeverityError, Overlay: map[rule.Engines]rule.Severity{search: rule.SeverityWarning},
	Source:        urlsetSchema,
	SearchConsole: "Parsing error",
	Since:         "0.1",
	Bad:           urlset(page("https://example.com/", "2024-01-08")),
	Good:          urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod>")),
}

var nestedRoot = &rule.Rule{
	ID:            string(sitemap.FaultNestedRoot),
	Title:         "a root element inside the root element",
	Why:           "Two files were put together as they were. Strict readers find no entries in the inner one.",
	Cure:          "Copy only the <url> elements when joining files, or list the files in an index.",
	Severity:      rule.SeverityError,
	Source:        urlsetSchema,
	SearchConsole: "Invalid XML: too many tags", Yandex: "Unknown tag",
	Since: "0.1",
	Bad:   urlset(goodHead + goodURL + "</urlset>"),
	Good:  goodSitemap,
}

var mixedEntries = &rule.Rule{
	ID:            string(sitemap.FaultMixedEntries),
	Title:         "pages and sitemaps in one file",
	Why:           "A urlset lists pages in <url>, an index lists files in <sitemap>. What does not belong is left out.",
	Cure:          "Put the pages into a sitemap of their own and list that in the index.",
	Severity:      rule.SeverityError,
	Source:        protocolText + "#index",
	SearchConsole: "Invalid XML: too many tags", Yandex: "Unknown tag",
	Since: "0.1",
	Bad:   urlset(goodURL + "<sitemap><loc>https://example.com/a.xml</loc></sitemap>"),
	Good:  goodSitemap,
}

var emptySet = &rule.Rule{
	ID:       string(sitemap.FaultEmptySet),
	Title:    "a sitemap without a page",
	Why:      "The schema wants one url at least, and Google warns of an empty file. For a news sitemap it is normal between two articles.",
	Cure:     "Leave the file out of the index while it is empty, or look why nothing is listed.",
	Severity: rule.SeverityError, Overlay: map[rule.Engines]rule.Severity{search: rule.SeverityWarning},
	Source:        urlsetSchema,
	SearchConsole: "Empty sitemap",
	Since:         "0.1",
	Bad:           urlset(""),
	Good:          goodSitemap,
}

var tooManyEntries = &rule.Rule{
	ID:            string(sitemap.FaultTooManyEntries),
	Title:         "more than 50,000 pages in one file",
	Why:           "50,000 is the most that a sitemap may list; engines refuse the file or drop the rest.",
	Cure:          "Split the file and list its parts in an index.",
	Severity:      rule.SeverityError,
	Source:        protocolText + "#index",
	SearchConsole: "Too many URLs", Yandex: "Data limit exceeded",
	Since: "0.1",
	Bad:   urlset(`{{repeat 50001 "<url><loc>https://example.com/</loc></url>"}}`),
	Good:  goodSitemap,
}

var tooLarge = &rule.Rule{
	ID:            string(sitemap.FaultTooLarge),
	Title:         "a file of more than 52,428,800 bytes",
	Why:           "50 MB, which are 52,428,800 bytes before compression, are the most that a sitemap may have; engines refuse the file.",
	Cure:          "Split the file and list its parts in an index. Compressing it does not help: the unpacked size counts.",
	Severity:      rule.SeverityError,
	Source:        protocolText + "#index",
	SearchConsole: "Sitemap file size error", Yandex: "Maximum file size exceeded",
	Since: "0.1",
	Bad:   urlset(goodURL + `{{repeat 52429 "<!--` + blanks + `-->"}}`),
	Good:  goodSitemap,
}

// blanks make a comment of a thousand bytes.
var blanks = func() string {
	b := make([]byte, 1000-len("<!---->"))
	for i := range b {
		b[i] = ' '
	}
	return string(b)
}()

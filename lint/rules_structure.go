package lint

import (
	"strings"

	"github.com/mapatools/mapa/sitemap"
)

// structureRules are about the protocol's elements and their places.
var structureRules = []*Rule{
	unclosedEntry, unclosedValue, unknownElement, duplicateChild, missingLoc, emptyTag, nestedTag, strayText, nestedRoot,
	mixedEntries, emptySet, tooManyEntries, tooLarge,
}

var unclosedEntry = &Rule{
	ID:            string(sitemap.FaultUnclosedEntry),
	Title:         "entry is not closed before the next one",
	Why:           "Without its end tag the file is not well-formed, and XML readers reject it. With the end tag in the wrong place, they take the inner entries for unknown elements and skip them.",
	Fix:           "Write </url> at the end of every entry, or </sitemap> in a sitemap index.",
	Severity:      SeverityError,
	Source:        xmlText + "#sec-well-formed",
	SearchConsole: "Parsing error", Yandex: "Unknown tag",
	Since: "0.1",
	Bad:   urlset("<url><loc>https://example.com/</loc>\n" + page("https://example.com/a", "")),
	Good:  urlset(page("https://example.com/", "") + "\n" + page("https://example.com/a", "")),
}

var unclosedValue = &Rule{
	ID:            string(sitemap.FaultUnclosedValue),
	Title:         "value is not closed before its entry",
	Why:           "Without its end tag the file is not well-formed, and XML readers reject it, all of its other entries included.",
	Fix:           "Write the end tag, such as </loc>, after every value.",
	Severity:      SeverityError,
	Source:        xmlText + "#sec-well-formed",
	SearchConsole: "Parsing error",
	Since:         "0.1",
	Bad:           urlset("<url><loc>https://example.com/</url>\n" + page("https://example.com/a", "")),
	Good:          urlset(page("https://example.com/", "") + "\n" + page("https://example.com/a", "")),
}

var unknownElement = &Rule{
	ID:       string(sitemap.FaultUnknownElement),
	Title:    "unknown element",
	Why:      "The schema rejects the element. Search engines ignore it and its content.",
	Fix:      "Check for a typo in the name, which is lower case (<lastmod>, not <lastMod>), or for a missing prefix, as in <image:loc>.",
	Severity: SeverityError, Overlay: Overlay{Warning: search},
	Source:        urlsetSchema,
	SearchConsole: "Invalid XML: too many tags", Yandex: "Unknown tag",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/", "<lastMod>2024-01-08</lastMod>")),
	Good:  urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod>")),
}

var duplicateChild = &Rule{
	ID:            string(sitemap.FaultDuplicateChild),
	Title:         "duplicate element in an entry",
	Why:           "Only one of the two counts, and nobody knows which. Yandex and the schema reject the entry.",
	Fix:           "Keep one. Two pages need two <url> elements.",
	Severity:      SeverityError,
	Source:        urlsetSchema,
	SearchConsole: "Invalid XML: too many tags", Yandex: "Tag found more than once",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod><lastmod>2024-01-09</lastmod>")),
	Good:  urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod>")),
}

var missingLoc = &Rule{
	ID:            string(sitemap.FaultMissingLoc),
	Title:         "entry has no loc",
	Why:           "Search engines skip an entry without <loc>.",
	Fix:           "Add <loc> to the entry, or remove the entry.",
	Severity:      SeverityError,
	Source:        protocolText + "#locdef",
	SearchConsole: "Missing XML tag", Yandex: "Tag not found",
	Since: "0.1",
	Bad:   urlset(goodURL + "<url><lastmod>2024-01-08</lastmod></url>"),
	Good:  urlset(goodURL + page("https://example.com/a", "<lastmod>2024-01-08</lastmod>")),
}

var emptyTag = &Rule{
	ID:            string(sitemap.FaultEmptyTag),
	Title:         "empty element",
	Why:           "An empty value is not valid. The schema and Yandex reject the entry.",
	Fix:           "Leave the element out if it has no value.",
	Severity:      SeverityError,
	Source:        urlsetSchema,
	SearchConsole: "Invalid tag value", Yandex: "Tag cannot be empty",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/", "<lastmod></lastmod>")),
	Good:  goodSitemap,
}

var nestedTag = &Rule{
	ID:            string(sitemap.FaultNestedTag),
	Title:         "element inside a value",
	Why:           "loc, lastmod, changefreq and priority hold only text. The content of an element inside them is lost.",
	Fix:           "Write only the value, and escape < as &lt;.",
	Severity:      SeverityError,
	Source:        urlsetSchema,
	SearchConsole: "Invalid tag value", Yandex: "Tag cannot contain other tags",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/<b>a</b>", "")),
	Good:  urlset(page("https://example.com/a", "")),
}

var strayText = &Rule{
	ID:       string(sitemap.FaultStrayText),
	Title:    "text between elements",
	Why:      "The text belongs to no element, so search engines ignore it and the schema rejects it. It may be a value without its tag.",
	Fix:      "Remove the text, or put it into the right element.",
	Severity: SeverityError, Overlay: Overlay{Warning: search},
	Source:        urlsetSchema,
	SearchConsole: "Parsing error",
	Since:         "0.1",
	Bad:           urlset(page("https://example.com/", "2024-01-08")),
	Good:          urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod>")),
}

var nestedRoot = &Rule{
	ID:            string(sitemap.FaultNestedRoot),
	Title:         "root element inside the root element",
	Why:           "Two files were joined without change. Strict readers find no entries in the inner one.",
	Fix:           "Copy only the <url> elements when you join files, or list the files in a sitemap index.",
	Severity:      SeverityError,
	Source:        urlsetSchema,
	SearchConsole: "Invalid XML: too many tags", Yandex: "Unknown tag",
	Since: "0.1",
	Bad:   urlset(goodHead + goodURL + "</urlset>"),
	Good:  goodSitemap,
}

var mixedEntries = &Rule{
	ID:            string(sitemap.FaultMixedEntries),
	Title:         "pages and sitemaps in one file",
	Why:           "A urlset lists pages in <url>, and a sitemap index lists files in <sitemap>. Search engines skip the entries of the wrong kind.",
	Fix:           "Move the pages to a sitemap of their own, and list that sitemap in the index.",
	Severity:      SeverityError,
	Source:        protocolText + "#index",
	SearchConsole: "Invalid XML: too many tags", Yandex: "Unknown tag",
	Since: "0.1",
	Bad:   urlset(goodURL + "<sitemap><loc>https://example.com/a.xml</loc></sitemap>"),
	Good:  goodSitemap,
}

var emptySet = &Rule{
	ID:       string(sitemap.FaultEmptySet),
	Title:    "sitemap has no pages",
	Why:      "The schema requires at least one url, and Google warns of an empty file. An empty news sitemap is normal between two articles.",
	Fix:      "Remove the file from the index while it is empty, or find out why the generator lists no pages.",
	Severity: SeverityError, Overlay: Overlay{Warning: search},
	Source:        urlsetSchema,
	SearchConsole: "Empty sitemap",
	Since:         "0.1",
	Bad:           urlset(""),
	Good:          goodSitemap,
}

var tooManyEntries = &Rule{
	ID:            string(sitemap.FaultTooManyEntries),
	Title:         "more than 50,000 URLs in one sitemap",
	Why:           "A sitemap may list at most 50,000 URLs. Search engines reject the file or ignore the rest.",
	Fix:           "Split the file and list its parts in a sitemap index.",
	Severity:      SeverityError,
	Source:        protocolText + "#index",
	SearchConsole: "Too many URLs", Yandex: "Data limit exceeded",
	Since: "0.1",
	Bad:   urlset(`{{repeat 50001 "<url><loc>https://example.com/</loc></url>"}}`),
	Good:  goodSitemap,
}

var tooLarge = &Rule{
	ID:            string(sitemap.FaultTooLarge),
	Title:         "sitemap is larger than 52,428,800 bytes",
	Why:           "A sitemap may have at most 50 MB (52,428,800 bytes) before compression. Search engines reject the file.",
	Fix:           "Split the file and list its parts in a sitemap index. Compression does not help: the uncompressed size counts.",
	Severity:      SeverityError,
	Source:        protocolText + "#index",
	SearchConsole: "Sitemap file size error", Yandex: "Maximum file size exceeded",
	Since: "0.1",
	Bad:   urlset(goodURL + `{{repeat 52429 "<!--` + blanks + `-->"}}`),
	Good:  goodSitemap,
}

// blanks is the text of a comment of a thousand bytes.
var blanks = strings.Repeat(" ", 1000-len("<!---->"))

package lint

import (
	"github.com/mapatools/mapa/lint/internal/scan"
)

// retiredRules are about extensions whose services have ended.
var retiredRules = []*Rule{mobilePresent, geoPresent, codeSearchPresent}

const (
	mobileNamespace     = "http://www.google.com/schemas/sitemap-mobile/1.0"
	geoNamespace        = "http://www.google.com/geo/schemas/sitemap/1.0"
	codeSearchNamespace = "http://www.google.com/codesearch/schemas/sitemap/1.0"
)

// isRetired reports whether one of these rules is about a namespace.
func isRetired(namespace string) bool {
	return namespace == geoNamespace || namespace == codeSearchNamespace
}

var mobilePresent = &Rule{
	ID:       "mobile-present",
	Title:    "obsolete mobile:mobile tag",
	Why:      "mobile:mobile marked pages for phones without a full browser. Google no longer documents it, and pages for today's phones do not need it.",
	Fix:      "Remove mobile:mobile and its namespace.",
	Severity: SeverityInfo,
	Engines:  EngineGoogle,
	Source:   "https://developers.google.com/search/docs/crawling-indexing/sitemaps/combine-sitemap-extensions",
	Since:    "0.1",
	Bad:      exampleHead + ` xmlns:mobile="` + mobileNamespace + `"` + examplePage + "    <mobile:mobile/>" + exampleTail,
	Good:     exampleHead + examplePage + exampleTail,
	needs:    scan.HasOther,
	checkEntry: func(e *entryCheck) {
		if e.Parsed().Mobile {
			e.report("mobile:mobile", 0, "", "mobile:mobile has no effect")
		}
	},
}

var geoPresent = &Rule{
	ID:       "geo-present",
	Title:    "obsolete geo:geo tags",
	Why:      "Google ended geographic sitemaps in 2012. The tags have no effect.",
	Fix:      "Remove the geo:geo elements and their namespace.",
	Severity: SeverityInfo,
	Engines:  EngineGoogle, Overlay: onlySchema, // which has no such namespace
	Source: "https://developers.google.com/search/docs/crawling-indexing/sitemaps/combine-sitemap-extensions",
	Since:  "0.1",
	Bad: exampleHead + ` xmlns:geo="` + geoNamespace + `"` + examplePage +
		"    <geo:geo><geo:format>kml</geo:format></geo:geo>" + exampleTail,
	Good:       exampleHead + examplePage + exampleTail,
	needs:      scan.HasOther,
	checkEntry: ofNamespace(geoNamespace),
}

var codeSearchPresent = &Rule{
	ID:       "codesearch-present",
	Title:    "obsolete codesearch:codesearch tags",
	Why:      "Google closed Code Search in 2012. The tags have no effect.",
	Fix:      "Remove the codesearch:codesearch elements and their namespace.",
	Severity: SeverityInfo,
	Engines:  EngineGoogle, Overlay: onlySchema, // which has no such namespace
	Source: "https://developers.google.com/search/docs/crawling-indexing/sitemaps/combine-sitemap-extensions",
	Since:  "0.1",
	Bad: exampleHead + ` xmlns:codesearch="` + codeSearchNamespace + `"` + examplePage +
		"    <codesearch:codesearch><codesearch:filetype>go</codesearch:filetype></codesearch:codesearch>" + exampleTail,
	Good:       exampleHead + examplePage + exampleTail,
	needs:      scan.HasOther,
	checkEntry: ofNamespace(codeSearchNamespace),
}

// ofNamespace returns a check that reports the first element of a namespace.
func ofNamespace(retired string) func(*entryCheck) {
	return func(e *entryCheck) {
		for _, element := range e.Parsed().Other {
			if name, namespace := nameOf(element); namespace == retired {
				name = printable(name)
				e.report(name, 0, "", name+" has no effect")
				return
			}
		}
	}
}

package lint

import (
	"github.com/mapatools/mapa/lint/internal/scan"
)

// retiredExtensionRules are about extensions whose services have ended.
var retiredExtensionRules = []*Rule{
	{ID: "mobile-present", Severity: SeverityInfo, Engines: EngineGoogle,
		Source: "https://developers.google.com/search/docs/crawling-indexing/sitemaps/combine-sitemap-extensions",
		needs:  scan.HasOther,
		checkEntry: func(e *entryCheck) {
			if e.Parsed().Mobile {
				e.report("mobile:mobile", 0, "", newText("finding.tag-no-effect", "mobile:mobile"))
			}
		}},
	// which has no such namespace
	{ID: "geo-present", Severity: SeverityInfo, Engines: EngineGoogle, Overlay: onlySchema,
		Source:     "https://developers.google.com/search/docs/crawling-indexing/sitemaps/combine-sitemap-extensions",
		needs:      scan.HasOther,
		checkEntry: ofNamespace(geoNamespace)},
	// which has no such namespace
	{ID: "codesearch-present", Severity: SeverityInfo, Engines: EngineGoogle, Overlay: onlySchema,
		Source:     "https://developers.google.com/search/docs/crawling-indexing/sitemaps/combine-sitemap-extensions",
		needs:      scan.HasOther,
		checkEntry: ofNamespace(codeSearchNamespace)},
}

const (
	mobileNamespace     = "http://www.google.com/schemas/sitemap-mobile/1.0"
	geoNamespace        = "http://www.google.com/geo/schemas/sitemap/1.0"
	codeSearchNamespace = "http://www.google.com/codesearch/schemas/sitemap/1.0"
)

// isRetired reports whether one of these rules is about a namespace.
func isRetired(namespace string) bool {
	return namespace == geoNamespace || namespace == codeSearchNamespace
}

// ofNamespace returns a check that reports the first element of a namespace.
func ofNamespace(retired string) func(*entryCheck) {
	return func(e *entryCheck) {
		for _, element := range e.Parsed().Other {
			if name, namespace := nameOf(element); namespace == retired {
				name = printable(name)
				e.report(name, 0, "", newText("finding.tag-no-effect", name))
				return
			}
		}
	}
}

package lint

import (
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// indexRules are about an index by itself.
var indexRules = []*Rule{
	indexTooMany, indexTooLarge, indexEmpty,
	{ID: "extension-in-index", Severity: SeverityError, Overlay: Overlay{Warning: search}, Source: indexSchema,
		SearchConsole: "Invalid XML: too many tags", Yandex: "Unknown tag", needs: scan.IsSitemap,
		checkEntry: func(e *entryCheck) {
			if e.HasExtensions() {
				e.report("", 0, "", newText("rule.extension-in-index.found"))
			}
		}},
}

var (
	depthCap = &Rule{ID: "depth-cap", Severity: SeverityError, Source: protocolText + "#index",
		SearchConsole: "Incorrect sitemap index format: Nested sitemap indexes"}
	tooManySitemaps = &Rule{ID: "too-many-sitemaps", Severity: SeverityError, Source: protocolText + "#index"}
	indexTooMany    = &Rule{ID: "index-too-many", Severity: SeverityError, Source: protocolText + "#index",
		SearchConsole: "Too many sitemaps", Yandex: "Data limit exceeded"}
	indexTooLarge = &Rule{ID: "index-too-large", Severity: SeverityError, Source: protocolText + "#index",
		SearchConsole: "Sitemap file size error", Yandex: "Maximum file size exceeded"}
	indexEmpty = &Rule{ID: "index-empty", Severity: SeverityError, Overlay: Overlay{Warning: search},
		Source: indexSchema, SearchConsole: "Empty sitemap"}
)

// inIndex are the rules that a fault of the reader breaks in an index.
var inIndex = map[sitemap.FaultKind]*Rule{
	sitemap.FaultTooManyEntries: indexTooMany,
	sitemap.FaultTooLarge:       indexTooLarge,
	sitemap.FaultEmptySet:       indexEmpty,
}

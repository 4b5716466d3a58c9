package lint

import (
	"github.com/mapatools/mapa/sitemap"
)

// bodyRules are about whether a file is compressed, and whether it is a sitemap.
var bodyRules = []*Rule{
	emptyBody, htmlInstead, rootUnknown,
	{ID: string(sitemap.FaultGzipCorrupt), Severity: SeverityError, Source: protocolText + "#index",
		SearchConsole: "Compression error", Yandex: "Extraction error"},
	{ID: string(sitemap.FaultGzipTruncated), Severity: SeverityError, Source: protocolText + "#index",
		SearchConsole: "Compression error", Yandex: "Extraction error"},
	{ID: string(sitemap.FaultGzipTrailing), Severity: SeverityError,
		Source:        "https://www.rfc-editor.org/rfc/rfc1952#section-2.2",
		SearchConsole: "Compression error", Yandex: "Extraction error"},
	{ID: string(sitemap.FaultGzipTwice), Severity: SeverityWarning, Source: protocolText + "#index",
		SearchConsole: "Compression error", Yandex: "Extraction error"},
	{ID: string(sitemap.FaultCeilingReached), Severity: SeverityError, Source: protocolText + "#index",
		SearchConsole: "Sitemap file size error", Yandex: "Maximum file size exceeded"},
	{ID: "inflate-ratio", Severity: SeverityError, Source: "https://cwe.mitre.org/data/definitions/409.html",
		SearchConsole: "Compression error"},
}

var (
	emptyBody = &Rule{ID: string(sitemap.FaultEmptyBody), Severity: SeverityError,
		Source:        protocolText + "#xmlTagDefinitions",
		SearchConsole: "Empty sitemap", Yandex: "Response contains no data"}
	htmlInstead = &Rule{ID: string(sitemap.FaultHTMLInstead), Severity: SeverityError, Source: googleReport,
		SearchConsole: "Sitemap is HTML", Yandex: "Incorrect HTTP response"}
	rootUnknown = &Rule{ID: string(sitemap.FaultNotASitemap), Severity: SeverityError,
		Source:        protocolText + "#xmlTagDefinitions",
		SearchConsole: "Unsupported format", Yandex: "Unknown tag"}
)

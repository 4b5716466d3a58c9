package lint

import (
	"github.com/mapatools/mapa/sitemap"
)

// encodingRules are about the characters of a file.
var encodingRules = []*Rule{
	{ID: string(sitemap.FaultUnknownCharset), Severity: SeverityError, Source: protocolText + "#escaping",
		SearchConsole: "Parsing error"},
	{ID: string(sitemap.FaultEncodingNotUTF8), Severity: SeverityError, Source: protocolText + "#escaping",
		SearchConsole: "Parsing error"},
	{ID: string(sitemap.FaultEncodingConflict), Severity: SeverityError, Source: xmlText + "#charencoding",
		SearchConsole: "Parsing error"},
	{ID: string(sitemap.FaultInvalidUTF8), Severity: SeverityError, Source: protocolText + "#escaping",
		SearchConsole: "Parsing error"},
	{ID: string(sitemap.FaultControlCharacter), Severity: SeverityError, Source: xmlText + "#charsets",
		SearchConsole: "Parsing error"},
	{ID: string(sitemap.FaultBOMPresent), Severity: SeverityInfo, Source: xmlText + "#charencoding"},
}

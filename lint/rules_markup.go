package lint

import (
	"github.com/mapatools/mapa/sitemap"
)

// markupRules are about XML syntax.
var markupRules = []*Rule{
	{ID: string(sitemap.FaultNotWellFormed), Severity: SeverityError, Source: xmlText + "#sec-well-formed",
		SearchConsole: "Parsing error"},
	{ID: string(sitemap.FaultTruncated), Severity: SeverityError, Source: xmlText + "#sec-well-formed",
		SearchConsole: "Parsing error"},
	{ID: string(sitemap.FaultLeadingWhitespace), Severity: SeverityError, Source: googleReport,
		SearchConsole: "Leading whitespace"},
	{ID: string(sitemap.FaultLeadingContent), Severity: SeverityError, Source: xmlText + "#sec-prolog-dtd",
		SearchConsole: "Parsing error"},
	{ID: string(sitemap.FaultLateDeclaration), Severity: SeverityError, Source: xmlText + "#sec-prolog-dtd",
		SearchConsole: "Parsing error"},
	{ID: string(sitemap.FaultTrailingContent), Severity: SeverityError, Source: xmlText + "#sec-well-formed",
		SearchConsole: "Parsing error"},
	{ID: string(sitemap.FaultDoctypePresent), Severity: SeverityError, Source: protocolText + "#validating",
		SearchConsole: "Parsing error"},
	{ID: string(sitemap.FaultEntityDeclaration), Severity: SeverityError, Source: xmlText + "#sec-entity-decl",
		SearchConsole: "Parsing error"},
	{ID: string(sitemap.FaultUndeclaredEntity), Severity: SeverityError, Source: protocolText + "#escaping",
		SearchConsole: "Parsing error"},
	{ID: string(sitemap.FaultBareAmpersand), Severity: SeverityError, Source: protocolText + "#escaping",
		SearchConsole: "Parsing error"},
	{ID: string(sitemap.FaultDuplicateAttribute), Severity: SeverityError, Source: xmlText + "#uniqattspec",
		SearchConsole: "Parsing error"},
}

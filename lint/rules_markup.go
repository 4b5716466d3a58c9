package lint

import (
	"github.com/mapatools/mapa/sitemap"
)

// markupRules are about XML syntax.
var markupRules = []*Rule{
	notWellFormed, truncated, leadingWhitespace, leadingContent, lateDeclaration, trailingContent, doctypePresent,
	entityDeclaration, undeclaredEntity, bareAmpersand, duplicateAttribute,
}

var notWellFormed = &Rule{
	ID:       string(sitemap.FaultNotWellFormed),
	Severity: SeverityError,
	Source:   xmlText + "#sec-well-formed", SearchConsole: "Parsing error",
	Since: "0.1",
}

var truncated = &Rule{
	ID:       string(sitemap.FaultTruncated),
	Severity: SeverityError,
	Source:   xmlText + "#sec-well-formed", SearchConsole: "Parsing error",
	Since: "0.1",
}

var leadingWhitespace = &Rule{
	ID:       string(sitemap.FaultLeadingWhitespace),
	Severity: SeverityError,
	Source:   googleReport, SearchConsole: "Leading whitespace",
	Since: "0.1",
}

var leadingContent = &Rule{
	ID:       string(sitemap.FaultLeadingContent),
	Severity: SeverityError,
	Source:   xmlText + "#sec-prolog-dtd", SearchConsole: "Parsing error",
	Since: "0.1",
}

var lateDeclaration = &Rule{
	ID:       string(sitemap.FaultLateDeclaration),
	Severity: SeverityError,
	Source:   xmlText + "#sec-prolog-dtd", SearchConsole: "Parsing error",
	Since: "0.1",
}

var trailingContent = &Rule{
	ID:       string(sitemap.FaultTrailingContent),
	Severity: SeverityError,
	Source:   xmlText + "#sec-well-formed", SearchConsole: "Parsing error",
	Since: "0.1",
}

var doctypePresent = &Rule{
	ID:       string(sitemap.FaultDoctypePresent),
	Severity: SeverityError,
	Source:   protocolText + "#validating", SearchConsole: "Parsing error",
	Since: "0.1",
}

var entityDeclaration = &Rule{
	ID:       string(sitemap.FaultEntityDeclaration),
	Severity: SeverityError,
	Source:   xmlText + "#sec-entity-decl", SearchConsole: "Parsing error",
	Since: "0.1",
}

var undeclaredEntity = &Rule{
	ID:       string(sitemap.FaultUndeclaredEntity),
	Severity: SeverityError,
	Source:   protocolText + "#escaping", SearchConsole: "Parsing error",
	Since: "0.1",
}

var bareAmpersand = &Rule{
	ID:       string(sitemap.FaultBareAmpersand),
	Severity: SeverityError,
	Source:   protocolText + "#escaping", SearchConsole: "Parsing error",
	Since: "0.1",
}

var duplicateAttribute = &Rule{
	ID:       string(sitemap.FaultDuplicateAttribute),
	Severity: SeverityError,
	Source:   xmlText + "#uniqattspec", SearchConsole: "Parsing error",
	Since: "0.1",
}

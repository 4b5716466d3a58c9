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
}

var truncated = &Rule{
	ID:       string(sitemap.FaultTruncated),
	Severity: SeverityError,
	Source:   xmlText + "#sec-well-formed", SearchConsole: "Parsing error",
}

var leadingWhitespace = &Rule{
	ID:       string(sitemap.FaultLeadingWhitespace),
	Severity: SeverityError,
	Source:   googleReport, SearchConsole: "Leading whitespace",
}

var leadingContent = &Rule{
	ID:       string(sitemap.FaultLeadingContent),
	Severity: SeverityError,
	Source:   xmlText + "#sec-prolog-dtd", SearchConsole: "Parsing error",
}

var lateDeclaration = &Rule{
	ID:       string(sitemap.FaultLateDeclaration),
	Severity: SeverityError,
	Source:   xmlText + "#sec-prolog-dtd", SearchConsole: "Parsing error",
}

var trailingContent = &Rule{
	ID:       string(sitemap.FaultTrailingContent),
	Severity: SeverityError,
	Source:   xmlText + "#sec-well-formed", SearchConsole: "Parsing error",
}

var doctypePresent = &Rule{
	ID:       string(sitemap.FaultDoctypePresent),
	Severity: SeverityError,
	Source:   protocolText + "#validating", SearchConsole: "Parsing error",
}

var entityDeclaration = &Rule{
	ID:       string(sitemap.FaultEntityDeclaration),
	Severity: SeverityError,
	Source:   xmlText + "#sec-entity-decl", SearchConsole: "Parsing error",
}

var undeclaredEntity = &Rule{
	ID:       string(sitemap.FaultUndeclaredEntity),
	Severity: SeverityError,
	Source:   protocolText + "#escaping", SearchConsole: "Parsing error",
}

var bareAmpersand = &Rule{
	ID:       string(sitemap.FaultBareAmpersand),
	Severity: SeverityError,
	Source:   protocolText + "#escaping", SearchConsole: "Parsing error",
}

var duplicateAttribute = &Rule{
	ID:       string(sitemap.FaultDuplicateAttribute),
	Severity: SeverityError,
	Source:   xmlText + "#uniqattspec", SearchConsole: "Parsing error",
}

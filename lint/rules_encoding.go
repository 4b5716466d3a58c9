package lint

import (
	"github.com/mapatools/mapa/sitemap"
)

// encodingRules are about the characters of a file.
var encodingRules = []*Rule{
	encodingUnknown, encodingNotUTF8, encodingConflict, invalidUTF8, controlCharacter, bomPresent,
}

var encodingUnknown = &Rule{
	ID:       string(sitemap.FaultUnknownCharset),
	Severity: SeverityError,
	Source:   protocolText + "#escaping", SearchConsole: "Parsing error",
	Since: "0.1",
}

var encodingNotUTF8 = &Rule{
	ID:       string(sitemap.FaultEncodingNotUTF8),
	Severity: SeverityError,
	Source:   protocolText + "#escaping", SearchConsole: "Parsing error",
	Since: "0.1",
}

var encodingConflict = &Rule{
	ID:       string(sitemap.FaultEncodingConflict),
	Severity: SeverityError,
	Source:   xmlText + "#charencoding", SearchConsole: "Parsing error",
	Since: "0.1",
}

var invalidUTF8 = &Rule{
	ID:       string(sitemap.FaultInvalidUTF8),
	Severity: SeverityError,
	Source:   protocolText + "#escaping", SearchConsole: "Parsing error",
	Since: "0.1",
}

var controlCharacter = &Rule{
	ID:       string(sitemap.FaultControlCharacter),
	Severity: SeverityError,
	Source:   xmlText + "#charsets", SearchConsole: "Parsing error",
	Since: "0.1",
}

var bomPresent = &Rule{
	ID:       string(sitemap.FaultBOMPresent),
	Severity: SeverityInfo,
	Source:   xmlText + "#charencoding",
	Since:    "0.1",
}

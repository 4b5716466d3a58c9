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
}

var encodingNotUTF8 = &Rule{
	ID:       string(sitemap.FaultEncodingNotUTF8),
	Severity: SeverityError,
	Source:   protocolText + "#escaping", SearchConsole: "Parsing error",
}

var encodingConflict = &Rule{
	ID:       string(sitemap.FaultEncodingConflict),
	Severity: SeverityError,
	Source:   xmlText + "#charencoding", SearchConsole: "Parsing error",
}

var invalidUTF8 = &Rule{
	ID:       string(sitemap.FaultInvalidUTF8),
	Severity: SeverityError,
	Source:   protocolText + "#escaping", SearchConsole: "Parsing error",
}

var controlCharacter = &Rule{
	ID:       string(sitemap.FaultControlCharacter),
	Severity: SeverityError,
	Source:   xmlText + "#charsets", SearchConsole: "Parsing error",
}

var bomPresent = &Rule{
	ID:       string(sitemap.FaultBOMPresent),
	Severity: SeverityInfo,
	Source:   xmlText + "#charencoding",
}

package rules

import (
	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/sitemap"
)

// encodingRules are about the characters of a file.
var encodingRules = []*rule.Rule{
	encodingUnknown, encodingNotUTF8, encodingConflict, invalidUTF8, controlCharacter, bomPresent,
}

var encodingUnknown = &rule.Rule{
	ID:       string(sitemap.FaultUnknownCharset),
	Title:    "the file is in a character encoding that nobody knows",
	Why:      "The protocol wants UTF-8; a charset without a decoder cannot be read at all.",
	Cure:     `Write the file in UTF-8 and declare encoding="UTF-8", or nothing.`,
	Severity: rule.SeverityError,
	Source:   protocolText + "#escaping", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   `<?xml version="1.0" encoding="x-martian"?>` + "\n" + goodHead + goodURL + "</urlset>\n",
	Good:  goodSitemap,
}

var encodingNotUTF8 = &rule.Rule{
	ID:       string(sitemap.FaultEncodingNotUTF8),
	Title:    "the file is not in UTF-8",
	Why:      "The protocol demands UTF-8. Engines that go by it misread every letter outside of ASCII.",
	Cure:     `Convert the file to UTF-8 and declare encoding="UTF-8".`,
	Severity: rule.SeverityError,
	Source:   protocolText + "#escaping", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   `<?xml version="1.0" encoding="ISO-8859-1"?>` + "\n" + goodHead + goodURL + "</urlset>\n",
	Good:  goodSitemap,
}

var encodingConflict = &rule.Rule{
	ID:       string(sitemap.FaultEncodingConflict),
	Title:    "the declared encoding is not the real one",
	Why:      "Readers that believe the declaration read something else than those that look at the bytes, or fail.",
	Cure:     "Declare the encoding that the file is written in: UTF-8.",
	Severity: rule.SeverityError,
	Source:   xmlText + "#charencoding", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   `{{bytes "efbbbf"}}<?xml version="1.0" encoding="ISO-8859-1"?>` + "\n" + goodHead + goodURL + "</urlset>\n",
	Good:  goodSitemap,
}

var invalidUTF8 = &rule.Rule{
	ID:       string(sitemap.FaultInvalidUTF8),
	Title:    "bytes that are not UTF-8",
	Why:      "An XML reader has to refuse the file at such a byte; at best the address is read wrongly.",
	Cure:     "Find the text that is stored in another encoding, such as Windows-1252, and convert it to UTF-8; percent-encode it in addresses.",
	Severity: rule.SeverityError,
	Source:   protocolText + "#escaping", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   urlset(page(`https://example.com/caf{{bytes "e9"}}`, "")),
	Good:  urlset(page("https://example.com/caf%C3%A9", "")),
}

var controlCharacter = &rule.Rule{
	ID:       string(sitemap.FaultControlCharacter),
	Title:    "a character that XML does not allow",
	Why:      "XML has no control characters but tab and line breaks, not even as a reference; a reader has to refuse the file.",
	Cure:     "Remove such characters from titles and addresses before they are written.",
	Severity: rule.SeverityError,
	Source:   xmlText + "#charsets", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   urlset(page(`https://example.com/a{{bytes "01"}}b`, "")),
	Good:  urlset(page("https://example.com/ab", "")),
}

var bomPresent = &rule.Rule{
	ID:       string(sitemap.FaultBOMPresent),
	Title:    "the file begins with a byte order mark",
	Why:      "UTF-8 needs none. XML readers skip it, simple programs stumble over it.",
	Cure:     `Save the file as "UTF-8 without BOM".`,
	Severity: rule.SeverityInfo,
	Source:   xmlText + "#charencoding",
	Since:    "0.1",
	Bad:      `{{bytes "efbbbf"}}` + goodSitemap,
	Good:     goodSitemap,
}

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
	Title:    "unknown character encoding",
	Why:      "The protocol requires UTF-8. A file in an unknown charset cannot be read at all.",
	Fix:      `Write the file in UTF-8, and declare encoding="UTF-8" or nothing.`,
	Severity: SeverityError,
	Source:   protocolText + "#escaping", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   `<?xml version="1.0" encoding="x-martian"?>` + "\n" + goodHead + goodURL + "</urlset>\n",
	Good:  goodSitemap,
}

var encodingNotUTF8 = &Rule{
	ID:       string(sitemap.FaultEncodingNotUTF8),
	Title:    "file is not UTF-8",
	Why:      "The protocol requires UTF-8. Search engines that rely on it misread every non-ASCII letter.",
	Fix:      `Convert the file to UTF-8 and declare encoding="UTF-8".`,
	Severity: SeverityError,
	Source:   protocolText + "#escaping", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   `<?xml version="1.0" encoding="ISO-8859-1"?>` + "\n" + goodHead + goodURL + "</urlset>\n",
	Good:  goodSitemap,
}

var encodingConflict = &Rule{
	ID:       string(sitemap.FaultEncodingConflict),
	Title:    "declared encoding is not the real one",
	Why:      "Readers that trust the declaration see other text than readers that look at the bytes, or fail.",
	Fix:      "Declare the encoding that the file uses: UTF-8.",
	Severity: SeverityError,
	Source:   xmlText + "#charencoding", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   `{{bytes "efbbbf"}}<?xml version="1.0" encoding="ISO-8859-1"?>` + "\n" + goodHead + goodURL + "</urlset>\n",
	Good:  goodSitemap,
}

var invalidUTF8 = &Rule{
	ID:       string(sitemap.FaultInvalidUTF8),
	Title:    "invalid UTF-8",
	Why:      "XML readers must reject the file at such a byte. At best they misread the URL.",
	Fix:      "Find the text stored in another encoding, such as Windows-1252, and convert it to UTF-8. Percent-encode it in URLs.",
	Severity: SeverityError,
	Source:   protocolText + "#escaping", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   urlset(page(`https://example.com/caf{{bytes "e9"}}`, "")),
	Good:  urlset(page("https://example.com/caf%C3%A9", "")),
}

var controlCharacter = &Rule{
	ID:       string(sitemap.FaultControlCharacter),
	Title:    "control character that XML does not allow",
	Why:      "XML allows no control characters except tabs and line breaks, not even as a character reference. XML readers must reject the file.",
	Fix:      "Remove control characters from titles and URLs before you write them.",
	Severity: SeverityError,
	Source:   xmlText + "#charsets", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   urlset(page(`https://example.com/a{{bytes "01"}}b`, "")),
	Good:  urlset(page("https://example.com/ab", "")),
}

var bomPresent = &Rule{
	ID:       string(sitemap.FaultBOMPresent),
	Title:    "file starts with a byte order mark",
	Why:      "UTF-8 does not need one. XML readers skip it, but simple programs can fail on it.",
	Fix:      `Save the file as "UTF-8 without BOM".`,
	Severity: SeverityInfo,
	Source:   xmlText + "#charencoding",
	Since:    "0.1",
	Bad:      `{{bytes "efbbbf"}}` + goodSitemap,
	Good:     goodSitemap,
}

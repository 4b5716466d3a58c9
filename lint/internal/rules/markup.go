package rules

import (
	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/sitemap"
)

// markupRules are about XML as such.
var markupRules = []*rule.Rule{
	notWellFormed, truncated, leadingWhitespace, leadingContent, trailingContent, doctypePresent, entityDeclaration,
	undeclaredEntity, bareAmpersand, duplicateAttribute,
}

var notWellFormed = &rule.Rule{
	ID:       string(sitemap.FaultNotWellFormed),
	Title:    "the XML is not well-formed",
	Why:      "XML readers stop at the first such place: nothing behind it is read, and strict ones drop what stood before.",
	Cure:     "Close every element by its own end tag, put attribute values into quotes, and write < as &lt;.",
	Severity: rule.SeverityError,
	Source:   xmlText + "#sec-well-formed", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   urlset("<url><loc>https://example.com/</loc></urls>"),
	Good:  goodSitemap,
}

var truncated = &rule.Rule{
	ID:       string(sitemap.FaultTruncated),
	Title:    "the file ends before its root element does",
	Why:      "It was cut: by a time limit, a full disk, or a reader who came while it was written. What is missing is not indexed, and strict readers drop the rest too.",
	Cure:     "Write to a temporary file and rename it when it is complete.",
	Severity: rule.SeverityError,
	Source:   xmlText + "#sec-well-formed", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   xmlHead + goodHead + goodURL + "<url><loc>https://example.com/a",
	Good:  goodSitemap,
}

var leadingWhitespace = &rule.Rule{
	ID:       string(sitemap.FaultLeadingWhitespace),
	Title:    "white space before the XML",
	Why:      "An XML declaration has to be the first thing in a file. Google reports the space as an error of its own.",
	Cure:     "Remove blank lines before the declaration; in PHP they stand before <?php or behind ?> of an included file.",
	Severity: rule.SeverityError,
	Source:   googleReport, SearchConsole: "Leading whitespace",
	Since: "0.1",
	Bad:   "\n" + goodSitemap,
	Good:  goodSitemap,
}

var leadingContent = &rule.Rule{
	ID:       string(sitemap.FaultLeadingContent),
	Title:    "something stands before the XML",
	Why:      "A warning of the program that makes the file, or text of another one, is in front of the sitemap; no XML reader accepts it.",
	Cure:     "Read what it says, repair its cause, and keep messages out of the output.",
	Severity: rule.SeverityError,
	Source:   xmlText + "#sec-prolog-dtd", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   "Warning: Undefined variable in sitemap.php\n" + goodSitemap,
	Good:  goodSitemap,
}

var trailingContent = &rule.Rule{
	ID:       string(sitemap.FaultTrailingContent),
	Title:    "something stands behind the root element",
	Why:      "A document has one root element and ends with it. A reader has to refuse the file, or passes over entries that were appended too late.",
	Cure:     "Write entries before </urlset>, and nothing behind it.",
	Severity: rule.SeverityError,
	Source:   xmlText + "#sec-well-formed", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   goodSitemap + goodURL,
	Good:  goodSitemap,
}

var doctypePresent = &rule.Rule{
	ID:       string(sitemap.FaultDoctypePresent),
	Title:    "a document type declaration",
	Why:      "Sitemaps have none. Readers that guard against hostile XML refuse every file with one.",
	Cure:     "Remove <!DOCTYPE ...>.",
	Severity: rule.SeverityError,
	Source:   protocolText + "#validating", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   "<!DOCTYPE urlset>\n" + goodHead + goodURL + "</urlset>\n",
	Good:  goodSitemap,
}

var entityDeclaration = &rule.Rule{
	ID:       string(sitemap.FaultEntityDeclaration),
	Title:    "an entity declaration",
	Why:      "Declared entities can blow up a reader or make it read other files, so they are refused unread.",
	Cure:     "Remove the declaration and write out what the entity stands for.",
	Severity: rule.SeverityError,
	Source:   xmlText + "#sec-entity-decl", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   `<!DOCTYPE urlset [<!ENTITY site "https://example.com/">]>` + "\n" + goodHead + page("&site;", "") + "</urlset>\n",
	Good:  goodSitemap,
}

var undeclaredEntity = &rule.Rule{
	ID:       string(sitemap.FaultUndeclaredEntity),
	Title:    "an entity that XML does not know",
	Why:      "XML knows &amp;, &lt;, &gt;, &quot; and &apos;. At any other name a reader has to refuse the file.",
	Cure:     "Write the character itself in UTF-8, or its number as in &#160;; percent-encode it in addresses.",
	Severity: rule.SeverityError,
	Source:   protocolText + "#escaping", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/caf&eacute;", "")),
	Good:  urlset(page("https://example.com/caf%C3%A9", "")),
}

var bareAmpersand = &rule.Rule{
	ID:       string(sitemap.FaultBareAmpersand),
	Title:    "an ampersand that is not escaped",
	Why:      "In XML & begins a reference; at a bare one a reader has to refuse the file.",
	Cure:     "Write &amp; for every & in an address.",
	Severity: rule.SeverityError,
	Source:   protocolText + "#escaping", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/?a=1&b=2", "")),
	Good:  urlset(page("https://example.com/?a=1&amp;b=2", "")),
}

var duplicateAttribute = &rule.Rule{
	ID:       string(sitemap.FaultDuplicateAttribute),
	Title:    "an attribute stands twice in a tag",
	Why:      "XML allows a name once in a tag; a reader has to refuse the file.",
	Cure:     "Remove the second one: mostly an xmlns that two plugins add.",
	Severity: rule.SeverityError,
	Source:   xmlText + "#uniqattspec", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + goodURL + "</urlset>\n",
	Good:  goodSitemap,
}

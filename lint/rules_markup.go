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
	Title:    "XML is not well-formed",
	Why:      "XML readers stop at the first error and read nothing after it. Strict readers also drop everything before it.",
	Fix:      "Close every element with its own end tag, quote attribute values, and escape < as &lt;.",
	Severity: SeverityError,
	Source:   xmlText + "#sec-well-formed", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   urlset("<url><loc>https://example.com/</loc></urls>"),
	Good:  goodSitemap,
}

var truncated = &Rule{
	ID:       string(sitemap.FaultTruncated),
	Title:    "file ends before the closing root tag",
	Why:      "A time limit or a full disk cut the file, or it was read while it was written. The missing pages are not indexed, and strict readers drop the rest too.",
	Fix:      "Write to a temporary file and rename it when it is complete.",
	Severity: SeverityError,
	Source:   xmlText + "#sec-well-formed", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   xmlHead + goodHead + goodURL + "<url><loc>https://example.com/a",
	Good:  goodSitemap,
}

var leadingWhitespace = &Rule{
	ID:       string(sitemap.FaultLeadingWhitespace),
	Title:    "white space before the XML declaration",
	Why:      "An XML declaration must be the first thing in a file. XML readers reject the file. Google reports the white space as a separate error.",
	Fix:      "Remove blank lines before <?xml, or leave the declaration out. In PHP, look before <?php and after ?> of included files.",
	Severity: SeverityError,
	Source:   googleReport, SearchConsole: "Leading whitespace",
	Since: "0.1",
	Bad:   `{{bytes "200a"}}` + goodSitemap,
	Good:  goodSitemap,
}

var leadingContent = &Rule{
	ID:       string(sitemap.FaultLeadingContent),
	Title:    "text before the XML",
	Why:      "A warning of the sitemap generator, or text from another program, comes before the sitemap. XML readers reject the file.",
	Fix:      "Read the text, fix its cause, and keep messages out of the output.",
	Severity: SeverityError,
	Source:   xmlText + "#sec-prolog-dtd", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   "Warning: Undefined variable in sitemap.php\n" + goodSitemap,
	Good:  goodSitemap,
}

var lateDeclaration = &Rule{
	ID:       string(sitemap.FaultLateDeclaration),
	Title:    "XML declaration is not at the start of the file",
	Why:      "XML allows the declaration only at the very start. XML readers reject the file, or read nothing after it. The usual cause is that files were joined.",
	Fix:      "Keep one <?xml ...?>, at the start of the file. Copy only the <url> elements when you join files.",
	Severity: SeverityError,
	Source:   xmlText + "#sec-prolog-dtd", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   "<!-- Made by the shop -->\n" + goodSitemap,
	Good:  goodSitemap,
}

var trailingContent = &Rule{
	ID:       string(sitemap.FaultTrailingContent),
	Title:    "content after the root element",
	Why:      "A document ends with its root element. Readers must reject the file, or ignore the entries after it.",
	Fix:      "Write entries before </urlset>, and nothing after it.",
	Severity: SeverityError,
	Source:   xmlText + "#sec-well-formed", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   goodSitemap + goodURL,
	Good:  goodSitemap,
}

var doctypePresent = &Rule{
	ID:       string(sitemap.FaultDoctypePresent),
	Title:    "file has a DOCTYPE",
	Why:      "Sitemaps do not have one. Readers that guard against hostile XML reject every file with a DOCTYPE.",
	Fix:      "Remove <!DOCTYPE ...>.",
	Severity: SeverityError,
	Source:   protocolText + "#validating", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   "<!DOCTYPE urlset>\n" + goodHead + goodURL + "</urlset>\n",
	Good:  goodSitemap,
}

var entityDeclaration = &Rule{
	ID:       string(sitemap.FaultEntityDeclaration),
	Title:    "file declares an entity",
	Why:      "Declared entities can exhaust a reader's memory or make it read other files, so they are rejected unread.",
	Fix:      "Remove the declaration, and write the value in place of the entity.",
	Severity: SeverityError,
	Source:   xmlText + "#sec-entity-decl", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad: `<!DOCTYPE urlset [<!ENTITY site "https://example.com/">]>` + "\n" + goodHead + page("&site;", "") +
		"</urlset>\n",
	Good: goodSitemap,
}

var undeclaredEntity = &Rule{
	ID:       string(sitemap.FaultUndeclaredEntity),
	Title:    "unknown entity",
	Why:      "XML knows only &amp;, &lt;, &gt;, &quot; and &apos;. Readers must reject a file with any other name.",
	Fix:      "Write the character itself in UTF-8, or its number, such as &#160;. Percent-encode it in URLs.",
	Severity: SeverityError,
	Source:   protocolText + "#escaping", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/caf&eacute;", "")),
	Good:  urlset(page("https://example.com/caf%C3%A9", "")),
}

var bareAmpersand = &Rule{
	ID:       string(sitemap.FaultBareAmpersand),
	Title:    "unescaped ampersand (&)",
	Why:      "In XML, & starts a reference. Readers must reject a file with an unescaped &.",
	Fix:      "Escape & as &amp; in URLs.",
	Severity: SeverityError,
	Source:   protocolText + "#escaping", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/?a=1&b=2", "")),
	Good:  urlset(page("https://example.com/?a=1&amp;b=2", "")),
}

var duplicateAttribute = &Rule{
	ID:       string(sitemap.FaultDuplicateAttribute),
	Title:    "duplicate attribute",
	Why:      "XML allows an attribute name once in a tag. Readers must reject the file.",
	Fix:      "Remove the second attribute. It is usually an xmlns that two plugins add.",
	Severity: SeverityError,
	Source:   xmlText + "#uniqattspec", SearchConsole: "Parsing error",
	Since: "0.1",
	Bad:   `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + goodURL + "</urlset>\n",
	Good:  goodSitemap,
}

package lint

const hreflangText = "https://developers.google.com/search/docs/specialty/international/localized-versions"

const xhtmlHead = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">`

// version is a link to the page in another language in an example.
func version(language, href string) string {
	return `<xhtml:link rel="alternate" hreflang="` + language + `" href="` + href + `"/>`
}

var goodVersions = xmlHead + xhtmlHead +
	page("https://example.com/en", version("en", "https://example.com/en")+version("de", "https://example.com/de")) +
	page("https://example.com/de", version("en", "https://example.com/en")+version("de", "https://example.com/de")) +
	"</urlset>\n"

var hreflangNotReciprocal = &Rule{
	ID:       "hreflang-not-reciprocal",
	Title:    "hreflang link has no return link",
	Why:      "Anybody could claim a page as the French version of yours, so a link counts only if both pages link to each other. Google ignores the pair.",
	Fix:      "List all versions on every version, including the page itself.",
	Severity: SeverityWarning,
	Engines:  EngineGoogle,
	Source:   hreflangText,
	Since:    "0.1",
	Bad: xmlHead + xhtmlHead +
		page("https://example.com/en", version("en", "https://example.com/en")+version("de", "https://example.com/de")) +
		page("https://example.com/de", version("de", "https://example.com/de")) + "</urlset>\n",
	Good: goodVersions,
}

var hreflangInconsistent = &Rule{
	ID:       "hreflang-inconsistent-language",
	Title:    "two pages give the same version different hreflang values",
	Why:      "The page gives itself one language and the page that links to it gives another. Google cannot tell which users to show it to.",
	Fix:      "Give every version the same hreflang everywhere. The usual mix-up is en and en-US.",
	Severity: SeverityWarning,
	Engines:  EngineGoogle,
	Source:   hreflangText,
	Since:    "0.1",
	Bad: xmlHead + xhtmlHead +
		page("https://example.com/en", version("en", "https://example.com/en")+version("de", "https://example.com/de")) +
		page("https://example.com/de", version("en", "https://example.com/en")+version("de-AT", "https://example.com/de")) +
		"</urlset>\n",
	Good: goodVersions,
}

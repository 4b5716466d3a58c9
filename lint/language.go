package lint

const hreflangText = "https://developers.google.com/search/docs/specialty/international/localized-versions"

// judgeLinks compares the links to a page that is listed with its own.
func (c *comparer) judgeLinks(links []record) {
	page, twice := c.first[links[0].key]
	if !twice || page == noPage {
		return
	}
	back := map[uint32]bool{}
	own := map[uint32]bool{} // the languages that the page gives itself
	self := page.key.short()
	for i := range links {
		switch r := &links[i]; {
		case r.kind() == outRecord:
			back[r.a] = true
		case r.a == self && r.b != anyLanguage:
			own[r.b] = true
		}
	}
	for i := range links {
		r := &links[i]
		switch {
		case r.kind() == outRecord || r.a == self:
		case !back[r.a]:
			c.hit(hreflangNotReciprocal, r, &page)
		case r.b != anyLanguage && len(own) > 0 && !own[r.b]:
			c.hit(hreflangInconsistent, r, &page)
		}
	}
}

const xhtmlHead = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">`

// version is a link of an example to the page in another language.
func version(language, href string) string {
	return `<xhtml:link rel="alternate" hreflang="` + language + `" href="` + href + `"/>`
}

var goodVersions = xmlHead + xhtmlHead +
	page("https://example.com/en", version("en", "https://example.com/en")+version("de", "https://example.com/de")) +
	page("https://example.com/de", version("en", "https://example.com/en")+version("de", "https://example.com/de")) + "</urlset>\n"

var hreflangNotReciprocal = &Rule{
	ID:       "hreflang-not-reciprocal",
	Title:    "hreflang link has no return link",
	Why:      "Anybody could claim a page as the French version of yours, so a link counts only if both pages link to each other. Google ignores the pair.",
	Cure:     "List all versions on every version, including the page itself.",
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
	Cure:     "Give every version the same hreflang everywhere. The usual mix-up is en and en-US.",
	Severity: SeverityWarning,
	Engines:  EngineGoogle,
	Source:   hreflangText,
	Since:    "0.1",
	Bad: xmlHead + xhtmlHead +
		page("https://example.com/en", version("en", "https://example.com/en")+version("de", "https://example.com/de")) +
		page("https://example.com/de", version("en", "https://example.com/en")+version("de-AT", "https://example.com/de")) + "</urlset>\n",
	Good: goodVersions,
}

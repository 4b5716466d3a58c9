package lint

import (
	"strings"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

var repeatedHreflang = &Rule{
	ID:       "hreflang-duplicate",
	Title:    "duplicate hreflang",
	Why:      "A language and country can have only one version. Google does not say which of several links it uses.",
	Fix:      "Keep the right link, or add countries to tell the versions apart.",
	Severity: SeverityWarning,
	Engines:  EngineGoogle,
	Source:   hreflangAll,
	Since:    "0.1",
	Bad:      germanStart + `rel="alternate" hreflang="en"` + germanRest + germanEnd,
	Good:     germanGood,
	needs:    scan.HasAlternates,
	checkEntry: func(e *entryCheck) {
		var seen variants
		for n, a := range e.Parsed().Alternates {
			if a.Hreflang != "" && seen.has(variant{strings.ToLower(a.Hreflang), a.Media}) {
				reportLink(e, n, a.Hreflang, "the page already has a link with the same hreflang")
			}
		}
	},
}

// variant is what only one link of a page may have.
type variant struct{ hreflang, media string }

// variants is a set of variants. Most pages have a few, and searching these costs less
// than a map.
type variants struct {
	few  [16]variant
	n    int
	more map[variant]struct{}
}

// has adds a variant and reports whether the set had it before.
func (s *variants) has(one variant) bool {
	for i := range s.n {
		if s.few[i] == one {
			return true
		}
	}
	if s.n < len(s.few) {
		s.few[s.n] = one
		s.n++
		return false
	}
	if s.more == nil {
		s.more = map[variant]struct{}{}
	}
	before := len(s.more)
	s.more[one] = struct{}{}
	return len(s.more) == before
}

var hreflangRel = &Rule{
	ID:            "hreflang-rel-not-alternate",
	Title:         `hreflang link is not rel="alternate"`,
	Why:           `Google reads language versions only from links with rel="alternate". It ignores all others.`,
	Fix:           `Write rel="alternate".`,
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        hreflangLinks,
	SearchConsole: "Invalid attribute value",
	Since:         "0.1",
	Bad:           germanStart + `rel="canonical" hreflang="de"` + germanRest + germanEnd,
	Good:          germanGood,
	needs:         scan.HasAlternates,
	checkEntry: eachAlternate(func(e *entryCheck, n int, a *sitemap.Alternate) {
		switch {
		case a.Hreflang == "" || isAlternate(a.Rel):
		case a.Rel == "":
			reportLink(e, n, "", "the link has no rel")
		default:
			reportLink(e, n, a.Rel, "the rel of the link is not \"alternate\"")
		}
	}),
}

var hreflangWithoutHref = &Rule{
	ID:            "hreflang-href-missing",
	Title:         "hreflang link has no href",
	Why:           "The link leads nowhere, and search engines do not find the version.",
	Fix:           "Add href with the URL of the version, or remove the link.",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        hreflangLinks,
	SearchConsole: "Missing XML attribute",
	Since:         "0.1",
	Bad:           germanStart + `rel="alternate" hreflang="de"` + germanEnd,
	Good:          germanGood,
	needs:         scan.HasAlternates,
	checkEntry: eachAlternate(func(e *entryCheck, n int, a *sitemap.Alternate) {
		if a.Href == "" {
			reportLink(e, n, a.Hreflang, "the link has no href")
		}
	}),
}

var relativeHreflang = &Rule{
	ID:            "hreflang-href-relative",
	Title:         "hreflang link has a relative URL",
	Why:           "Google requires the scheme and host in the URLs of versions. It ignores //example.com/de and /de.",
	Fix:           "Write the URL with https:// and the host.",
	Severity:      SeverityError,
	Engines:       EngineGoogle,
	Source:        hreflangAll,
	SearchConsole: "Invalid attribute value",
	Since:         "0.1",
	Bad:           germanStart + `rel="alternate" hreflang="de" href="/de/steak"` + germanEnd,
	Good:          germanGood,
	needs:         scan.HasAlternates,
	checkEntry: eachAlternate(func(e *entryCheck, n int, a *sitemap.Alternate) {
		if a.Href == "" || a.Hreflang == "" {
			return
		}
		scheme := scan.Scheme(a.Href)
		if scheme == "" || (scheme == "http" || scheme == "https") && !scan.IsAbsolute(a.Href) {
			reportLink(e, n, a.Href, "the href is not an absolute URL")
		}
	}),
}

var hreflangWithoutSelf = &Rule{
	ID:       "hreflang-self-missing",
	Title:    "hreflang links do not include the page itself",
	Why:      "Each version must list itself and all other versions. Otherwise, Google may ignore the links.",
	Fix:      "Add a link with the page's own language and URL. Spell the URL exactly as in loc.",
	Severity: SeverityWarning,
	Engines:  EngineGoogle,
	Source:   hreflangAll,
	Since:    "0.1",
	Bad: linksHead + `    <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de/steak"/>` +
		exampleTail,
	Good:  germanGood,
	needs: scan.HasAlternates,
	checkEntry: func(e *entryCheck) {
		page := samePage{loc: string(e.Loc)}
		some := false
		for _, a := range e.Parsed().Alternates {
			if a.Hreflang == "" || a.Href == "" {
				continue
			}
			if some = true; page.is(a.Href) {
				return
			}
		}
		if some {
			reportLink(e, 0, "", "no hreflang link points to the page itself")
		}
	},
}

package lint

import (
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// hreflangLinkRules are about where a link leads, and by which relation.
var hreflangLinkRules = []*Rule{
	links.refused("hreflang-rel-not-alternate", "Invalid attribute value",
		func(e *entryCheck, n int, a *sitemap.Alternate) {
			switch {
			case a.Hreflang == "" || isAlternate(a.Rel):
			case a.Rel == "":
				reportLink(e, n, "", newText("rule.hreflang-rel-not-alternate.missing"))
			default:
				reportLink(e, n, a.Rel, newText("rule.hreflang-rel-not-alternate.wrong"))
			}
		}),
	links.refused("hreflang-href-missing", "Missing XML attribute",
		func(e *entryCheck, n int, a *sitemap.Alternate) {
			if a.Href == "" {
				reportLink(e, n, a.Hreflang, newText("rule.hreflang-href-missing.found"))
			}
		}),
	{ID: "hreflang-href-relative", Severity: SeverityError, Engines: EngineGoogle, Source: hreflangAll,
		SearchConsole: "Invalid attribute value", needs: scan.HasAlternates,
		checkEntry: links.each(func(e *entryCheck, n int, a *sitemap.Alternate) {
			if a.Href == "" || a.Hreflang == "" {
				return
			}
			scheme := scan.Scheme(a.Href)
			if scheme == "" || (scheme == "http" || scheme == "https") && !scan.IsAbsolute(a.Href) {
				reportLink(e, n, a.Href, newText("rule.hreflang-href-relative.found"))
			}
		})},
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

var hreflangWithoutSelf = &Rule{
	ID:       "hreflang-self-missing",
	Severity: SeverityWarning,
	Engines:  EngineGoogle,
	Source:   hreflangAll,
	needs:    scan.HasAlternates,
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
			reportLink(e, 0, "", newText("rule.hreflang-self-missing.found"))
		}
	},
}

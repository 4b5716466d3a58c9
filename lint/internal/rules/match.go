package rules

import (
	"github.com/mapatools/mapa/lint/internal/display"
	"github.com/mapatools/mapa/lint/internal/pageset"
	"github.com/mapatools/mapa/lint/internal/rule"
)

var byKind = [...]*rule.Rule{
	pageset.Duplicate:            duplicateLoc,
	pageset.DuplicateAcrossFiles: duplicateAcrossFiles,
	pageset.Equivalent:           equivalentLoc,
	pageset.Conflict:             conflictingMetadata,
	pageset.NoReturnLink:         hreflangNotReciprocal,
	pageset.OtherLanguage:        hreflangInconsistent,
	pageset.NotListed:            pageNotInSitemap,
	pageset.NotLinked:            orphanPage,
}

// ForMatch returns the rule that pages of the set break by a match.
func ForMatch(kind pageset.Kind) *rule.Rule { return byKind[kind] }

// Kinds returns the matches that break one of the rules for which applied returns
// true: with crawled, those with the pages of a crawl too.
func Kinds(applied func(*rule.Rule) bool, crawled bool) (kinds []pageset.Kind) {
	for kind, r := range byKind {
		if k := pageset.Kind(kind); applied(r) && (crawled || k != pageset.NotListed && k != pageset.NotLinked) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// Describe returns the message about a match.
func Describe(kind pageset.Kind, m *pageset.Match) string {
	where, page := "in "+m.OtherFile, "another page"
	if m.Other.Line > 0 {
		where, page = where+", line "+display.Number(m.Other.Line), display.Text(m.Other.Loc)
		if m.SameFile {
			where = "on line " + display.Number(m.Other.Line)
		}
	}
	switch kind {
	case pageset.NotListed:
		return "the crawl found this page, but no sitemap lists it"
	case pageset.NotLinked:
		return "no page links to this page"
	case pageset.Equivalent:
		return "the same page as " + page + " " + where
	case pageset.Conflict:
		return "lastmod, changefreq or priority differs from the entry " + where
	case pageset.NoReturnLink:
		return "no return link from " + page + " " + where
	case pageset.OtherLanguage:
		return "the hreflang differs from the one that " + page + " gives itself " + where
	}
	return "the same URL is already " + where
}

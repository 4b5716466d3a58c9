package lint

import (
	"bytes"
	"net/http"

	"github.com/mapatools/mapa/lint/internal/pageset"
)

var ruleByMatch = [...]*Rule{
	pageset.Duplicate:            duplicateLoc,
	pageset.DuplicateAcrossFiles: duplicateAcrossFiles,
	pageset.Equivalent:           equivalentLoc,
	pageset.Conflict:             conflictingMetadata,
	pageset.NoReturnLink:         hreflangNotReciprocal,
	pageset.OtherLanguage:        hreflangInconsistent,
	pageset.LanguageElsewhere:    hreflangInconsistent,
	pageset.NotListed:            pageNotInSitemap,
	pageset.NotLinked:            orphanPage,
	pageset.ListedDead:           crawledDead,
	pageset.ListedRedirect:       crawledRedirect,
	pageset.ListedNoIndex:        crawledNoIndex,
}

// ruleForMatch returns the rule that pages of the set break by a match.
func ruleForMatch(kind pageset.Kind) *Rule { return ruleByMatch[kind] }

// matchKinds returns the matches that break one of the rules for which applied returns
// true: with crawled, those with the pages of a crawl too.
func matchKinds(applied func(*Rule) bool, crawled bool) (kinds []pageset.Kind) {
	for kind, r := range ruleByMatch {
		if k := pageset.Kind(kind); applied(r) && (crawled || k < pageset.NotListed) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// describeMatch returns the message about a match.
func describeMatch(kind pageset.Kind, m *pageset.Match) Text {
	where := placeOf(m)
	own, other := addressOf(&m.Page, "finding.the-page"), addressOf(&m.Other, "finding.another-page")
	switch kind {
	case pageset.NotListed:
		return newText("rule.page-not-in-sitemap.found")
	case pageset.NotLinked:
		return newText("rule.orphan-page.found")
	case pageset.ListedDead:
		return whatDied(int(m.Other.Offset))
	case pageset.ListedRedirect:
		return newText("rule.crawled-redirect.found")
	case pageset.ListedNoIndex:
		return newText("rule.crawled-noindex.found")
	case pageset.Equivalent:
		return newText("rule.equivalent-loc.found", own, other, where)
	case pageset.Conflict:
		return conflictOf(own, m.Page.Values, m.Other.Values, where)
	case pageset.NoReturnLink:
		return newText("rule.hreflang-not-reciprocal.found", other, where)
	case pageset.LanguageElsewhere:
		return newText("rule.hreflang-inconsistent-language.elsewhere", other, where)
	case pageset.OtherLanguage:
		return newText("rule.hreflang-inconsistent-language.found", other, where)
	}
	return newText("finding.already-listed", own, where)
}

// placeOf says where the other page of a match is.
func placeOf(m *pageset.Match) Text {
	switch {
	case m.Other.Line == 0:
		return newText("finding.in-file", m.OtherFile)
	case m.SameFile:
		return newText("finding.on-line", m.Other.Line)
	}
	return newText("finding.in-file-on-line", m.OtherFile, m.Other.Line)
}

// valueNames are the names of pageset.Values.
var valueNames = [...]string{"lastmod", "changefreq", "priority"}

// conflictOf says which values of a page differ from those of another listing: "lastmod
// 2024-02-09, but 2024-01-08". They are unknown where a file changed meanwhile.
func conflictOf(page Text, own, other pageset.Values, where Text) Text {
	var mine, theirs []Text
	for i, name := range valueNames {
		if len(own[i]) == 0 || len(other[i]) == 0 || bytes.Equal(own[i], other[i]) {
			continue
		}
		mine = append(mine, newText("finding.value", name+" "+printable(own[i])))
		theirs = append(theirs, newText("finding.value", printable(other[i])))
	}
	if mine == nil {
		return newText("rule.conflicting-metadata.unknown", page, where)
	}
	return newText("rule.conflicting-metadata.found", page, allOf(mine), allOf(theirs), where)
}

// allOf joins texts by "and".
func allOf(texts []Text) Text {
	all := texts[0]
	for _, t := range texts[1:] {
		all = newText("finding.and", all, t)
	}
	return all
}

// addressOf returns the address of a page, or what else it is called where that is not
// known.
func addressOf(page *pageset.Position, otherwise string) Text {
	if len(page.Loc) == 0 {
		return newText(otherwise)
	}
	return newText("finding.value", printable(page.Loc))
}

// whatDied says what a crawl got in place of a page.
func whatDied(status int) Text {
	switch {
	case status == 0:
		return newText("rule.crawled-dead.no-answer")
	case status < http.StatusBadRequest:
		return newText("rule.crawled-dead.circle")
	}
	return newText("rule.crawled-dead.found", statusText(status))
}

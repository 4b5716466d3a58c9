package lint

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"

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
func describeMatch(kind pageset.Kind, m *pageset.Match) string {
	where := "in " + m.OtherFile
	if m.Other.Line > 0 {
		where += ", line " + number(m.Other.Line)
		if m.SameFile {
			where = "on line " + number(m.Other.Line)
		}
	}
	own, other := addressOf(&m.Page, "the page"), addressOf(&m.Other, "another page")
	switch kind {
	case pageset.NotListed:
		return "the crawl found this page, but no sitemap lists it"
	case pageset.NotLinked:
		return "no page links to this page"
	case pageset.ListedDead:
		return "the crawl " + whatDied(int(m.Other.Offset))
	case pageset.ListedRedirect:
		return "the crawl was redirected to another page"
	case pageset.ListedNoIndex:
		return "the crawl found noindex on this page"
	case pageset.Equivalent:
		return own + " is the same page as " + other + " " + where
	case pageset.Conflict:
		return own + " has " + conflictOf(m.Page.Values, m.Other.Values) + " " + where
	case pageset.NoReturnLink:
		return "no return link from " + other + " " + where
	case pageset.LanguageElsewhere:
		return "the hreflang of a version differs from the one that " + other + " gives it " + where
	case pageset.OtherLanguage:
		return "the hreflang differs from the one that " + other + " gives itself " + where
	}
	return own + " is already listed " + where
}

// valueNames are the names of pageset.Values.
var valueNames = [...]string{"lastmod", "changefreq", "priority"}

// conflictOf says which values of a page differ from those of another listing: "lastmod
// 2024-02-09, but 2024-01-08". They are unknown where a file changed meanwhile.
func conflictOf(own, other pageset.Values) string {
	var mine, theirs []string
	for i, name := range valueNames {
		if len(own[i]) == 0 || len(other[i]) == 0 || bytes.Equal(own[i], other[i]) {
			continue
		}
		mine = append(mine, name+" "+printable(own[i]))
		theirs = append(theirs, printable(other[i]))
	}
	if mine == nil {
		return "another lastmod, changefreq or priority"
	}
	return strings.Join(mine, " and ") + ", but " + strings.Join(theirs, " and ")
}

// addressOf returns the address of a page, or what else it is called where that is not
// known.
func addressOf(page *pageset.Position, otherwise string) string {
	if len(page.Loc) == 0 {
		return otherwise
	}
	return printable(page.Loc)
}

// whatDied says what a crawl got in place of a page.
func whatDied(status int) string {
	switch {
	case status == 0:
		return "got no answer for this page"
	case status < http.StatusBadRequest:
		return "was redirected in a circle"
	}
	return fmt.Sprintf("got %d %s for this page", status, http.StatusText(status))
}

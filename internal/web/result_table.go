package web

import (
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/result"
	"github.com/mapatools/mapa/internal/view"
)

// What the pages of a result and the report share.
type (
	table    = view.Table
	column   = view.Column
	cell     = view.Cell
	pageLink = view.Link
	tag      = view.Tag
)

// pageTable returns the table of pages with a column for each fact.
func (v *resultFrame) pageTable(pages []*page.Page, facts []*page.Fact) table {
	rows := make([]view.Row, len(pages))
	for i, p := range pages {
		rows[i] = view.Row{Page: p, Link: v.linkTo(p.Link.ID, p.Link.URL)}
		if p.TargetURL != "" {
			target := v.linkTo(p.Page.Target, p.TargetURL)
			rows[i].Target = &target
		}
	}
	return view.PageTable(v.texts, facts, rows)
}

// listFacts returns the columns of that table: those of all lists, what search engines say about the pages, and what it
// is sorted by.
func (v *resultFrame) listFacts(sort string) []*page.Fact {
	facts := page.In(page.List)
	for _, key := range v.Overview.Figures.Facts() {
		facts = append(facts, page.Named(key))
	}
	sorted := page.Named(strings.TrimPrefix(sort, "-"))
	if sorted != nil && sorted.In&page.Sort != 0 && !slices.Contains(facts, sorted) {
		facts = append(facts, sorted)
	}
	return facts
}

// sortKeys returns the orders of the columns of that table.
func sortKeys(facts []*page.Fact) (keys []string) {
	for _, f := range facts {
		if f.Down {
			keys = append(keys, "-"+f.Key)
		} else {
			keys = append(keys, f.Key)
		}
	}
	return keys
}

// linkTo links to the page of a URL of the crawl.
func (v *resultFrame) linkTo(id crawl.ID, url string) pageLink {
	return pageLink{Href: v.href(int64(id)), URL: v.short(url), Panel: true}
}

// refLink links to the page of another URL of the crawl.
func (v *resultFrame) refLink(ref *result.Ref) pageLink {
	return pageLink{Href: v.href(ref.ID), URL: v.short(ref.URL), Panel: true}
}

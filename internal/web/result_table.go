package web

import (
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

// pageTable returns the table of pages.
func (v *resultFrame) pageTable(pages []*page.Page) table {
	rows := make([]view.Row, len(pages))
	for i, p := range pages {
		rows[i] = view.Row{Page: p, Link: v.linkTo(p.Link.ID, p.Link.URL)}
		if p.TargetURL != "" {
			target := v.linkTo(p.Page.Target, p.TargetURL)
			rows[i].Target = &target
		}
	}
	return view.PageTable(v.texts, v.listFacts(), rows)
}

// listFacts returns the columns of that table: those of all lists, and what search engines say about the pages.
func (v *resultFrame) listFacts() []*page.Fact {
	facts := page.In(page.List)
	for _, key := range v.Overview.Figures.Facts() {
		facts = append(facts, page.Named(key))
	}
	return facts
}

// sortKeys returns the orders of the columns of that table.
func (v *resultFrame) sortKeys() (keys []string) {
	for _, f := range v.listFacts() {
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

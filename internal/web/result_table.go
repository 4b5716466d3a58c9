package web

import (
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
func (v *resultFrame) pageTable(pages []result.Page) table {
	rows := make([]view.Page, len(pages))
	for i := range pages {
		p := &pages[i]
		rows[i] = view.Page{
			Link: pageLink{Href: v.href(p.ID), URL: v.short(p.URL), Panel: true}, Title: p.Title,
			Decision: v.decisionTag(p.Decision, p.Status), Detail: v.texts.Detail(p.Detail.Split()),
			Depth: p.Depth, Linked: p.Linked,
		}
		if p.Target != nil {
			target := v.refLink(p.Target)
			rows[i].Target = &target
		}
	}
	return view.PageTable(v.texts, rows)
}

// refLink links to the page of another URL of the crawl.
func (v *resultFrame) refLink(ref *result.Ref) pageLink {
	return pageLink{Href: v.href(ref.ID), URL: v.short(ref.URL), Panel: true}
}

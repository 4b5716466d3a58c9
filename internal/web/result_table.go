package web

import (
	"github.com/mapatools/mapa/internal/app/results"
)

// What the pages of a result and the report share.
type (
	table    = results.Table
	column   = results.TableColumn
	cell     = results.TableCell
	pageLink = results.TableLink
	tag      = results.Tag
)

// pageTable returns the table of pages.
func (v *resultFrame) pageTable(pages []results.PageRow) table {
	rows := make([]results.PageLine, len(pages))
	for i := range pages {
		p := &pages[i]
		rows[i] = results.PageLine{
			Link: pageLink{Href: v.href(p.ID), URL: v.short(p.URL), Panel: true}, Title: p.Title,
			Decision: v.decisionTag(p.Decision, p.Status), Detail: v.texts.Detail(p.Detail.Split()),
			Depth: p.Depth, Linked: p.Linked,
		}
		if p.Target != nil {
			target := v.refLink(p.Target)
			rows[i].Target = &target
		}
	}
	return results.PageTable(v.texts, rows)
}

// refLink links to the page of another URL of the crawl.
func (v *resultFrame) refLink(ref *results.PageRef) pageLink {
	return pageLink{Href: v.href(ref.ID), URL: v.short(ref.URL), Panel: true}
}

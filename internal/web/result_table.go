package web

import (
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/results"
)

// A table shows a part of a list.
type table struct {
	Columns []column
	Rows    [][]cell
	Empty   string // shown when there are no rows
}

type column struct{ Name, Class string }

// A cell shows tags, links, a text and a note, in this order.
type cell struct {
	Class, Label string // the label is shown on small screens
	Tags         []tag
	Links        []pageLink
	Text, Note   string
}

// A pageLink names a URL of the crawl. Href is its page, which opens in a panel if Panel
// is set.
type pageLink struct {
	Href, URL, Text string
	Panel           bool
	Tags            []tag
}

// pageTable returns the table of pages.
func (v *resultFrame) pageTable(pages []results.PageRow) table {
	c := v.texts
	t := table{Empty: c.Text("script.no-matches"), Columns: []column{
		{Name: c.Text("column.url")}, {Name: c.Text("column.decision")}, {Name: c.Text("column.depth"), Class: "figure"},
		{Name: c.Text("column.linked"), Class: "figure"},
	}}
	for i := range pages {
		p := &pages[i]
		depth := "–"
		if p.Depth >= 0 {
			depth = c.Count(int64(p.Depth))
		}
		t.Rows = append(t.Rows, []cell{
			{Class: "half", Links: []pageLink{{Href: v.href(p.ID), URL: v.short(p.URL), Panel: true}}, Note: p.Title},
			v.decisionCell(p),
			{Class: "figure short", Label: strings.ToLower(t.Columns[2].Name), Text: depth},
			{Class: "figure short", Label: strings.ToLower(t.Columns[3].Name), Text: c.Count(int64(p.Linked))},
		})
	}
	return t
}

// decisionCell shows the decision about a page, and what it refers to.
func (v *resultFrame) decisionCell(p *results.PageRow) cell {
	t := cell{Class: "half", Tags: []tag{v.decisionTag(p.Decision, p.Status)}}
	switch {
	case p.Target != nil:
		t.Links = []pageLink{v.refLink(p.Target)}
	case p.Detail.Code() != crawl.DetailStatus: // the tag has the status
		t.Note = v.texts.Detail(p.Detail.Split())
	}
	return t
}

// refLink links to the page of another URL of the crawl.
func (v *resultFrame) refLink(ref *results.PageRef) pageLink {
	return pageLink{Href: v.href(ref.ID), URL: v.short(ref.URL), Panel: true}
}

// sources names what named a URL to the crawl besides links.
func (v *resultFrame) sources(names []string) string {
	var texts []string
	for _, name := range names {
		switch name {
		case "sitemap":
			name = v.texts.Text("script.named-sitemap")
		case "list":
			name = v.texts.Text("script.named-list")
		case "log":
			name = v.texts.Text("script.named-log")
		}
		texts = append(texts, name)
	}
	return strings.Join(texts, ", ")
}

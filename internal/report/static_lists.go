package report

import (
	"slices"
	"strconv"

	"github.com/mapatools/mapa/crawl"
)

// maxStaticRows is how many rows of a list are readable without JavaScript.
const maxStaticRows = 50

// listView is the beginning of a list, as the template shows it. A cell has one line
// for each of its links.
type listView struct {
	Name    string // empty when the section has no other list
	Empty   string // shown without rows
	Total   int
	Columns []string
	Rows    [][][]pageLink
}

// Rest returns the number of rows that are not shown.
func (l *listView) Rest() int { return l.Total - len(l.Rows) }

// columns are the columns of lists of URLs by their keys: what a row shows in them. The
// names are the texts "column.<key>" of the catalogue.
var columns = map[string]func(g *pageReport, r *row) []pageLink{
	"url":                func(g *pageReport, r *row) []pageLink { return []pageLink{g.linkToRow(r, r.title)} },
	"decision":           func(g *pageReport, r *row) []pageLink { return g.decisionLines(r) },
	"target":             func(g *pageReport, r *row) []pageLink { return g.linkTo(r.target) },
	"target-decision":    func(g *pageReport, r *row) []pageLink { return text(g.targetDecision(r)) },
	"source":             func(_ *pageReport, r *row) []pageLink { return text(r.detail) },
	"conflict":           func(_ *pageReport, r *row) []pageLink { return text(r.conflict) },
	"chain":              func(g *pageReport, r *row) []pageLink { return g.chain(r) },
	"steps":              func(g *pageReport, r *row) []pageLink { return g.number(len(g.chain(r))) },
	"linked":             func(g *pageReport, r *row) []pageLink { return g.number(int(r.linked)) },
	"status":             func(_ *pageReport, r *row) []pageLink { return text(numberCell(int(r.status))) },
	"depth":              func(_ *pageReport, r *row) []pageLink { return text(depthText(r.depth)) },
	"title-length":       func(g *pageReport, r *row) []pageLink { return g.number(int(r.titleLength)) },
	"description":        func(_ *pageReport, r *row) []pageLink { return text(r.facts.Description) },
	"description-length": func(g *pageReport, r *row) []pageLink { return g.number(int(r.descriptionLength)) },
	"heading":            func(_ *pageReport, r *row) []pageLink { return text(r.facts.H1) },
	"words":              func(g *pageReport, r *row) []pageLink { return g.number(int(r.words)) },
	"images":             func(g *pageReport, r *row) []pageLink { return g.number(r.facts.ImagesWithoutAlt) },
	"json-ld":            func(_ *pageReport, r *row) []pageLink { return text(r.facts.JSONLD) },
	"open-graph": func(_ *pageReport, r *row) []pageLink {
		return text(openGraphText(&r.facts))
	},
	"time":  func(g *pageReport, r *row) []pageLink { return text(g.catalog.Duration(r.took)) },
	"size":  func(g *pageReport, r *row) []pageLink { return text(g.catalog.Bytes(r.size)) },
	"named": func(g *pageReport, r *row) []pageLink { return text(g.namedBy(r)) },
}

func text(text string) []pageLink {
	if text == "" {
		return nil
	}
	return []pageLink{{Text: text}}
}

func (g *pageReport) number(n int) []pageLink { return text(g.count(n)) }

func depthText(depth int32) string {
	if depth == crawl.Unreached {
		return ""
	}
	return strconv.Itoa(int(depth))
}

func (g *pageReport) linkTo(id crawl.ID) []pageLink {
	if number := g.rows.number(id); number > 0 {
		return []pageLink{g.linkToRow(&g.rows.rows[number-1], "")}
	}
	return nil
}

func (g *pageReport) decisionLines(r *row) []pageLink {
	return slices.Concat(text(g.explain(r.reason).Name), text(r.detail), g.linkTo(r.target))
}

func (g *pageReport) targetDecision(r *row) string {
	if number := g.rows.number(r.target); number > 0 {
		return g.explain(g.rows.rows[number-1].reason).Name
	}
	return ""
}

// chain returns the steps of a redirect.
func (g *pageReport) chain(r *row) []pageLink {
	var steps []pageLink
	seen := map[int]bool{g.rows.number(r.id): true}
	for {
		next := g.rows.number(r.target)
		if next == 0 {
			return steps
		}
		r = &g.rows.rows[next-1]
		steps = append(steps, g.linkToRow(r, ""))
		if seen[next] || r.reason != crawl.ReasonRedirect && r.reason != crawl.ReasonRedirectLoop {
			return steps
		}
		seen[next] = true
	}
}

// listView returns the beginning of a list of rows.
func (g *pageReport) listView(name, empty string, keys []string, rows []int, total int) *listView {
	v := &listView{Name: name, Empty: empty, Total: total}
	for _, key := range keys {
		v.Columns = append(v.Columns, g.catalog.Text("column."+key))
	}
	cellOf := columns
	for _, number := range rows[:min(len(rows), maxStaticRows)] {
		var cells [][]pageLink
		for _, key := range keys {
			cells = append(cells, cellOf[key](g, &g.rows.rows[number-1]))
		}
		v.Rows = append(v.Rows, cells)
	}
	return v
}

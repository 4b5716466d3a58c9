package report

import (
	"strings"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/view"
)

// How many rows of a list are readable without JavaScript.
const (
	maxStaticRows     = 50
	maxStaticFindings = 20 // of a rule
)

// listView is the beginning of a list, as the template shows it.
type listView struct {
	Name     string // empty when the section has no other list
	Why, Fix string // of a rule
	Count    int
	Total    int // rows
	Table    view.Table
}

// Rest returns the number of rows that are not shown.
func (l *listView) Rest() int { return l.Total - len(l.Table.Rows) }

// ruleViews returns the beginnings of the lists of a section, one for each rule.
func (g *pageReport) ruleViews(p *part) (views []*listView) {
	for i := range p.Rules {
		rule := &p.Rules[i]
		var rows []view.Finding
		for i := range rule.Rows[:min(len(rule.Rows), maxStaticFindings)] {
			rows = append(rows, g.findingRow(&rule.Rows[i]))
		}
		views = append(views, &listView{
			Name: rule.Name, Why: rule.Why, Fix: rule.Fix, Count: rule.Count, Total: len(rule.Rows) + rule.Rest,
			Table: view.FindingTable(g.catalog, rows),
		})
	}
	return views
}

// findingRow returns a row of findings that are alike.
func (g *pageReport) findingRow(row *groupPart) view.Finding {
	f := view.Finding{Text: row.Message, File: row.File, Template: row.Template, Places: row.Places}
	for i, number := range row.Pages[:min(len(row.Pages), firstPages)] {
		text := ""
		if i < len(row.Texts) {
			text = row.Texts[i]
		}
		f.First = append(f.First, g.linkToRow(&g.rows.rows[number-1], text))
	}
	if row.Other > 0 {
		link := g.linkToRow(&g.rows.rows[row.Other-1], "")
		if row.Fragment != "" {
			link.URL += "#" + row.Fragment
		}
		f.Other = &link
	}
	return f
}

// addressView returns the beginning of the list of all URLs.
func (g *pageReport) addressView() *listView {
	var pages []view.Page
	for _, number := range g.firstRows(maxStaticRows) {
		r := &g.rows.rows[number-1]
		page := view.Page{
			Link: g.linkToRow(r, ""), Title: r.title, Depth: int(r.depth), Linked: int(r.linked),
			Decision: g.decisionTag(r), Target: g.targetOf(r), Detail: r.detail,
		}
		pages = append(pages, page)
	}
	v := &listView{Total: g.totals.urls, Table: view.PageTable(g.catalog, pages)}
	if g.brief { // which has no links
		v.Table.Columns = v.Table.Columns[:2]
		for i := range v.Table.Rows {
			v.Table.Rows[i] = v.Table.Rows[i][:2]
		}
	}
	return v
}

// addressColumns returns the columns of the list of all URLs.
func (g *pageReport) addressColumns() []string {
	if g.brief {
		return []string{"url", "decision"}
	}
	return []string{"url", "decision", "depth", "linked"}
}

// firstRows returns the numbers of the first rows: those of the site before those of other
// sites.
func (g *pageReport) firstRows(most int) (numbers []int) {
	var others []int
	for i := range g.rows.rows {
		switch {
		case len(numbers) == most:
			return numbers
		case kindOf(&g.rows.rows[i]) != kindOtherSite:
			numbers = append(numbers, i+1)
		case len(others) < most:
			others = append(others, i+1)
		}
	}
	return append(numbers, others[:min(len(others), most-len(numbers))]...)
}

func (g *pageReport) treeView() *listView {
	branches := g.totals.tree.branches()
	v := &listView{Total: len(branches), Table: view.Table{Empty: g.catalog.Text("list.tree.empty")}}
	for _, key := range []string{"folder", "urls", "listed", "broken-urls"} {
		v.Table.Columns = append(v.Table.Columns, view.Column{Name: g.catalog.Text("column." + key)})
	}
	var path []string
	for _, b := range branches[:min(len(branches), maxStaticRows)] {
		path = append(path[:b.Level], b.Name)
		v.Table.Rows = append(v.Table.Rows, []view.Cell{
			{Text: format.ReadableURL(strings.Join(path, "/") + "/")}, {Text: g.count(b.Total)}, {Text: g.count(b.Listed)},
			{Text: g.count(b.Broken)},
		})
	}
	return v
}

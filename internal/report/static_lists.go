package report

import (
	"context"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/page"
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
		f.First = append(f.First, g.linkToRow(number, text))
	}
	if row.Other > 0 {
		link := g.linkToRow(row.Other, "")
		if row.Fragment != "" {
			link.URL += "#" + row.Fragment
		}
		f.Other = &link
	}
	return f
}

// addressView returns the beginning of the list of all URLs.
func (g *pageReport) addressView(ctx context.Context) (*listView, error) {
	var rows []view.Row
	for _, number := range g.firstRows(maxStaticRows) {
		p, _, err := g.file.ReadPage(ctx, g.rows.rows[number-1].id)
		if err != nil {
			return nil, err
		}
		rows = append(rows, view.Row{Page: &p, Link: g.linkToRow(number, ""), Target: g.linkTo(p.Page.Target)})
	}
	return &listView{Total: g.overview.URLs, Table: view.PageTable(g.catalog, page.In(page.List), rows)}, nil
}

// firstRows returns the numbers of the first rows: those of the site before those of other sites.
func (g *pageReport) firstRows(most int) (numbers []int) {
	var others []int
	other := g.columns[len(g.columns)-1]
	for i, is := range other.numbers {
		switch {
		case len(numbers) == most:
			return numbers
		case is == 0:
			numbers = append(numbers, i+1)
		case len(others) < most:
			others = append(others, i+1)
		}
	}
	return append(numbers, others[:min(len(others), most-len(numbers))]...)
}

func (g *pageReport) treeView() *listView {
	v := &listView{Total: len(g.tree), Table: view.Table{Empty: g.catalog.Text("list.tree.empty")}}
	for _, key := range []string{"folder", "urls", "listed", "broken-urls"} {
		v.Table.Columns = append(v.Table.Columns, view.Column{Name: g.catalog.Text("column." + key)})
	}
	for _, f := range g.tree[:min(len(g.tree), maxStaticRows)] {
		v.Table.Rows = append(v.Table.Rows, []view.Cell{
			{Text: format.ReadableURL(f.URL)}, {Text: g.count(int(f.Total))}, {Text: g.count(int(f.Listed))},
			{Text: g.count(int(f.Broken))},
		})
	}
	return v
}

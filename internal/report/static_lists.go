package report

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
)

// How many rows of a list are readable without JavaScript.
const (
	maxStaticRows     = 50
	maxStaticFindings = 20 // of a rule
)

// listView is the beginning of a list, as the template shows it. A cell has one line
// for each of its links.
type listView struct {
	Name     string // empty when the section has no other list
	Why, Fix string // of a rule
	Count    int
	Empty    string // shown without rows
	Total    int    // rows
	Columns  []string
	Rows     [][][]pageLink
}

// Rest returns the number of rows that are not shown.
func (l *listView) Rest() int { return l.Total - len(l.Rows) }

// newListView returns a list without rows.
func (g *pageReport) newListView(total int, empty string, columnKeys ...string) *listView {
	v := &listView{Total: total, Empty: g.catalog.Text(empty)}
	for _, key := range columnKeys {
		v.Columns = append(v.Columns, g.catalog.Text("column."+key))
	}
	return v
}

// ruleViews returns the beginnings of the lists of a section, one for each rule.
func (g *pageReport) ruleViews(p *part) (views []*listView) {
	for i := range p.Rules {
		rule := &p.Rules[i]
		columns := []string{"page", "finding", "pages"}
		if hasOther := slices.ContainsFunc(rule.Rows, func(row groupPart) bool { return row.Other > 0 }); hasOther {
			columns = []string{"page", "finding", "other", "pages"}
		}
		v := g.newListView(len(rule.Rows)+rule.Rest, "script.no-matches", columns...)
		v.Name, v.Why, v.Fix, v.Count = rule.Name, rule.Why, rule.Fix, rule.Count
		for i := range rule.Rows[:min(len(rule.Rows), maxStaticFindings)] {
			row := &rule.Rows[i]
			cells := [][]pageLink{g.places(row), text(row.Message), g.number(row.Places)}
			if len(columns) > 3 {
				cells = slices.Insert(cells, 2, g.other(row))
			}
			v.Rows = append(v.Rows, cells)
		}
		views = append(views, v)
	}
	return views
}

// places returns links to the first pages of a row.
func (g *pageReport) places(row *groupPart) (links []pageLink) {
	links = text(row.File)
	for i, number := range row.Pages[:min(len(row.Pages), firstPages)] {
		link := ""
		if i < len(row.Texts) {
			link = row.Texts[i]
		}
		links = append(links, g.linkToRow(&g.rows.rows[number-1], link))
	}
	if row.Template {
		links = append(links, pageLink{Text: g.catalog.Text("script.in-template")})
	}
	return links
}

// other returns a link to the other URL of a row.
func (g *pageReport) other(row *groupPart) []pageLink {
	if row.Other == 0 {
		return nil
	}
	link := g.linkToRow(&g.rows.rows[row.Other-1], "")
	if row.Fragment != "" {
		link.URL += "#" + row.Fragment
	}
	return []pageLink{link}
}

// addressView returns the beginning of the list of all URLs.
func (g *pageReport) addressView() *listView {
	v := g.newListView(g.totals.urls, "list.addresses.empty", g.addressColumns()...)
	for _, number := range g.firstRows(maxStaticRows) {
		r := &g.rows.rows[number-1]
		cells := [][]pageLink{{g.linkToRow(r, r.title)}, g.decisionLines(r), text(numberCell(int(r.status)))}
		if !g.brief {
			cells = append(cells, text(depthText(r.depth)), g.number(int(r.linked)))
		}
		v.Rows = append(v.Rows, cells)
	}
	return v
}

// addressColumns returns the columns of the list of all URLs.
func (g *pageReport) addressColumns() []string {
	if g.brief {
		return []string{"url", "decision", "status"}
	}
	return []string{"url", "decision", "status", "depth", "linked"}
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
	v := g.newListView(len(branches), "list.tree.empty", "folder", "urls", "listed", "broken-urls")
	var path []string
	for _, b := range branches[:min(len(branches), maxStaticRows)] {
		path = append(path[:b.Level], b.Name)
		v.Rows = append(v.Rows, [][]pageLink{
			text(format.ReadableURL(strings.Join(path, "/") + "/")), g.number(b.Total), g.number(b.Listed), g.number(b.Broken),
		})
	}
	return v
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

func (g *pageReport) decisionLines(r *row) []pageLink {
	lines := slices.Concat(text(g.explain(r.reason).Name), text(r.detail))
	if number := g.rows.number(r.target); number > 0 {
		lines = append(lines, g.linkToRow(&g.rows.rows[number-1], ""))
	}
	return lines
}

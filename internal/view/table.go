package view

import (
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/catalog"
)

// A Table shows a part of a list.
type Table struct {
	Columns []Column
	Rows    [][]Cell
	Empty   string // shown when there are no rows
}

// A Column is the heading of a column. The class is that of its style. Href sorts the table by the column, unless
// it is empty, and Sorted says how it is sorted by it: ascending, descending, or not for an empty one.
type Column struct{ Name, Class, Href, Sorted string }

// A Cell shows tags, links, a text and a note, in this order.
type Cell struct {
	Class, Label string // the label is shown on small screens
	Tags         []Tag
	Links        []Link
	Text, Note   string
}

// A Link names a URL of the crawl. Href is its page, which opens in a panel if Panel is set.
type Link struct {
	Href, URL, Text string
	Panel           bool
	Tags            []Tag
}

// A Tag is a word with a tone: good, warn, bad or none.
type Tag struct{ Name, Kind, Text string }

// A Finding is what a rule found, as a row: on one page, or on several that are alike.
type Finding struct {
	Text     string
	File     string // the sitemap, in findings about that
	First    []Link // the first pages
	Template bool   // most pages of the crawl have it
	Other    *Link  // another URL, or nil
	Places   int    // pages
}

// FindingTable returns the table of findings. It has a column for other URLs where there is one.
func FindingTable(c *catalog.Catalog, findings []Finding) Table {
	t := Table{Empty: c.Text("script.no-matches")}
	t.Columns = []Column{{Name: c.Text("column.page")}, {Name: c.Text("column.finding")}}
	hasOther := slices.ContainsFunc(findings, func(f Finding) bool { return f.Other != nil })
	if hasOther {
		t.Columns = append(t.Columns, Column{Name: c.Text("column.other")})
	}
	t.Columns = append(t.Columns, Column{Name: c.Text("column.pages"), Class: "figure"})
	for _, f := range findings {
		row := []Cell{{Class: "half", Text: f.File, Links: f.First}, {Class: "half", Text: f.Text}}
		if f.Template {
			row[0].Note = c.Text("script.in-template")
		}
		if hasOther {
			other := Cell{Class: "half"}
			if f.Other != nil {
				other.Links = []Link{*f.Other}
			}
			row = append(row, other)
		}
		t.Rows = append(t.Rows, append(row, number(c, "pages", f.Places)))
	}
	return t
}

// A Page is a URL of the crawl, as a row.
type Page struct {
	Link     Link
	Title    string
	Decision Tag
	Target   *Link  // of a redirect, canonical or duplicate, or nil
	Detail   string // evidence for the decision, which a target or the tag may show already
	Depth    int    // links from the start, or less than 0
	Linked   int    // pages that link to it
}

// decision returns the cell with the decision about a page.
func (p *Page) decision() Cell {
	cell := Cell{Class: "half", Tags: []Tag{p.Decision}}
	switch {
	case p.Target != nil:
		cell.Links = []Link{*p.Target}
	case !strings.HasSuffix(p.Decision.Name, p.Detail):
		cell.Note = p.Detail
	}
	return cell
}

// PageTable returns the table of URLs.
func PageTable(c *catalog.Catalog, pages []Page) Table {
	t := Table{Empty: c.Text("script.no-matches"), Columns: []Column{
		{Name: c.Text("column.url")}, {Name: c.Text("column.decision")}, {Name: c.Text("column.depth"), Class: "figure"},
		{Name: c.Text("column.linked"), Class: "figure"},
	}}
	for i := range pages {
		p := &pages[i]
		depth := number(c, "depth", p.Depth)
		if p.Depth < 0 {
			depth.Text = "–"
		}
		t.Rows = append(t.Rows, []Cell{
			{Class: "half", Links: []Link{p.Link}, Note: p.Title}, p.decision(), depth, number(c, "linked", p.Linked),
		})
	}
	return t
}

// number returns a cell with a number in a column.
func number(c *catalog.Catalog, column string, n int) Cell {
	return Cell{Class: "figure short", Label: strings.ToLower(c.Text("column." + column)), Text: c.Count(int64(n))}
}

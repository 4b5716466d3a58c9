package view

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/page"
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
	Time         time.Time // that Text is, or zero
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

// A Task is a cause to remove, as a row.
type Task struct {
	Kind, Title, Href string // style and name of its rule, and the address of what that found
	Answer            *Tag   // of a URL that cannot be used, or nil
	Target, Page      *Link  // what is linked, and the first page that has it, or nil
	Where             string // on how many pages, before the first
}

// A Row is a URL of the crawl in a list, with links to it and to its target, or nil.
type Row struct {
	*page.Page
	Link   Link
	Target *Link
}

// PageTable returns the table of URLs with a column for each fact.
func PageTable(c *catalog.Catalog, facts []*page.Fact, rows []Row) Table {
	t := Table{Empty: c.Text("script.no-matches")}
	for _, f := range facts {
		column := Column{Name: f.Name(c)}
		if f.Number != nil {
			column.Class = "figure"
		}
		t.Columns = append(t.Columns, column)
	}
	for i := range rows {
		var cells []Cell
		for _, f := range facts {
			cells = append(cells, rows[i].cell(c, f))
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// cell returns the cell of a fact.
func (r *Row) cell(c *catalog.Catalog, f *page.Fact) Cell {
	switch {
	case f.Key == "url":
		return Cell{Class: "half", Links: []Link{r.Link}, Note: format.Plain(r.Page.Page.Title)}
	case f.Key == "decision":
		cell := Cell{Class: "half", Tags: []Tag{DecisionTag(c, r.Decision(), r.Page.Page.Status)}}
		if r.Target != nil {
			cell.Links = []Link{*r.Target}
		} else {
			cell.Note = Evidence(c, r.Page)
		}
		return cell
	case f.Number == nil:
		return Cell{Class: "half", Text: f.Words(c, r.Page)}
	}
	cell := Cell{Class: "figure short", Label: strings.ToLower(f.Name(c)), Text: cmp.Or(f.Words(c, r.Page), "–")}
	if f.Key == "time" {
		cell.Time = r.Page.Page.Time
	}
	return cell
}

// number returns a cell with a number in a column.
func number(c *catalog.Catalog, column string, n int) Cell {
	return Cell{Class: "figure short", Label: strings.ToLower(c.Text("column." + column)), Text: c.Count(int64(n))}
}

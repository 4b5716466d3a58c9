package report

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/page"
)

// A Diff is what changed between two crawls or sitemaps, with their locations.
type Diff struct {
	Old, New string
	Texts    *catalog.Catalog // of what people read
	*compare.Changes
}

// DiffWriter writes what changed.
type DiffWriter func(context.Context, io.Writer, *Diff) error

// DiffFormats are the writers of what changed by the names of their formats.
var DiffFormats = map[string]DiffWriter{
	"text": WriteDiffText, "json": WriteDiffJSON, "jsonl": WriteDiffJSONL, "csv": WriteDiffCSV,
	"markdown": WriteDiffMarkdown, "html": WriteDiffHTML,
}

// ChangeColumns are the columns of the rows of changes: one row for each fact.
var ChangeColumns = []string{"change", "url", "pages", "of", "fact", "old", "new", "moved_to"}

// ChangeCells returns the rows of a change. No cell is a formula of a spreadsheet.
func ChangeCells(c *compare.Change) (rows [][]string) {
	address, pages, of := format.URLCell(c.URL), "", ""
	if c.Pages > 0 {
		address, pages, of = format.PlainCell(c.Template), fmt.Sprint(c.Pages), fmt.Sprint(c.Of)
	}
	row := func(fact, old, new string) {
		rows = append(rows, []string{string(c.Kind), address, pages, of, fact, format.PlainCell(old),
			format.PlainCell(new), format.URLCell(c.MovedTo)})
	}
	for i := range c.Facts {
		old, new := factValues(&c.Facts[i])
		row(c.Facts[i].Fact, old, new)
	}
	if len(rows) == 0 {
		row("", "", "")
	}
	return rows
}

// factValues returns the value of a fact before and after, of a list what was taken away and what was added.
func factValues(f *compare.FactChange) (old, new string) {
	if len(f.Added)+len(f.Removed) == 0 {
		return f.Old, f.New
	}
	return strings.Join(f.Removed, ", "), strings.Join(f.Added, ", ")
}

// maxValue is how many bytes of a value people see.
const maxValue = 120

// FactText returns a fact that changed as one line for people: its name with both values.
func FactText(c *catalog.Catalog, f *compare.FactChange, arrow string) string {
	shown := func(value string) string {
		switch {
		case value == "":
			return c.Text("change.none")
		case f.Fact == "decision":
			return page.Explain(c, page.DecisionNamed(value)).Name
		}
		return format.Printable(format.Truncate(value, maxValue))
	}
	text := c.Text("fact."+f.Fact) + ": "
	if len(f.Added)+len(f.Removed) == 0 {
		return text + shown(f.Old) + " " + arrow + " " + shown(f.New)
	}
	var entries []string
	for _, entry := range f.Added {
		entries = append(entries, "+ "+shown(entry))
	}
	for _, entry := range f.Removed {
		entries = append(entries, "− "+shown(entry))
	}
	if f.More > 0 {
		entries = append(entries, c.Text("change.more", c.Count(int64(f.More))))
	}
	return text + strings.Join(entries, ", ")
}

// ChangeText returns what changed at a URL, or on the pages of a pattern, as one line for people.
func ChangeText(c *catalog.Catalog, change *compare.Change, arrow string) string {
	var parts []string
	if change.MovedTo != "" {
		parts = append(parts, arrow+" "+visibleURL(change.MovedTo))
	}
	for i := range change.Facts {
		if change.MovedTo == "" || change.Facts[i].Fact != "target" {
			parts = append(parts, FactText(c, &change.Facts[i], arrow))
		}
	}
	return strings.Join(parts, "; ")
}

// visibleURL returns a URL that is safe to print.
func visibleURL(address string) string { return string(format.AppendURL(nil, []byte(address))) }

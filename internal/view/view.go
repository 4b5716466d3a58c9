// Package view has what report.html and the result pages of the web application share: the templates of
// their parts, the style sheet, the tables of findings and of pages, and the facts about a URL.
package view

import (
	_ "embed"
	"html/template"
	"strconv"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
)

//go:embed blocks.html
var blocks string

//go:embed page.css
var style string

// Style returns the style sheet of the parts of a page about a crawl: colors, tables, charts, lists and
// fields.
func Style() string { return style }

// Blocks returns the templates of the parts: figures, numbers, tasks, sections, passed, time-chart, charts, treemap,
// reasons, facts, page-findings, page-path, page-links, and table of a [Table]. They have the functions of package
// format and of the catalog.
func Blocks(c *catalog.Catalog) *template.Template {
	functions := template.FuncMap{
		"percent":      func(share float64) string { return strconv.FormatFloat(share, 'f', 1, 64) },
		"treemapKinds": func() []string { return treemapKinds },
	}
	return template.Must(template.New("blocks").Funcs(format.PageFunctions).Funcs(c.Functions()).Funcs(functions).
		Parse(blocks))
}

package report

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
)

// maxMarkdown is how many bytes the rows of a table have at most. GitHub refuses a summary of more than
// 1 MiB (https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands).
const maxMarkdown = 1_000_000

// A markdownRow is a row, and the place that it is sorted by.
type markdownRow struct {
	location     string
	line, column int
	text, newURL string
}

// writeFindingMarkdown writes a table, such as for the summary of a job, in the order of the files or
// pages to edit. Of findings that are too many the most severe are in the table, and a line counts the rest.
func writeFindingMarkdown(w io.Writer, findings iter.Seq2[insight.Finding, error], o *FindingOptions) error {
	var rows []markdownRow
	c, size, further, moved := catalog.For(o.Language), 0, 0, false
	for f, err := range findings {
		if err != nil {
			return err
		}
		r := resultOf(&f, c)
		row := markdownRow{
			location: r.Location, line: r.Line, column: r.Column, newURL: markdownCell(f.NewURL),
			text: fmt.Sprintf("| %s | %s | `%s` | %s |", markdownCell(placeIn(r, c)),
				c.Text("severity."+f.Severity.String()), r.Rule,
				markdownCell(r.Message)),
		}
		if size += len(row.text) + len(row.newURL) + len("  |\n"); further > 0 || size > maxMarkdown {
			further++
			continue
		}
		moved = moved || f.NewURL != ""
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		_, err := io.WriteString(w, c.Text("finding.none")+"\n")
		return err
	}
	slices.SortStableFunc(rows, func(a, b markdownRow) int {
		return cmp.Or(cmp.Compare(a.location, b.location), a.line-b.line, a.column-b.column)
	})
	columns := []string{
		c.Text("finding.place"), c.Text("finding.severity"), c.Text("finding.rule"), c.Text("finding.problem"),
	}
	if moved {
		columns = append(columns, c.Text("finding.new-url"))
	}
	var table strings.Builder
	fmt.Fprintf(&table, "| %s |\n|%s\n", strings.Join(columns, " | "), strings.Repeat("---|", len(columns)))
	for _, row := range rows {
		table.WriteString(row.text)
		if moved {
			fmt.Fprintf(&table, " %s |", row.newURL)
		}
		table.WriteString("\n")
	}
	if further > 0 {
		fmt.Fprintf(&table, "\n%s\n", c.Plural("finding.not-listed", int64(further)))
	}
	_, err := io.WriteString(w, table.String())
	return err
}

// placeIn returns the place of a result. GitHub makes a link of a URL with all that follows it.
func placeIn(r *format.Result, c *catalog.Catalog) string {
	if r.Line > 0 && format.IsURL(r.Location) {
		return r.Location + " " + c.Message("finding.on-line", []any{r.Line})
	}
	return r.Place()
}

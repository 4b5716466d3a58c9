package report

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/format"
)

// WriteDiffCSV writes a row for each fact that changed.
func WriteDiffCSV(ctx context.Context, w io.Writer, d *Diff) error {
	table := format.NewCSV(w)
	err := table.Write(ChangeColumns)
	for change, failed := range d.Rows(ctx) {
		if err == nil {
			err = failed
		}
		if err == nil {
			err = table.WriteAll(ChangeCells(change))
		}
		if err != nil {
			return err
		}
	}
	table.Flush()
	return table.Error()
}

// WriteDiffMarkdown writes a table with the first 2,000 changes of each kind, such as for a pull request.
func WriteDiffMarkdown(ctx context.Context, w io.Writer, d *Diff) error {
	c := d.Texts
	fmt.Fprintf(w, "%s\n", markdownCell(strings.Join(ChangeSummary(c, &d.Counts), ". ")))
	for _, kind := range compare.Kinds {
		if *d.Counts.Of(kind) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n## %s %s\n\n| URL | %s |\n|---|---|\n", c.Count(int64(*d.Counts.Of(kind))),
			c.Text("change."+string(kind)), c.Text("change.page.title"))
		rows := 0
		for change, err := range d.Rows(ctx, kind) {
			if err != nil {
				return err
			}
			if rows++; rows > maxDiffChanges {
				fmt.Fprintln(w, "| … | |")
				break
			}
			address := visibleURL(change.URL)
			if change.Pages > 0 {
				address = visibleURL(change.Template) + " " +
					c.Text("change.share", c.Count(int64(change.Pages)), c.Count(int64(change.Of)))
			}
			if _, err := fmt.Fprintf(w, "| %s | %s |\n", markdownCell(address),
				markdownCell(ChangeText(c, change, "→"))); err != nil {
				return err
			}
		}
	}
	return nil
}

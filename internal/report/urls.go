package report

import (
	"bufio"
	"context"
	"io"
	"iter"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/store"
)

// Pages are URLs of a crawl with what is known of them. The next one may reuse the page.
type Pages = iter.Seq2[*page.Page, error]

// WriteJSONL writes the URLs of a crawl, or only those with one of the decisions, as one JSON object per line.
func WriteJSONL(ctx context.Context, file *store.File, w io.Writer, decisions ...crawl.Reason) error {
	return writeJSONL(w, file.ReadPages(ctx, decisions...))
}

func writeJSONL(w io.Writer, pages Pages) error {
	out := bufio.NewWriterSize(w, 64<<10)
	var line []byte
	for p, err := range pages {
		if err != nil {
			return err
		}
		line = append(p.AppendJSON(append(line[:0], '{')), '}', '\n')
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return out.Flush()
}

// WriteCSV writes the URLs of a crawl, or only those with one of the decisions, as CSV (RFC 4180) with a header. No
// cell is a spreadsheet formula.
func WriteCSV(ctx context.Context, file *store.File, w io.Writer, decisions ...crawl.Reason) error {
	about, err := readFigures(file)
	if err != nil {
		return err
	}
	return writeCSV(w, about.Columns(), file.ReadPages(ctx, decisions...))
}

func writeCSV(w io.Writer, joined []string, pages Pages) error {
	return writeTable(format.NewCSV(w), page.CSVHeader(joined...), english(), joined, pages)
}

// WriteSheet writes URLs for spreadsheets in a language: as WriteCSV does, with headings for people. joined are the
// columns of joined tables.
func WriteSheet(w io.Writer, c *catalog.Catalog, joined []string, pages Pages) error {
	return writeTable(format.NewSheet(w, c.ListSeparator()), page.Headings(c, joined...), c, joined, pages)
}

func writeTable(table format.Table, columns []string, c *catalog.Catalog, joined []string, pages Pages) error {
	if err := table.Write(columns); err != nil {
		return err
	}
	var cells []string
	for p, err := range pages {
		if err != nil {
			return err
		}
		cells = p.AppendCells(cells[:0], c, joined...)
		if err := table.Write(cells); err != nil {
			return err
		}
	}
	table.Flush()
	return table.Error()
}

// PageWriters write URLs in the formats for programs: csv and jsonl as WriteCSV and WriteJSONL do, and json as an
// array. Tables have the columns of joined tables, which JSON has as an object.
var PageWriters = map[string]func(w io.Writer, joined []string, pages Pages) error{
	"csv":   writeCSV,
	"jsonl": func(w io.Writer, _ []string, pages Pages) error { return writeJSONL(w, pages) },
	"json":  func(w io.Writer, _ []string, pages Pages) error { return writeJSONArray(w, pages) },
}

func writeJSONArray(w io.Writer, pages Pages) error {
	d := &dataWriter{out: bufio.NewWriterSize(w, 64<<10)}
	if err := d.pages(pages); err != nil {
		return err
	}
	d.out.WriteByte('\n')
	return d.out.Flush()
}

package result

import (
	"context"
	"io"
	"iter"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/report"
)

// exportBlock is the number of pages that are read at once.
const exportBlock = 256

// Export writes the pages that a filter selects, in the order of their discovery, as
// "csv", "json" (an array) or "jsonl", in the form of the report. With a catalog, csv is for spreadsheets in its
// language. No cell is a spreadsheet formula. A slow writer keeps no query from running.
func (r *Result) Export(ctx context.Context, w io.Writer, f Filter, format string, c *catalog.Catalog) (err error) {
	defer r.explain(&err)
	write := report.URLWriters[format]
	if format == "csv" && c != nil {
		write = func(w io.Writer, urls iter.Seq2[report.URLRecord, error]) error { return report.WriteSheet(w, c, urls) }
	}
	if write == nil {
		return &FilterError{"format", format}
	}
	q, err := r.read(ctx, &f)
	if err != nil {
		return err
	}
	return write(w, r.export(ctx, q))
}

// export returns the pages that a query finds.
func (r *Result) export(ctx context.Context, q *query) iter.Seq2[report.URLRecord, error] {
	return func(yield func(report.URLRecord, error) bool) {
		var part []found
		for from, more := int64(0), true; more; {
			part, more = part[:0], false
			err := r.scan(ctx, q, from, func(f *found) bool {
				part = append(part, *f)
				more = len(part) == exportBlock
				return !more
			})
			records := make([]report.URLRecord, 0, len(part))
			if err == nil {
				err = r.files.use(ctx, func(file *crawlReader) (err error) {
					records, err = file.records(ctx, records, part)
					return err
				})
			}
			if err != nil {
				yield(report.URLRecord{}, err)
				return
			}
			for _, record := range records {
				if !yield(record, nil) {
					return
				}
			}
			if more {
				from = part[len(part)-1].id + 1
			}
		}
	}
}

// records appends URLs in the form of the report.
func (f *crawlReader) records(ctx context.Context, list []report.URLRecord, part []found) ([]report.URLRecord, error) {
	for i := range part {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		record, _, err := f.Record(crawl.ID(part[i].id))
		if err != nil {
			return nil, err
		}
		one, err := report.NewURLRecord(f, &record, part[i].depth, part[i].linked)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

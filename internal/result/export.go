package result

import (
	"context"
	"io"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/report"
)

// exportBlock is the number of pages that are read at once.
const exportBlock = 256

// Export writes the pages that a filter selects, in its order, as
// "csv", "json" (an array) or "jsonl", in the form of the report. With a catalog, csv is for spreadsheets in its
// language. No cell is a spreadsheet formula. A slow writer keeps no query from running.
func (r *Result) Export(ctx context.Context, w io.Writer, f Filter, format string, c *catalog.Catalog) (err error) {
	defer r.explain(&err)
	write := report.PageWriters[format]
	if format == "csv" && c != nil {
		write = func(w io.Writer, joined []string, pages report.Pages) error {
			return report.WriteSheet(w, c, joined, pages)
		}
	}
	if write == nil {
		return &FilterError{Name: "format", Value: format}
	}
	ids, err := r.ids(ctx, f)
	if err != nil {
		return err
	}
	return write(w, r.overview.Figures.Columns(), r.export(ctx, ids))
}

// ids returns the IDs of all URLs that a filter selects.
func (r *Result) ids(ctx context.Context, f Filter) (ids []crawl.ID, err error) {
	const all = -1
	err = r.files.use(ctx, func(file *crawlReader) error {
		q, err := r.query(ctx, file, f)
		if err == nil {
			ids, err = file.FindPages(ctx, q, 0, all)
		}
		return err
	})
	return ids, err
}

// export returns pages by their IDs.
func (r *Result) export(ctx context.Context, ids []crawl.ID) report.Pages {
	return func(yield func(*page.Page, error) bool) {
		for len(ids) > 0 {
			part := ids[:min(len(ids), exportBlock)]
			ids = ids[len(part):]
			var pages []*page.Page
			err := r.files.use(ctx, func(file *crawlReader) (err error) {
				pages, err = file.pages(ctx, part)
				return err
			})
			if err != nil {
				yield(nil, err)
				return
			}
			for _, p := range pages {
				if !yield(p, nil) {
					return
				}
			}
		}
	}
}

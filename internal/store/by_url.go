package store

import (
	"context"
	"iter"

	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/sqlite"
)

// The plus sign keeps SQLite from reading along the index by URL, which would look
// up every row in another place of the file.
var selectByURL = "select " + pageColumns +
	", case when f.target > 0 then (select t.url from url t where t.id = f.target) end " +
	recordTables + " where u.role = 0 order by +u.url, u.id"

// PagesByURL returns the pages of the site, fetched or only found, sorted by the bytes of their URLs, without what the
// links say about them.
func (f *File) PagesByURL(ctx context.Context) iter.Seq2[*page.Page, error] {
	return sequence(ctx, f, selectByURL, func(r sqlite.Row) *page.Page {
		return &page.Page{Record: f.recordOf(r), TargetURL: r.Text(recordCount)}
	})
}

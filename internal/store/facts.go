package store

import (
	"database/sql/driver"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/sqlite"
)

// factValues returns the columns of fetch with the facts of a page. All are null when
// they are not known.
func factValues(f *crawl.Facts) (values [7]driver.Value) {
	if f == nil {
		return values
	}
	return [...]driver.Value{
		nullable(f.Description), nullable(f.H1), int64(f.ImagesWithoutAlt), int64(f.OpenGraph),
		nullable(f.OpenGraphType), nullable(f.JSONLD), int64(flag(f.NeedsScript, 1)),
	}
}

// factsOf reads what factValues returned, from column i on.
func factsOf(r sqlite.Row, i int) *crawl.Facts {
	if r[i+2] == nil {
		return nil
	}
	return &crawl.Facts{
		Description: r.Text(i), H1: r.Text(i + 1), ImagesWithoutAlt: r.Count(i + 2),
		OpenGraph: crawl.OpenGraph(r.Number(i + 3)), OpenGraphType: r.Text(i + 4), JSONLD: r.Text(i + 5),
		NeedsScript: r.Number(i+6) != 0,
	}
}

// nullable returns null for "", which takes no space.
func nullable(s string) driver.Value {
	if s == "" {
		return nil
	}
	return s
}

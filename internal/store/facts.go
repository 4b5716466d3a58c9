package store

import (
	"database/sql/driver"

	"github.com/mapatools/mapa/crawl"
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
func factsOf(r row, i int) *crawl.Facts {
	if r[i+2] == nil {
		return nil
	}
	return &crawl.Facts{
		Description: r.text(i), H1: r.text(i + 1), ImagesWithoutAlt: r.count(i + 2),
		OpenGraph: crawl.OpenGraph(r.number(i + 3)), OpenGraphType: r.text(i + 4), JSONLD: r.text(i + 5),
		NeedsScript: r.number(i+6) != 0,
	}
}

package store

import (
	"fmt"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/statefile"
)

// minRowSize is less than what any row of url takes in the file, so that the size of
// the file bounds the IDs in it.
const minRowSize = 4

// checkVersion refuses a file with other columns than those of today.
func (f *File) checkVersion() error {
	var columns int64
	err := f.db.Query("select count(*) from pragma_table_info('fetch')", func(r sqlite.Row) bool {
		columns = r.Number(0)
		return true
	})
	switch {
	case err != nil:
	case columns > fetchCount:
		err = statefile.ErrNewer
	case columns < fetchCount:
		err = statefile.ErrVersion
	}
	return f.db.Explain(err)
}

// checkTables refuses a file whose tables are not tables, or whose IDs another program has
// made up: readers use them as indexes. size is that of the file and its log.
func (f *File) checkTables(size int64) error {
	var tables int64
	const selectTables = `select count(*) from sqlite_schema
where type = 'table' and rootpage > 0 and name in ('meta', 'url', 'fetch', 'link', 'finding_rule', 'finding_group', 'finding_page',
	'loss')`
	err := f.db.Query(selectTables, func(r sqlite.Row) bool {
		tables = r.Number(0)
		return true
	})
	if err != nil {
		return err
	}
	if tables != 8 {
		return f.db.Explain(fmt.Errorf("%w: a table is missing", sqlite.ErrDamaged))
	}
	if err := f.checkVersion(); err != nil {
		return err
	}
	for _, table := range []string{"url", "fetch", "link"} {
		var first, last int64
		ends := "select coalesce((select min(id) from %[1]s), 1), coalesce((select max(id) from %[1]s), 0)"
		err := f.db.Query(fmt.Sprintf(ends, table), func(r sqlite.Row) bool {
			first, last = r.Number(0), r.Number(1)
			return true
		})
		switch {
		case err != nil:
			return err
		case first < 1, last > size/minRowSize, table != "url" && last > int64(f.last):
			return f.db.Explain(fmt.Errorf("%w: the table %s has IDs from %d to %d", sqlite.ErrDamaged, table, first, last))
		}
		f.last = max(f.last, crawl.ID(last))
	}
	return nil
}

// id returns an ID that a row refers to, or 0 for one that cannot be.
func (f *File) id(r sqlite.Row, i int) crawl.ID {
	if n := r.Number(i); n > 0 && n <= int64(f.last) {
		return crawl.ID(n)
	}
	return 0
}

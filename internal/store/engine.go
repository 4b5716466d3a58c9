package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	"io"
	"net/url"
	"path/filepath"

	"github.com/mapatools/mapa/internal/sqlitecode"
	"modernc.org/sqlite"
)

// database is one connection to SQLite. It calls the driver directly: the pool of
// database/sql costs as much as an insert, and is of no use for a file that one
// process holds alone.
type database struct {
	conn     driver.Conn
	prepared map[*statement]struct{} // and not closed: SQLite keeps the file open for them
}

// settings apply to every connection.
//
// synchronous=full means that a commit is on the disk when it returns; with the
// write-ahead log it takes one fsync, with a rollback journal three or four.
// cache_size is in KiB. Only a new file takes the page size: pages of twice the
// default size halve the number of reads and writes.
const settings = `
pragma page_size = 8192;
pragma synchronous = full;
pragma cache_size = -2048;
pragma trusted_schema = off;
pragma cell_size_check = on;
`

// exclusive keeps the lock until the connection is closed or the process ends.
const exclusive = "pragma locking_mode = exclusive;\n"

// The modes of connect, as SQLite names them.
const (
	modeReadOnly = "ro"
	modeWrite    = "rw"
	modeCreate   = "rwc" // the file may be missing
)

// connect opens the file called name.
func connect(name, mode string) (*database, error) {
	if mode == modeReadOnly {
		return connectWith(name, mode, settings)
	}
	return connectWith(name, mode, settings+exclusive)
}

func connectWith(name, mode, settings string) (*database, error) {
	absolute, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(absolute), RawQuery: "mode=" + mode}
	conn, err := new(sqlite.Driver).Open(address.String())
	if err != nil {
		return nil, classify(err)
	}
	db := &database{conn: conn, prepared: map[*statement]struct{}{}}
	if err := db.exec(settings); err != nil {
		return nil, cmp.Or(err, db.close())
	}
	return db, nil
}

// close closes the connection with its statements.
func (db *database) close() error {
	var err error
	for s := range db.prepared {
		err = cmp.Or(err, s.close())
	}
	return cmp.Or(err, classify(db.conn.Close()))
}

// exec runs statements that need no arguments.
func (db *database) exec(text string) error { return db.execUntil(context.Background(), text) }

// execUntil is exec until ctx ends.
func (db *database) execUntil(ctx context.Context, text string) error {
	_, err := db.conn.(driver.ExecerContext).ExecContext(ctx, text, nil)
	return classify(err)
}

// inTransaction runs change and keeps all that it does, or nothing when it fails.
func (db *database) inTransaction(change func() error) error {
	if err := db.exec("begin immediate"); err != nil {
		return err
	}
	err := change()
	if err == nil {
		err = db.exec("commit")
	}
	if err != nil {
		// After some errors SQLite has already rolled back, and this fails.
		_ = db.exec("rollback")
	}
	return err
}

// statement is an SQL statement that is prepared once and run many times.
type statement struct {
	db   *database
	stmt driver.Stmt
	args []driver.NamedValue
}

func (db *database) prepare(text string) (*statement, error) {
	stmt, err := db.conn.Prepare(text)
	if err != nil {
		return nil, classify(err)
	}
	s := &statement{db: db, stmt: stmt}
	db.prepared[s] = struct{}{}
	return s, nil
}

func (s *statement) close() error {
	delete(s.db.prepared, s)
	return classify(s.stmt.Close())
}

func (s *statement) bind(values []driver.Value) []driver.NamedValue {
	s.args = s.args[:0]
	for i, value := range values {
		s.args = append(s.args, driver.NamedValue{Ordinal: i + 1, Value: value})
	}
	return s.args
}

func (s *statement) exec(values ...driver.Value) error {
	_, err := s.stmt.(driver.StmtExecContext).ExecContext(context.Background(), s.bind(values))
	return classify(err)
}

// query calls each for every row until it returns false. The next row reuses the
// slice of the row.
func (s *statement) query(each func(row row) bool, values ...driver.Value) error {
	return s.queryUntil(context.Background(), each, values...)
}

// queryUntil is query until ctx ends, for which SQLite interrupts sorting and counting
// before the first row.
func (s *statement) queryUntil(ctx context.Context, each func(row row) bool, values ...driver.Value) error {
	rows, err := s.stmt.(driver.StmtQueryContext).QueryContext(ctx, s.bind(values))
	if err != nil {
		return classify(err)
	}
	current := make(row, len(rows.Columns()))
	for {
		err := rows.Next(current)
		if err == io.EOF {
			return classify(rows.Close())
		}
		if err != nil {
			return cmp.Or(classify(err), classify(rows.Close()))
		}
		if !each(current) {
			return classify(rows.Close())
		}
	}
}

// query prepares text and runs it once.
func (db *database) query(text string, each func(row row) bool, values ...driver.Value) error {
	return db.queryUntil(context.Background(), text, each, values...)
}

// queryUntil is query until ctx ends.
func (db *database) queryUntil(
	ctx context.Context, text string, each func(row row) bool, values ...driver.Value,
) error {
	s, err := db.prepare(text)
	if err != nil {
		return err
	}
	return cmp.Or(s.queryUntil(ctx, each, values...), s.close())
}

// row holds the values of a row by column. A value whose type is not that of the
// schema, which only another program can have written, reads as zero.
type row []driver.Value

func (r row) number(i int) int64 {
	n, _ := r[i].(int64)
	return n
}

func (r row) text(i int) string {
	s, _ := r[i].(string)
	return s
}

func (r row) blob(i int) []byte {
	b, _ := r[i].([]byte)
	return b
}

// nullable returns null for "", which takes no space.
func nullable(s string) driver.Value {
	if s == "" {
		return nil
	}
	return s
}

// classify turns SQLite's result codes into the errors of this package.
func classify(err error) error {
	codes := sqlitecode.Errors{
		Locked: ErrLocked, NotDatabase: ErrNotCrawlFile, Damaged: ErrDamaged, Full: ErrFull,
	}
	return codes.Classify(err)
}

package sqlite

import (
	"cmp"
	"context"
	"database/sql/driver"
	"io"
	"math"
	"net/url"
	"path/filepath"
	"sync"

	"modernc.org/sqlite"
)

// dial opens a connection and applies settings.
func dial(ctx context.Context, path string, access Access, settings string) (driver.Conn, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	query := url.Values{"mode": {access.mode()}}
	if access == Immutable {
		query.Set("immutable", "1")
	}
	if access.writes() {
		query.Set("_txlock", "immediate") // of the transactions of a pool
	}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(absolute), RawQuery: query.Encode()}
	conn, err := new(sqlite.Driver).Open(address.String())
	if err != nil {
		return nil, err
	}
	if err := execute(ctx, conn, settings); err != nil {
		_ = conn.Close() // the error before it says more
		return nil, err
	}
	return conn, nil
}

// mode returns the mode in which SQLite opens a file.
func (a Access) mode() string {
	switch a {
	case Share, Write:
		return "rw"
	case Create:
		return "rwc"
	}
	return "ro"
}

// execute runs statements that need no arguments.
func execute(ctx context.Context, conn driver.Conn, text string) error {
	_, err := conn.(driver.ExecerContext).ExecContext(ctx, text, nil)
	return err
}

// A connector opens the connections of a pool.
type connector struct {
	file  *File
	mutex sync.Mutex
	first driver.Conn // nil once the pool has it
}

// Connect implements [driver.Connector].
func (c *connector) Connect(ctx context.Context) (driver.Conn, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if conn := c.first; conn != nil {
		c.first = nil
		return conn, nil
	}
	return dial(ctx, c.file.path, c.file.access, c.file.settings())
}

// Driver implements [driver.Connector].
func (c *connector) Driver() driver.Driver { return &sqlite.Driver{} }

// Close closes the first connection unless the pool has it, which closes its own.
func (c *connector) Close() error {
	if c.first == nil {
		return nil
	}
	return c.first.Close()
}

// Exec runs statements that need no arguments.
func (f *File) Exec(text string) error { return f.ExecUntil(context.Background(), text) }

// ExecUntil is Exec until ctx ends.
func (f *File) ExecUntil(ctx context.Context, text string) error {
	return f.Explain(execute(ctx, f.conn, text))
}

// InTransaction runs change and keeps all that it does, or nothing when it fails.
func (f *File) InTransaction(change func() error) error {
	return f.transact(context.Background(), "begin immediate", change)
}

func (f *File) transact(ctx context.Context, begin string, change func() error) error {
	if err := f.ExecUntil(ctx, begin); err != nil {
		return err
	}
	err := change()
	if err == nil {
		err = f.Exec("commit")
	}
	if err != nil {
		// After some errors SQLite has already rolled back, and this fails.
		_ = f.Exec("rollback")
	}
	return err
}

// A Statement is an SQL statement that is prepared once and run many times.
type Statement struct {
	file *File
	stmt driver.Stmt
	args []driver.NamedValue
}

// Prepare prepares a statement. The file closes it, at the latest.
func (f *File) Prepare(text string) (*Statement, error) {
	stmt, err := f.conn.Prepare(text)
	if err != nil {
		return nil, f.Explain(err)
	}
	s := &Statement{file: f, stmt: stmt}
	f.prepared[s] = struct{}{}
	return s, nil
}

// Close closes the statement.
func (s *Statement) Close() error {
	delete(s.file.prepared, s)
	return s.file.Explain(s.stmt.Close())
}

func (s *Statement) bind(values []driver.Value) []driver.NamedValue {
	s.args = s.args[:0]
	for i, value := range values {
		s.args = append(s.args, driver.NamedValue{Ordinal: i + 1, Value: value})
	}
	return s.args
}

// Exec runs the statement.
func (s *Statement) Exec(values ...driver.Value) error {
	_, err := s.stmt.(driver.StmtExecContext).ExecContext(context.Background(), s.bind(values))
	return s.file.Explain(err)
}

// Query calls each for every row until it returns false. The next row reuses the slice of the
// row.
func (s *Statement) Query(each func(Row) bool, values ...driver.Value) error {
	return s.queryUntil(context.Background(), each, values...)
}

// queryUntil is Query until ctx ends, for which SQLite interrupts sorting and counting
// before the first row.
func (s *Statement) queryUntil(ctx context.Context, each func(Row) bool, values ...driver.Value) error {
	rows, err := s.stmt.(driver.StmtQueryContext).QueryContext(ctx, s.bind(values))
	if err != nil {
		return s.file.Explain(err)
	}
	current := make(Row, len(rows.Columns()))
	for {
		err := rows.Next(current)
		if err == io.EOF || err == nil && !each(current) {
			return s.file.Explain(rows.Close())
		}
		if err != nil {
			return s.file.Explain(cmp.Or(err, rows.Close()))
		}
	}
}

// Query prepares a statement and runs it once.
func (f *File) Query(text string, each func(Row) bool, values ...driver.Value) error {
	return f.QueryUntil(context.Background(), text, each, values...)
}

// QueryUntil is Query until ctx ends.
func (f *File) QueryUntil(ctx context.Context, text string, each func(Row) bool, values ...driver.Value) error {
	s, err := f.Prepare(text)
	if err != nil {
		return err
	}
	return cmp.Or(s.queryUntil(ctx, each, values...), s.Close())
}

// A Row holds the values of a row by column. A value whose type is not that of the schema,
// which only another program can have written, reads as zero.
type Row []driver.Value

// Number returns an integer.
func (r Row) Number(i int) int64 {
	n, _ := r[i].(int64)
	return n
}

// Count returns a small integer, or the nearest that Mapa can have written.
func (r Row) Count(i int) int { return int(min(max(r.Number(i), 0), math.MaxInt32)) }

// Text returns a text.
func (r Row) Text(i int) string {
	s, _ := r[i].(string)
	return s
}

// Blob returns bytes.
func (r Row) Blob(i int) []byte {
	b, _ := r[i].([]byte)
	return b
}

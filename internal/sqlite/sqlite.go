// Package sqlite opens every SQLite file of Mapa. A [Spec] says what a file is and how it is
// used. [Open] refuses a file of something else, of another version, or that another process
// holds, and makes a new one with its tables in one step. All errors that say what is wrong
// with a file are an [Error].
package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"github.com/mapatools/mapa/internal/statefile"
)

// A Kind is what a file holds. Its number is the application id in the header of the file,
// four letters in ASCII.
type Kind int32

// The files of Mapa.
const (
	KindCrawl   Kind = 0x4d617061 // "Mapa": the pages of a crawl
	KindIndex   Kind = 0x4d617049 // "MapI": what queries need of a crawl
	KindServer  Kind = 0x4d617053 // "MapS": the crawls and schedules of a server
	KindLedger  Kind = 0x4d617041 // "MapA": what was announced
	KindWatch   Kind = 0x4d617057 // "MapW": what a watcher has seen
	KindAnswers Kind = 0x4d617043 // "MapC": what other sites answer
	KindFigures Kind = 0x4d617046 // "MapF": what others say about pages
)

// String returns what people call a file of the kind.
func (k Kind) String() string {
	switch k {
	case KindCrawl:
		return "a crawl file"
	case KindIndex:
		return "the index of a crawl"
	case KindServer:
		return "the state of a server"
	case KindLedger:
		return "a ledger of announcements"
	case KindWatch:
		return "the state of a watcher"
	case KindAnswers:
		return "a cache of answers"
	case KindFigures:
		return "the figures of a site"
	}
	return "a file of mapa"
}

// Access is what a process does with a file.
type Access int

// The ways to access a file. Only Write and Create change it.
const (
	Read      Access = iota // a file without a log, which others may write unless it is locked
	Immutable               // nobody writes while the file is open
	Share                   // as Read, of any file: what a killed process left in the log moves into it
	Write
	Create // as Write, and a file that is missing or empty is made
)

// writes reports whether the file may be changed.
func (a Access) writes() bool { return a >= Write }

// Lock is how a process keeps others from a file that it writes.
type Lock int

// The locks. They end with the process.
const (
	LockNone  Lock = iota // each transaction has a lock of its own
	LockWhole             // nobody else opens the file
	LockFile              // nobody else writes; the lock is a file next to it, so that others can read
)

// A Spec describes the files of a kind.
type Spec struct {
	Kind    Kind
	Version int // of the tables; a file of another one is refused
	// Schema are the statements that make the tables of a new file. Fill, when set, adds what
	// a new file holds, in the same transaction.
	Schema string
	Fill   func(*File) error
	// Upgrade makes a file of the version before one of this version when it is opened to write. Nil means that it is
	// refused.
	Upgrade func(*File) error
	// Settings are statements for each connection. They must not change a file that exists.
	Settings string
	Lock     Lock
	// Log makes a writer use the write-ahead log.
	Log bool
	// Private takes the permissions of other users from the file.
	Private bool
	// Wait is how long to wait for a lock of another process.
	Wait time.Duration
}

// safe are the settings of every connection: a file may be of strangers.
const safe = "pragma trusted_schema = off; pragma cell_size_check = on;\n"

// exclusive keeps the lock until the connection is closed or the process ends.
const exclusive = "\npragma locking_mode = exclusive;"

// A File is an open file. Its own methods use one connection and are for one goroutine at a
// time; [File.Pool] is for others.
type File struct {
	name    string // as errors name it
	path    string
	spec    *Spec
	access  Access
	created bool
	// conn is the connection until a pool takes it. It is called directly: the pool of
	// database/sql costs as much as an insert.
	conn     driver.Conn
	prepared map[*Statement]struct{} // and not closed: SQLite keeps the file open for them
	pool     *sql.DB
	lock     driver.Conn
}

// Open opens a file. An [Error] says what is wrong with it. The error wraps fs.ErrNotExist
// when there is no file, or one whose creation was interrupted.
func Open(ctx context.Context, name string, spec *Spec, access Access) (*File, error) {
	f := newFile(name, spec, access)
	if err := f.open(ctx); err != nil {
		return nil, errors.Join(f.explainOpening(err), f.Close())
	}
	return f, nil
}

func newFile(name string, spec *Spec, access Access) *File {
	return &File{name: name, path: name, spec: spec, access: access, prepared: map[*Statement]struct{}{}}
}

func (f *File) open(ctx context.Context) error {
	inspect := f.inspect
	if f.access == Create {
		inspect = f.inspectNew
	}
	if err := inspect(f.path); err != nil {
		return err
	}
	if f.access.writes() && f.spec.Lock == LockFile && f.lock == nil {
		if err := f.takeLockFile(ctx); err != nil {
			return err
		}
	}
	if err := f.connect(ctx); err != nil {
		return err
	}
	if !f.access.writes() {
		return f.checkHeader()
	}
	if err := f.prepareTables(ctx); err != nil {
		return err
	}
	if f.spec.Private {
		if err := restrict(f.path); err != nil {
			return err
		}
	}
	if f.spec.Log {
		return f.Exec("pragma journal_mode = wal")
	}
	return nil
}

// connect opens the first connection.
func (f *File) connect(ctx context.Context) (err error) {
	if f.access == Create && f.spec.Private {
		if err := statefile.Create(f.path); err != nil {
			return err
		}
	}
	f.conn, err = dial(ctx, f.path, f.access, f.settings())
	return err
}

// settings returns the statements for each connection.
func (f *File) settings() string {
	settings := fmt.Sprintf("pragma busy_timeout = %d;\n", f.spec.Wait.Milliseconds()) + safe + f.spec.Settings
	if f.spec.Lock == LockWhole && f.access.writes() {
		settings += exclusive
	}
	return settings
}

// prepareTables takes the lock, makes the tables of a new file and refuses one of something
// else.
func (f *File) prepareTables(ctx context.Context) error {
	begin := "begin immediate"
	if f.spec.Lock == LockWhole {
		begin = "begin exclusive"
	}
	return f.transact(ctx, begin, func() error {
		err := f.checkHeader()
		if errors.Is(err, errBefore) {
			if err := f.spec.Upgrade(f); err != nil {
				return err
			}
			return f.Exec(fmt.Sprintf("pragma user_version = %d", f.spec.Version))
		}
		if f.access != Create || !errors.Is(err, errEmpty) {
			return err
		}
		f.created = true
		if err := f.Exec(f.spec.Schema); err != nil {
			return err
		}
		if f.spec.Fill != nil {
			if err := f.spec.Fill(f); err != nil {
				return err
			}
		}
		return f.Exec(fmt.Sprintf("pragma application_id = %d; pragma user_version = %d", f.spec.Kind, f.spec.Version))
	})
}

// checkHeader refuses a file of another kind or version. The error is errEmpty for a file
// without a table.
func (f *File) checkHeader() error {
	var tables int64
	var kind Kind
	var version int
	const read = `select (select count(*) from sqlite_schema), (select application_id from pragma_application_id),
(select user_version from pragma_user_version)`
	err := f.Query(read, func(r Row) bool {
		tables, kind, version = r.Number(0), Kind(r.Number(1)), int(r.Number(2))
		return true
	})
	switch {
	case err != nil:
		return err
	case tables == 0:
		return errEmpty
	case kind != f.spec.Kind:
		return f.errorOf(ErrForeign)
	case version == f.spec.Version-1 && f.spec.Upgrade != nil && f.access.writes():
		return errBefore
	}
	if err := statefile.CheckVersion(version, f.spec.Version); err != nil {
		return f.errorOf(err)
	}
	return nil
}

// Created reports whether Open made the file.
func (f *File) Created() bool { return f.created }

// Name returns the name of the file, as errors have it.
func (f *File) Name() string { return f.name }

// Pool returns the file for several goroutines, with up to limit connections. Methods of the
// File that read or write cannot be called any more.
func (f *File) Pool(limit int) *sql.DB {
	f.pool = sql.OpenDB(&connector{file: f, first: f.conn})
	f.pool.SetMaxOpenConns(limit)
	f.pool.SetMaxIdleConns(limit)
	f.conn = nil
	return f.pool
}

// Close closes all connections, and releases the lock.
func (f *File) Close() error {
	var errs []error
	for s := range f.prepared {
		errs = append(errs, s.Close())
	}
	if f.pool != nil {
		errs = append(errs, f.pool.Close())
	}
	for _, conn := range []driver.Conn{f.conn, f.lock} {
		if conn != nil {
			errs = append(errs, conn.Close())
		}
	}
	f.pool, f.conn, f.lock = nil, nil, nil
	return f.Explain(errors.Join(errs...))
}

// Millis returns a time as files store it: since 1970, and 0 for the zero time.
func Millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// TimeOf returns the time that Millis has made a number of.
func TimeOf(milliseconds int64) time.Time {
	if milliseconds == 0 {
		return time.Time{}
	}
	return time.UnixMilli(milliseconds)
}

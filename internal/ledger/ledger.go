// Package ledger keeps what was announced in one SQLite file: every batch, recorded
// before it is sent, the quotas of providers, and the state of each sitemap, from which
// changes are counted. Several processes may use one file at once.
package ledger

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/internal/sqlite"
)

//go:embed schema.sql
var schema string

var _ announce.Ledger = (*Ledger)(nil)

// Name is the ledger in the folder of a crawl, or of a server.
const Name = "announce.sqlite"

const (
	// lockTime is how long to wait for another process. A change takes some
	// milliseconds, and counting the changes of a sitemap of a million pages seconds.
	lockTime = 30 * time.Second
	// busyTime is how long SQLite itself waits. No context ends that.
	busyTime = 500 * time.Millisecond
)

// spec describes a ledger.
var spec = sqlite.Spec{
	Kind: sqlite.KindLedger, Version: 1, Schema: schema, Settings: "pragma synchronous = full;",
	Private: true, Wait: busyTime,
}

// A Ledger is an open ledger. It is safe for concurrent use.
type Ledger struct {
	file      *sqlite.File
	db        *sql.DB
	temporary string // folder to remove when it is closed, or empty
}

// Open opens a ledger, and creates it if there is none. The folder must exist. Only its owner
// may read it: it takes the permissions of others from a ledger that has them. A [sqlite.Error]
// says what is wrong with a file that cannot be used.
func Open(ctx context.Context, name string) (*Ledger, error) {
	return openFile(ctx, name, sqlite.Create)
}

func openFile(ctx context.Context, name string, access sqlite.Access) (*Ledger, error) {
	var file *sqlite.File
	err := retryLocked(ctx, func() (err error) {
		file, err = sqlite.Open(ctx, name, &spec, access)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &Ledger{file: file, db: file.Pool(1)}, nil
}

// OpenCopy opens a copy of a ledger, or an empty one if there is none. What is recorded
// in it is lost when it is closed.
func OpenCopy(ctx context.Context, name string) (*Ledger, error) {
	folder, err := os.MkdirTemp("", "mapa-ledger-")
	if err != nil {
		return nil, err
	}
	copied := filepath.Join(folder, "copy.sqlite")
	err = CopyTo(ctx, name, copied)
	var l *Ledger
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		l, err = Open(ctx, copied)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	l.temporary = folder
	return l, nil
}

// CopyTo writes all that a ledger holds at a moment to a new file, also while others use it.
// The error wraps fs.ErrNotExist when there is no ledger, or one whose creation was cut off.
func CopyTo(ctx context.Context, name, copied string) error {
	l, err := openFile(ctx, name, sqlite.Share) // what a crash left half done is undone
	if err != nil {
		return err
	}
	err = l.retryBusy(ctx, func() error { return l.file.CopyTo(ctx, copied) })
	return errors.Join(err, l.Close())
}

// A querier is a database or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Close closes the ledger.
func (l *Ledger) Close() error {
	err := l.file.Close()
	if l.temporary != "" {
		err = errors.Join(err, os.RemoveAll(l.temporary))
	}
	return err
}

// inTransaction runs change and keeps all that it does, or nothing when it fails.
func (l *Ledger) inTransaction(ctx context.Context, change func(*sql.Tx) error) error {
	var tx *sql.Tx
	err := l.retryBusy(ctx, func() (err error) {
		tx, err = l.db.BeginTx(ctx, nil)
		return err
	})
	if err != nil {
		return err
	}
	if err := change(tx); err != nil {
		_ = tx.Rollback() // after some errors SQLite has already rolled back
		return l.file.Explain(err)
	}
	return l.file.Explain(tx.Commit())
}

// retryBusy is retryLocked for a query of the ledger.
func (l *Ledger) retryBusy(ctx context.Context, do func() error) error {
	return retryLocked(ctx, func() error { return l.file.Explain(do()) })
}

// retryLocked calls do again while another process holds the ledger, until ctx ends or lockTime
// has passed.
func retryLocked(ctx context.Context, do func() error) error {
	for begun := time.Now(); ; {
		err := do()
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case !errors.Is(err, sqlite.ErrLocked) || time.Since(begun) > lockTime:
			return err
		}
	}
}

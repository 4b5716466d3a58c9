// Package ledger keeps what was announced in one SQLite file: every batch, recorded
// before it is sent, the quotas of providers, and the state of each sitemap, from which
// changes are counted. Several processes may use one file at once.
package ledger

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/internal/sqlitecode"
	"github.com/mapatools/mapa/internal/statefile"
)

var (
	// ErrLocked means that another process held the ledger for too long.
	ErrLocked = errors.New("the ledger is in use by another process")
	// ErrNotLedger means that the file is something else.
	ErrNotLedger = errors.New("not a ledger of announcements")
	// ErrVersion means that another version of the program made the ledger.
	ErrVersion = errors.New("the ledger was made by another version")
	// ErrDamaged means that parts of the ledger are lost or changed.
	ErrDamaged = errors.New("the ledger is damaged")
	// ErrNoFolder means that the folder of the file cannot be found.
	ErrNoFolder = errors.New("there is no such folder")
	// ErrFull means that the disk is full.
	ErrFull = errors.New("disk is full")
)

// version is the version of the schema.
const version = 2

// applicationID marks a SQLite file as a ledger: "MapA" in ASCII.
const applicationID = 0x4d617041

//go:embed schema.sql
var schema string

var _ announce.Ledger = (*Ledger)(nil)

// A Ledger is an open ledger. It is safe for concurrent use.
type Ledger struct {
	name      string
	db        *sql.DB
	temporary string // folder to remove when it is closed, or empty
}

const (
	// lockTime is how long to wait for another process. A change takes some
	// milliseconds, and counting the changes of a sitemap of a million pages seconds.
	lockTime = 30 * time.Second
	// busyTime is how long SQLite itself waits, in milliseconds. No context ends that.
	busyTime = 500
)

// Open opens a ledger, and creates it if there is none. The folder must exist. Only its owner
// may read it: it takes the permissions of others from a ledger that has them.
func Open(ctx context.Context, name string) (*Ledger, error) {
	if _, err := os.Stat(filepath.Dir(name)); err != nil {
		return nil, fmt.Errorf("open the ledger %s: %w", name, ErrNoFolder)
	}
	if !sqlitecode.MayBeDatabase(name) {
		return nil, fmt.Errorf("open the ledger %s: %w", name, ErrNotLedger)
	}
	var l *Ledger
	err := statefile.Create(name)
	if err == nil {
		l, err = open(ctx, name, "rwc")
	}
	if err != nil {
		return nil, fmt.Errorf("open the ledger %s: %w", name, err)
	}
	if err := statefile.RestrictDatabase(name); err != nil {
		return nil, errors.Join(fmt.Errorf("open the ledger %s: %w", name, err), l.Close())
	}
	return l, nil
}

// OpenCopy opens a copy of a ledger, or an empty one if there is none. What is recorded
// in it is lost when it is closed.
func OpenCopy(ctx context.Context, name string) (*Ledger, error) {
	folder, err := os.MkdirTemp("", "mapa-ledger-")
	if err != nil {
		return nil, err
	}
	copied := filepath.Join(folder, "copy.sqlite")
	switch info, statErr := os.Stat(name); {
	case errors.Is(statErr, fs.ErrNotExist), statErr == nil && info.Size() == 0: // or its creation was cut off
	case statErr != nil:
		err = statErr
	case !info.Mode().IsRegular():
		err = ErrNotLedger
	default:
		err = CopyTo(ctx, name, copied)
	}
	var l *Ledger
	if err == nil {
		l, err = open(ctx, copied, "rwc")
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("copy the ledger %s: %w", name, err), os.RemoveAll(folder))
	}
	l.temporary = folder
	return l, nil
}

// CopyTo writes all that a ledger holds at a moment to a new file, also while others use it.
func CopyTo(ctx context.Context, name, copied string) error {
	l, err := open(ctx, name, "rw") // what a crash left half done is undone
	if err != nil {
		return err
	}
	err = retryBusy(ctx, func() error {
		_, err := l.db.ExecContext(ctx, "vacuum into ?", copied)
		return err
	})
	return errors.Join(err, l.Close())
}

func open(ctx context.Context, name, mode string) (*Ledger, error) {
	absolute, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	query := url.Values{"mode": {mode}, "_txlock": {"immediate"}}
	for _, pragma := range []string{
		"busy_timeout(" + strconv.Itoa(busyTime) + ")", "synchronous(full)", "trusted_schema(off)", "cell_size_check(on)",
	} {
		query.Add("_pragma", pragma)
	}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(absolute), RawQuery: query.Encode()}
	db, err := sql.Open("sqlite", address.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	l := &Ledger{name: name, db: db}
	if err := l.prepare(ctx, mode == "rwc"); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return l, nil
}

// prepare creates the tables of a new file, and refuses a file of something else.
func (l *Ledger) prepare(ctx context.Context, create bool) error {
	if !create {
		return retryBusy(ctx, func() error { return l.check(ctx, l.db) })
	}
	return l.inTransaction(ctx, func(tx *sql.Tx) error {
		var tables int
		if err := tx.QueryRow("select count(*) from sqlite_schema").Scan(&tables); err != nil {
			return err
		}
		if tables > 0 {
			return l.check(ctx, tx)
		}
		_, err := tx.Exec(schema + fmt.Sprintf("pragma application_id = %d; pragma user_version = %d", applicationID, version))
		return err
	})
}

// A querier is a database or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

func (l *Ledger) check(ctx context.Context, q querier) error {
	var application, made int
	const read = "select (select application_id from pragma_application_id), (select user_version from pragma_user_version)"
	switch err := q.QueryRowContext(ctx, read).Scan(&application, &made); {
	case err != nil:
		return classify(err)
	case application != applicationID:
		return ErrNotLedger
	case made != version:
		return ErrVersion
	}
	return nil
}

// Close closes the ledger.
func (l *Ledger) Close() error {
	err := classify(l.db.Close())
	if l.temporary != "" {
		err = errors.Join(err, os.RemoveAll(l.temporary))
	}
	return err
}

// inTransaction runs change and keeps all that it does, or nothing when it fails.
func (l *Ledger) inTransaction(ctx context.Context, change func(*sql.Tx) error) error {
	var tx *sql.Tx
	err := retryBusy(ctx, func() (err error) {
		tx, err = l.db.BeginTx(ctx, nil)
		return err
	})
	if err != nil {
		return err
	}
	if err := change(tx); err != nil {
		_ = tx.Rollback() // after some errors SQLite has already rolled back
		return classify(err)
	}
	return classify(tx.Commit())
}

// retryBusy calls do again while another process holds the ledger, until ctx ends or lockTime
// has passed.
func retryBusy(ctx context.Context, do func() error) error {
	for begun := time.Now(); ; {
		err := classify(do())
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case !errors.Is(err, ErrLocked) || time.Since(begun) > lockTime:
			return err
		}
	}
}

// classify turns SQLite's result codes into the errors of this package.
func classify(err error) error {
	codes := sqlitecode.Errors{
		Locked: ErrLocked, NotDatabase: ErrNotLedger, Damaged: ErrDamaged, Full: ErrFull,
	}
	return codes.Classify(err)
}

func milliseconds(t time.Time) int64 { return t.UnixMilli() }

func timeOf(milliseconds int64) time.Time { return time.UnixMilli(milliseconds) }

// Package jobs keeps what a server has to remember in one SQLite file: crawls, schedules,
// what is left to do after a crawl, and what strangers have used of their quotas. It
// stores and finds; package service decides.
package jobs

import (
	"context"
	"crypto/rand"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"github.com/mapatools/mapa/internal/sqlitecode"
	"github.com/mapatools/mapa/internal/statefile"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

var (
	// ErrLocked means that another server uses the folder.
	ErrLocked = errors.New("the folder is in use by another server")
	// ErrNotJobs means that the file is something else.
	ErrNotJobs = errors.New("not the file of a server")
	// ErrVersion means that a newer version of the program made the file.
	ErrVersion = errors.New("the file was made by a newer version")
	// ErrOldVersion means that no server of this version has opened the file yet.
	ErrOldVersion = errors.New("the file was made by an older version: use that one, or start the server first")
	// ErrDamaged means that parts of the file are lost or changed.
	ErrDamaged = errors.New("the file of the server is damaged")
	// ErrNoFile means that no server has used the folder.
	ErrNoFile = errors.New("there is no file of a server")
	// ErrFull means that the disk is full. Nothing of the change is kept.
	ErrFull = errors.New("disk is full")
	// ErrNotFound means that there is no such crawl or schedule.
	ErrNotFound = errors.New("not found")
)

// FileName is the file in the folder of a server.
const FileName = "mapa.sqlite"

const lockName = "lock"

// applicationID marks a SQLite file as that of a server: "MapS" in ASCII.
const applicationID = 0x4d617053

//go:embed schema.sql
var schema string

// migrations lead from each version of the schema to the next one, beginning with an
// empty file. Only new ones are appended.
var migrations = []string{schema}

// A Store is the open file of a server. Until it is closed, no other process can open it.
// Its methods may be called by several goroutines; changes happen one after the other.
type Store struct {
	db   *sql.DB
	lock *sql.DB
	key  []byte
}

// Open opens the file in a folder that exists, and creates it if there is none. The error
// wraps ErrLocked when another server has the folder, or ErrNotJobs, ErrVersion or
// ErrDamaged when the file cannot be used.
func Open(ctx context.Context, folder string) (*Store, error) {
	s := &Store{}
	if err := s.open(ctx, folder); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", filepath.Join(folder, FileName), classify(err)), s.Close())
	}
	return s, nil
}

func (s *Store) open(ctx context.Context, folder string) (err error) {
	// The lock is a SQLite file without a table: its lock ends with the process.
	lock := filepath.Join(folder, lockName)
	if s.lock, err = database(lock, modeCreate, toWrite, 0); err != nil {
		return err
	}
	if _, err := s.lock.ExecContext(ctx, "pragma locking_mode = exclusive; begin exclusive"); err != nil {
		return err
	}
	if err := s.openFile(ctx, folder); err != nil {
		return err
	}
	return statefile.RestrictDatabase(lock)
}

// openFile opens the file in a folder that nobody else has open.
func (s *Store) openFile(ctx context.Context, folder string) (err error) {
	name := filepath.Join(folder, FileName)
	if s.db, err = database(name, modeCreate, toWrite, busyTime); err != nil {
		return err
	}
	if err := s.Update(ctx, (*Tx).migrate); err != nil {
		return err
	}
	if err := statefile.RestrictDatabase(name); err != nil {
		return err
	}
	if _, err := s.db.ExecContext(ctx, settings); err != nil {
		return err
	}
	return s.Update(ctx, func(tx *Tx) error {
		err := tx.row("select value from meta where name = 'key'").Scan(&s.key)
		if errors.Is(err, sql.ErrNoRows) {
			err = ErrDamaged
		}
		return err
	})
}

const settings = `
pragma journal_mode = wal;
pragma synchronous = full;
pragma cache_size = -4096;
pragma journal_size_limit = 4194304;
`

// busyTime is how long SQLite waits for a backup that opens or closes the file.
const busyTime = 5 * time.Second

// The modes in which SQLite opens a file.
const (
	modeRead   = "ro"
	modeWrite  = "rw"
	modeCreate = "rwc"
)

// The modes of transactions: one that may write takes the lock when it begins.
const (
	toRead  = "deferred"
	toWrite = "immediate"
)

// database opens a SQLite file in a mode with one connection, so that no statement waits for
// a lock of this process. One of another process is waited for up to busy. Only the owner may
// read a file that is created: options of crawls hold passwords.
func database(name, mode, lock string, busy time.Duration) (*sql.DB, error) {
	absolute, err := filepath.Abs(name)
	if err == nil && mode == modeCreate {
		err = statefile.Create(absolute)
	}
	if err != nil {
		return nil, err
	}
	query := url.Values{"mode": {mode}, "_txlock": {lock}, "_pragma": {
		fmt.Sprintf("busy_timeout(%d)", busy.Milliseconds()), "trusted_schema(off)", "cell_size_check(on)",
	}}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(absolute), RawQuery: query.Encode()}
	db, err := sql.Open("sqlite", address.String())
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

// migrate brings the schema to the version of this program.
func (tx *Tx) migrate() error {
	version, err := tx.version()
	if err != nil || version == len(migrations) {
		return err
	}
	for _, migration := range migrations[version:] {
		if err := tx.exec(migration); err != nil {
			return err
		}
	}
	if version == 0 {
		var key [32]byte
		rand.Read(key[:])
		if err := tx.exec("insert into meta (name, value) values ('key', ?)", key[:]); err != nil {
			return err
		}
	}
	return tx.exec(fmt.Sprintf("pragma application_id = %d; pragma user_version = %d", applicationID, len(migrations)))
}

// version returns the version of the schema, 0 of an empty file. The error is ErrNotJobs or
// ErrVersion when the file cannot be used.
func (tx *Tx) version() (version int, err error) {
	var tables, application int
	const read = `select (select count(*) from sqlite_schema), (select application_id from pragma_application_id),
		(select user_version from pragma_user_version)`
	err = tx.row(read).Scan(&tables, &application, &version)
	switch {
	case err != nil:
		return 0, err
	case tables > 0 && application != applicationID:
		return 0, ErrNotJobs
	case version > len(migrations):
		return 0, ErrVersion
	}
	return version, nil
}

// Key returns 32 random bytes that the file keeps.
func (s *Store) Key() []byte { return s.key }

// Close closes the file and lets another process open it.
func (s *Store) Close() error {
	var errs []error
	for _, db := range []*sql.DB{s.db, s.lock} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// A Tx is a transaction: all of its changes are kept, or none.
type Tx struct {
	ctx context.Context
	tx  *sql.Tx
}

// Update runs change in a transaction. All that it does is on the disk when Update returns, or
// nothing when change fails.
func (s *Store) Update(ctx context.Context, change func(*Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return classify(err)
	}
	if err := change(&Tx{ctx, tx}); err != nil {
		_ = tx.Rollback() // after some errors SQLite has already rolled back
		return classify(err)
	}
	return classify(tx.Commit())
}

func (tx *Tx) exec(query string, args ...any) error {
	_, err := tx.tx.ExecContext(tx.ctx, query, args...)
	return err
}

func (tx *Tx) row(query string, args ...any) *sql.Row {
	return tx.tx.QueryRowContext(tx.ctx, query, args...)
}

// A scanner is a row.
type scanner interface{ Scan(into ...any) error }

// list reads all rows of a query, which bounds their number.
func list[T any](tx *Tx, read func(scanner) (T, error), query string, args ...any) (all []T, err error) {
	rows, err := tx.tx.QueryContext(tx.ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		value, err := read(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, value)
	}
	return all, rows.Err()
}

// found turns the lack of a row into ErrNotFound.
func found(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotFound
	}
	return err
}

// classify turns SQLite's result codes into the errors of this package.
func classify(err error) error {
	codes := sqlitecode.Errors{
		Locked: ErrLocked, NotDatabase: ErrNotJobs, Damaged: ErrDamaged, Full: ErrFull,
	}
	return codes.Classify(err)
}

// milliseconds returns a time as it is stored; the zero time is 0.
func milliseconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func timeOf(milliseconds int64) time.Time {
	if milliseconds == 0 {
		return time.Time{}
	}
	return time.UnixMilli(milliseconds)
}

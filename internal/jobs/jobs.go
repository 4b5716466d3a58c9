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
	// ErrDamaged means that parts of the file are lost or changed.
	ErrDamaged = errors.New("the file of the server is damaged")
	// ErrFull means that the disk is full. Nothing of the change is kept.
	ErrFull = errors.New("disk is full")
	// ErrNotFound means that there is no such crawl or schedule.
	ErrNotFound = errors.New("not found")
)

// The files in the folder of a server.
const (
	fileName = "mapa.sqlite"
	lockName = "lock"
)

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
		return nil, errors.Join(fmt.Errorf("open %s: %w", filepath.Join(folder, fileName), classify(err)), s.Close())
	}
	return s, nil
}

func (s *Store) open(ctx context.Context, folder string) (err error) {
	lock, file := filepath.Join(folder, lockName), filepath.Join(folder, fileName)
	// The lock is a SQLite file without a table: its lock ends with the process.
	if s.lock, err = database(lock); err != nil {
		return err
	}
	if _, err := s.lock.ExecContext(ctx, "pragma locking_mode = exclusive; begin exclusive"); err != nil {
		return err
	}
	if s.db, err = database(file); err != nil {
		return err
	}
	if err := s.Update(ctx, (*Tx).migrate); err != nil {
		return err
	}
	if err := errors.Join(statefile.RestrictDatabase(lock), statefile.RestrictDatabase(file)); err != nil {
		return err
	}
	if _, err := s.db.ExecContext(ctx, settings); err != nil {
		return err
	}
	return s.Update(ctx, func(tx *Tx) error {
		return tx.row("select value from meta where name = 'key'").Scan(&s.key)
	})
}

const settings = `
pragma journal_mode = wal;
pragma synchronous = full;
pragma cache_size = -4096;
pragma journal_size_limit = 4194304;
`

// database opens a SQLite file with one connection, so that no statement waits for a lock
// of this process. Only its owner may read it: options of crawls hold passwords.
func database(name string) (*sql.DB, error) {
	absolute, err := filepath.Abs(name)
	if err == nil {
		err = statefile.Create(absolute)
	}
	if err != nil {
		return nil, err
	}
	query := url.Values{
		"mode": {"rwc"}, "_txlock": {"immediate"}, "_pragma": {"trusted_schema(off)", "cell_size_check(on)"},
	}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(absolute), RawQuery: query.Encode()}
	db, err := sql.Open("sqlite", address.String())
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

// migrate brings the schema to the version of this program.
func (tx *Tx) migrate() error {
	var tables, application, version int
	const read = `select (select count(*) from sqlite_schema), (select application_id from pragma_application_id),
		(select user_version from pragma_user_version)`
	if err := tx.row(read).Scan(&tables, &application, &version); err != nil {
		return err
	}
	switch {
	case tables > 0 && application != applicationID:
		return ErrNotJobs
	case version > len(migrations):
		return ErrVersion
	case version == len(migrations):
		return nil
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

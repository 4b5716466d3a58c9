// Package jobs keeps the state of a server in one SQLite file: crawls, schedules, the tasks
// that follow a crawl, and the quotas that strangers have used. It stores and finds; package
// service decides.
package jobs

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"path/filepath"
	"time"

	"github.com/mapatools/mapa/internal/sqlite"
)

var (
	// ErrNoFile means that no server has used the folder.
	ErrNoFile = errors.New("there is no file of a server")
	// ErrNotFound means that there is no such crawl or schedule.
	ErrNotFound = errors.New("not found")
)

// FileName is the file in the folder of a server.
const FileName = "mapa.sqlite"

//go:embed schema.sql
var schema string

// spec describes the file. It waits for a backup that opens or closes it. Only its owner may
// read it: options of crawls hold passwords.
var spec = sqlite.Spec{
	Kind: sqlite.KindServer, Version: 2, Schema: schema, Fill: sqlite.AddKey,
	Settings: "pragma synchronous = full; pragma cache_size = -4096; pragma journal_size_limit = 4194304;",
	Lock:     sqlite.LockFile, Log: true, Private: true, Wait: 5 * time.Second,
}

// A Store is the open file of a server. Until it is closed, no other process can open it.
// Its methods may be called by several goroutines; changes happen one after the other.
type Store struct {
	file *sqlite.File
	db   *sql.DB
	key  []byte
}

// Open opens the file in a folder that exists, and creates it if there is none. A
// [sqlite.Error] says what is wrong with a file that cannot be used.
func Open(ctx context.Context, folder string) (*Store, error) {
	file, err := sqlite.Open(ctx, filepath.Join(folder, FileName), &spec, sqlite.Create)
	if err != nil {
		return nil, err
	}
	return newStore(file)
}

// newStore returns the store in a file, and closes a damaged one. There is one connection, so
// that no statement waits for a lock of this process.
func newStore(file *sqlite.File) (*Store, error) {
	key, err := file.ReadKey()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &Store{file: file, db: file.Pool(1), key: key[:]}, nil
}

// Key returns 32 random bytes that the file keeps.
func (s *Store) Key() []byte { return s.key }

// Close closes the file and lets another process open it.
func (s *Store) Close() error { return s.file.Close() }

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
		return s.file.Explain(err)
	}
	if err := change(&Tx{ctx, tx}); err != nil {
		_ = tx.Rollback() // after some errors SQLite has already rolled back
		return s.file.Explain(err)
	}
	return s.file.Explain(tx.Commit())
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

// missingAsNotFound turns the lack of a row into ErrNotFound.
func missingAsNotFound(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotFound
	}
	return err
}

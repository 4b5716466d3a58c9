package result

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/mapatools/mapa/internal/sqlitecode"
	"github.com/mapatools/mapa/internal/store"
)

// maxConnections is the number of queries that run at the same time. Others wait. Each
// takes up to 3 MB.
const maxConnections = 3

// connect opens a file of tables. Nobody writes to one that is read.
func connect(name string, query url.Values, pragmas ...string) (*sql.DB, error) {
	absolute, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	for _, pragma := range append(pragmas, "trusted_schema(off)", "cell_size_check(on)") {
		query.Add("_pragma", pragma)
	}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(absolute), RawQuery: query.Encode()}
	return sql.Open("sqlite", address.String())
}

// openFile opens a file of tables to read it. The error wraps fs.ErrNotExist when there is
// none with this stamp.
func openFile(ctx context.Context, name, stamp string) (*sql.DB, error) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	db, err := connect(name, url.Values{"mode": {"ro"}, "immutable": {"1"}}, "cache_size(-1024)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(maxConnections)
	db.SetMaxIdleConns(maxConnections)
	var found string
	err = db.QueryRowContext(ctx, "select value from meta where name = 'stamp'").Scan(&found)
	if ctx.Err() != nil {
		return nil, errors.Join(ctx.Err(), db.Close())
	}
	if err != nil || found != stamp { // of another version, of another crawl, or damaged
		return nil, errors.Join(fmt.Errorf("%s: %w", name, fs.ErrNotExist), db.Close())
	}
	return db, nil
}

// leftAfter is the age from which a temporary file is what a killed process left.
const leftAfter = time.Hour

// removeLeft removes what killed processes left of new files.
func removeLeft(pattern string) {
	names, _ := filepath.Glob(pattern)
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > leftAfter {
			_ = os.Remove(name) // the next one tries again
		}
	}
}

// inNewFile creates a file of tables, which replaces the named one when fill has written
// all of it. The temporary name is one that a later crawl removes, too.
func inNewFile(ctx context.Context, name string, fill func(*sql.Tx) error) (err error) {
	pattern := ".mapa-" + filepath.Base(name) + ".*.tmp"
	removeLeft(filepath.Join(filepath.Dir(name), pattern))
	temporary, err := os.CreateTemp(filepath.Dir(name), pattern)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, remove(temporary.Name()))
		}
	}()
	if err := temporary.Close(); err != nil {
		return err
	}
	db, err := connect(temporary.Name(), url.Values{"mode": {"rw"}}, "page_size(8192)", "journal_mode(off)",
		"synchronous(off)", "locking_mode(exclusive)", "cache_size(-4096)", "temp_store(file)")
	if err != nil {
		return err
	}
	err = errors.Join(classify(fillFile(ctx, db, fill)), db.Close())
	if err == nil {
		err = syncFile(temporary.Name())
	}
	if err == nil {
		err = os.Rename(temporary.Name(), name)
	}
	return err
}

func fillFile(ctx context.Context, db *sql.DB, fill func(*sql.Tx) error) error {
	db.SetMaxOpenConns(1)
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if _, err = tx.ExecContext(ctx, schema); err == nil {
		err = fill(tx)
	}
	if err != nil {
		_ = tx.Rollback() // the file goes away
		return err
	}
	return tx.Commit()
}

// syncFile waits until a file is on the disk.
func syncFile(name string) error {
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// readMeta reads a value of the table meta.
func readMeta(ctx context.Context, db *sql.DB, name string, value any) error {
	var text []byte
	if err := db.QueryRowContext(ctx, "select value from meta where name = ?", name).Scan(&text); err != nil {
		return err
	}
	if err := json.Unmarshal(text, value); err != nil {
		return fmt.Errorf("%w (%w)", errDamaged, err)
	}
	return nil
}

// classify turns SQLite's result codes into the errors of this package.
func classify(err error) error {
	codes := sqlitecode.Errors{Damaged: errDamaged, Full: store.ErrFull}
	return codes.Classify(err)
}

// isNotFound reports whether a query found no row, or a name is not in the crawl.
func isNotFound(err error) bool { return errors.Is(err, sql.ErrNoRows) || errors.Is(err, ErrNotFound) }

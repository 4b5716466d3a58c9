package result

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/mapatools/mapa/internal/sqlite"
)

// maxConnections is the number of queries that run at the same time. Others wait. Each
// takes up to 3 MB.
const maxConnections = 3

// spec describes a file of tables. The version changes with them.
var spec = sqlite.Spec{
	Kind: sqlite.KindIndex, Version: 2, Schema: schema, Settings: "pragma cache_size = -1024;",
}

// newSpec is spec for a file that counts only when all of it is written.
var newSpec = sqlite.Spec{
	Kind: spec.Kind, Version: spec.Version, Schema: schema, Lock: sqlite.LockWhole,
	Settings: "pragma page_size = 8192; pragma journal_mode = off; pragma synchronous = off; " +
		"pragma cache_size = -4096; pragma temp_store = file;",
}

// openTables opens a file of tables to read it. The error wraps fs.ErrNotExist when there is
// none with this stamp.
func openTables(ctx context.Context, name, stamp string) (*sqlite.File, error) {
	file, err := sqlite.Open(ctx, name, &spec, sqlite.Immutable)
	var found string
	if err == nil {
		err = file.Query("select value from meta where name = 'stamp'", func(r sqlite.Row) bool {
			found = r.Text(0)
			return true
		})
	}
	if err == nil && found == stamp {
		return file, nil
	}
	if file != nil {
		err = file.Close() // of another crawl, or damaged
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, errors.Join(fmt.Errorf("%s: %w", name, fs.ErrNotExist), err)
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

// writeTables creates a file of tables, which replaces the named one when fill has written
// all of it. The temporary name is one that a later crawl removes, too.
func writeTables(ctx context.Context, name string, fill func(*sql.Tx) error) (err error) {
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
	err = fillFile(ctx, temporary.Name(), fill)
	if e := (*sqlite.Error)(nil); errors.As(err, &e) && e.Name == temporary.Name() {
		e.Name = name
	}
	if err == nil {
		err = syncFile(temporary.Name())
	}
	if err == nil {
		err = os.Rename(temporary.Name(), name)
	}
	return err
}

// fillFile makes the tables in an empty file, and fills them in one transaction.
func fillFile(ctx context.Context, name string, fill func(*sql.Tx) error) error {
	file, err := sqlite.Open(ctx, name, &newSpec, sqlite.Create)
	if err != nil {
		return err
	}
	tx, err := file.Pool(1).BeginTx(ctx, nil)
	if err == nil {
		err = fill(tx)
		if err == nil {
			err = tx.Commit()
		} else {
			_ = tx.Rollback() // the file goes away
		}
	}
	return errors.Join(file.Explain(err), file.Close())
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
		return fmt.Errorf("%w: %w", sqlite.ErrDamaged, err)
	}
	return nil
}

// isNotFound reports whether a query found no row, or a name is not in the crawl.
func isNotFound(err error) bool { return errors.Is(err, sql.ErrNoRows) || errors.Is(err, ErrNotFound) }

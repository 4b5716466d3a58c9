package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/mapatools/mapa/internal/statefile"
)

// lockSuffix is what the name of a lock file has after that of the file. It is a SQLite file
// without a table: its lock excludes other writers, not readers, and ends with the process.
const lockSuffix = "-lock"

// takeLockFile takes the lock next to the file, until the file is closed.
func (f *File) takeLockFile(ctx context.Context) error {
	err := f.openLockFile(ctx, f.path+lockSuffix)
	if foreign := (*Error)(nil); errors.As(f.Explain(err), &foreign) && foreign.Err == ErrForeign {
		foreign.Name += lockSuffix
		return foreign
	}
	return err
}

func (f *File) openLockFile(ctx context.Context, name string) error {
	err := f.inspectNew(name)
	if err == nil {
		err = statefile.Create(name)
	}
	if err == nil {
		f.lock, err = dial(ctx, name, Create, exclusive)
	}
	if err == nil {
		err = execute(ctx, f.lock, "begin exclusive")
	}
	if err == nil {
		err = restrict(name)
	}
	return err
}

// shareLockFile keeps writers away until the file is closed, but not others who only read. A
// file that no writer has opened has no lock, and gets none.
func (f *File) shareLockFile(ctx context.Context) (err error) {
	name := f.path + lockSuffix
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if f.lock, err = dial(ctx, name, Read, ""); err != nil {
		return err
	}
	return execute(ctx, f.lock, "begin; select count(*) from sqlite_schema")
}

// checkUnlocked returns ErrLocked when another process holds the whole file. In exclusive mode
// SQLite makes no file for its lock, and fails after the first step.
func (f *File) checkUnlocked(ctx context.Context) error {
	conn, err := dial(ctx, f.path, Read, exclusive)
	if err != nil {
		return err
	}
	err = execute(ctx, conn, "begin; select count(*) from sqlite_schema")
	if locked := f.Explain(err); errors.Is(locked, ErrLocked) {
		return errors.Join(locked, conn.Close())
	}
	return conn.Close()
}

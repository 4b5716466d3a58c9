package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/mapatools/mapa/internal/statefile"
)

// What can be wrong with a file. An [Error] wraps one of them, or statefile.ErrVersion.
var (
	// ErrForeign means that the file is something else.
	ErrForeign = errors.New("something else")
	// ErrDamaged means that parts of the file are lost or changed: pages, tables, columns or
	// types are not as Mapa wrote them.
	ErrDamaged = errors.New("damaged")
	// ErrLocked means that another process, or another File of this one, uses the file.
	ErrLocked = errors.New("in use by another process")
	// ErrFull means that the disk is full. What was committed before is kept.
	ErrFull = errors.New("on a full disk")
	// ErrNoAccess means that the user may not read the file, or not write it or its folder.
	ErrNoAccess = errors.New("not accessible: it or its folder is read-only, or of another user")
	// ErrNoFolder means that the folder of a file to be made is missing.
	ErrNoFolder = errors.New("in a folder that is missing")
)

// An Error says what is wrong with a file. The text has no SQL.
type Error struct {
	Name string
	Kind Kind
	Err  error // one of the errors of this package, perhaps with a detail, or statefile.ErrVersion

	cause error // what SQLite reports, which is not shown
}

// Error names the file and what is wrong.
func (e *Error) Error() string {
	switch {
	case e.Err == ErrForeign:
		return fmt.Sprintf("%s is not %v", e.Name, e.Kind)
	case errors.Is(e.Err, statefile.ErrVersion):
		return fmt.Sprintf("%s was %v", e.Name, e.Err)
	}
	return fmt.Sprintf("%s is %v", e.Name, e.Err)
}

// Unwrap returns what is wrong, and what SQLite reports.
func (e *Error) Unwrap() []error { return []error{e.Err, e.cause} }

// Is reports whether a target is an Error without a name for the same kind of file and an
// error that this one wraps.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && other.Name == "" && e.Kind == other.Kind && errors.Is(e.Err, other.Err)
}

func (f *File) errorOf(err error) *Error { return &Error{Name: f.name, Kind: f.spec.Kind, Err: err} }

// Explain returns an [Error] for what SQLite reports, for a value of another type than its
// column, and for an error that wraps ErrDamaged or statefile.ErrVersion. Other errors stay as they are. It must not
// be used for statements of other people, which may be wrong themselves. See
// https://www.sqlite.org/rescode.html for the codes; extended ones count as their primary ones.
func (f *File) Explain(err error) error {
	var explained *Error
	var failure *sqlite.Error
	switch {
	case err == nil || errors.As(err, &explained):
		return err
	case errors.As(err, &failure):
		return f.explainCode(failure.Code()&0xff, err)
	case isScanError(err):
		return f.withCause(ErrDamaged, err)
	case errors.Is(err, ErrDamaged), errors.Is(err, statefile.ErrVersion):
		return f.errorOf(err)
	}
	return err
}

func (f *File) explainCode(code int, err error) error {
	switch code {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return f.withCause(ErrLocked, err)
	case sqlite3.SQLITE_FULL:
		return f.withCause(ErrFull, err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN:
		return f.withCause(ErrNoAccess, err)
	case sqlite3.SQLITE_NOTADB:
		return f.withCause(ErrForeign, err)
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FORMAT,
		sqlite3.SQLITE_ERROR,                               // a table or column is missing
		sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH, // rows contradict each other
		sqlite3.SQLITE_TOOBIG:
		return f.withCause(ErrDamaged, err)
	}
	return fmt.Errorf("%s: %w", f.name, err)
}

func (f *File) withCause(err, cause error) *Error {
	e := f.errorOf(err)
	e.cause = cause
	return e
}

// explainOpening is Explain for an error that need not name the file.
func (f *File) explainOpening(err error) error {
	var explained *Error
	var failure *sqlite.Error
	var path *fs.PathError
	switch err = f.Explain(err); {
	case errors.As(err, &explained), errors.As(err, &failure):
		return err
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return f.withCause(ErrNoAccess, err)
	case errors.As(err, &path):
		return err
	}
	return fmt.Errorf("open %s: %w", f.name, err)
}

// isScanError reports whether a value is not of the type of its column. Package
// database/sql has no type for that.
func isScanError(err error) bool { return strings.Contains(err.Error(), "sql: Scan error") }

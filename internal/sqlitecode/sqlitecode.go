// Package sqlitecode recognizes SQLite files, and turns the result codes of SQLite into the
// errors of the packages that keep their state in such a file.
package sqlitecode

import (
	"errors"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Errors are the errors of a package, by what SQLite reports. A code whose error is nil
// stays as it is.
type Errors struct {
	Locked error // another connection holds the file
	// NotDatabase is for a file that is not one of SQLite. Nil means Damaged.
	NotDatabase error
	// Damaged is for a file that is not as the package wrote it: pages are lost or changed,
	// or tables, columns or types differ. It must not be used for statements of other people,
	// which may be wrong themselves. What SQLite reports is wrapped and not shown.
	Damaged error
	Full    error // the disk is full
}

// Classify returns the error for what SQLite reports, and any other error as it is, such as
// one that another package has classified as damage. See
// https://www.sqlite.org/rescode.html for the codes; extended codes count as their primary
// ones.
func (e *Errors) Classify(err error) error {
	var failure *sqlite.Error
	if already := (*damagedError)(nil); errors.As(err, &already) {
		return err
	}
	if !errors.As(err, &failure) {
		if isScanError(err) {
			return e.damaged(err)
		}
		return err
	}
	var classified error
	switch failure.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		classified = e.Locked
	case sqlite3.SQLITE_FULL:
		classified = e.Full
	case sqlite3.SQLITE_NOTADB:
		if classified = e.NotDatabase; classified == nil {
			return e.damaged(err)
		}
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FORMAT,
		sqlite3.SQLITE_ERROR,                               // a table or column is missing
		sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH, // rows contradict each other
		sqlite3.SQLITE_TOOBIG:
		return e.damaged(err)
	}
	if classified == nil {
		return err
	}
	return classified
}

// isScanError reports whether a value is not of the type of its column. Package
// database/sql has no type for that.
func isScanError(err error) bool {
	return err != nil && strings.Contains(err.Error(), "sql: Scan error")
}

func (e *Errors) damaged(err error) error {
	if e.Damaged == nil {
		return err
	}
	return &damagedError{e.Damaged, err}
}

// A damagedError has the text of an error of the package that keeps the file.
type damagedError struct {
	error
	cause error
}

func (e *damagedError) Unwrap() []error { return []error{e.error, e.cause} }

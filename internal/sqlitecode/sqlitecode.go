// Package sqlitecode recognizes SQLite files, and turns the result codes of SQLite into the
// errors of the packages that keep their state in such a file.
package sqlitecode

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Errors are the errors of a package, by what SQLite reports. A code whose error is nil
// stays as it is.
type Errors struct {
	Locked error // another connection holds the file
	// NotDatabase is for a file that is not one of SQLite. Nil means Damaged.
	NotDatabase error
	Damaged     error // it wraps what SQLite reports
	Full        error // the disk is full
}

// Classify returns the error for what SQLite reports, and any other error as it is. See
// https://www.sqlite.org/rescode.html for the codes; extended codes count as their primary
// ones.
func (e *Errors) Classify(err error) error {
	var failure *sqlite.Error
	if !errors.As(err, &failure) {
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
	case sqlite3.SQLITE_CORRUPT:
		return e.damaged(err)
	}
	if classified == nil {
		return err
	}
	return classified
}

func (e *Errors) damaged(err error) error {
	if e.Damaged == nil {
		return err
	}
	return fmt.Errorf("%w (%w)", e.Damaged, err)
}

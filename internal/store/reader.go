package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mapatools/mapa/internal/sqlite"
)

// OpenReader opens a crawl file only to read it, as several processes may at once. It
// changes neither the file nor its folder, which may be read-only. Errors are those of
// [Open]; the file of a crawl that is running is locked.
func OpenReader(name string) (*File, error) {
	open := openShared
	if isInterrupted(name) {
		open = OpenCopy
	}
	f, err := open(name)
	if err == nil && f.last == 0 {
		err = errors.Join(fmt.Errorf("open %s: the crawl has no page: %w", name, fs.ErrNotExist), f.Close())
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// isInterrupted reports whether the file belongs together with a log or a journal, because the
// crawl is running or did not end. What is wrong with a file that cannot be read, Open reports.
func isInterrupted(name string) bool {
	if is, err := sqlite.IsDatabase(name); !is || err != nil {
		return false
	}
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	// https://www.sqlite.org/fileformat.html#file_format_version_numbers
	const versionAt, logVersion = 18, 2
	var version [1]byte
	if _, err := file.ReadAt(version[:], versionAt); err != nil {
		return false
	}
	_, err = os.Stat(name + sqlite.JournalSuffix)
	return version[0] == logVersion || err == nil
}

// openShared begins a transaction that lasts until the file is closed, so that all
// that is read belongs together.
func openShared(name string) (*File, error) {
	db, err := sqlite.Open(context.Background(), name, &spec, sqlite.Read)
	if err != nil {
		return nil, err
	}
	f := &File{db: db, readOnly: true}
	if err = db.Exec("begin"); err == nil {
		err = f.readTables()
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return f, nil
}

// OpenCopy opens a copy of a file, to change it, that [File.Close] removes. Together with a log, a file can be read
// only so: SQLite writes next to it.
func OpenCopy(name string) (*File, error) {
	folder, err := os.MkdirTemp("", "mapa-")
	if err != nil {
		return nil, err
	}
	var f *File
	db, err := sqlite.OpenCopy(context.Background(), name, filepath.Join(folder, filepath.Base(name)), &spec, sqlite.Write)
	if err == nil {
		f, err = newWriter(db)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	f.copiedTo = folder
	return f, nil
}

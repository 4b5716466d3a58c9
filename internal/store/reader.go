package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mapatools/mapa/internal/statefile"
)

// The endings of the names of the log and the rollback journal next to a crawl file.
const (
	logSuffix     = "-wal"
	journalSuffix = "-journal"
)

// OpenReader opens a crawl file only to read it, as several processes may at once. It
// changes neither the file nor its folder, which may be read-only. Errors are those of
// [Open]; the file of a crawl that is running is locked.
func OpenReader(name string) (*File, error) {
	f, err := openReader(name)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	return f, nil
}

func openReader(name string) (*File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if err := inspect(info); err != nil {
		return nil, err
	}
	needsLog, err := isInterrupted(name)
	if err != nil {
		return nil, err
	}
	if needsLog {
		return openCopy(name)
	}
	db, err := connect(name, modeReadOnly)
	if err != nil {
		return nil, err
	}
	f := &File{name: name, db: db, readOnly: true}
	if err := f.openShared(size(name)); err != nil {
		return nil, cmp.Or(err, db.close())
	}
	return f, nil
}

// isInterrupted reports whether the file belongs together with a log or a journal,
// because the crawl is running or did not end.
func isInterrupted(name string) (bool, error) {
	file, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer file.Close()
	// https://www.sqlite.org/fileformat.html#file_format_version_numbers
	const versionAt, logVersion = 18, 2
	var version [1]byte
	if _, err := file.ReadAt(version[:], versionAt); err != nil {
		return false, ErrNotCrawlFile
	}
	_, err = os.Stat(name + journalSuffix)
	return version[0] == logVersion || err == nil, nil
}

// openShared begins a transaction that lasts until the file is closed, so that all
// that is read belongs together.
func (f *File) openShared(size int64) error {
	if err := f.db.exec("begin"); err != nil {
		return err
	}
	empty, err := f.isEmpty()
	switch {
	case err != nil:
		return err
	case empty:
		return errEmpty
	}
	if err := f.readMeta(); err != nil {
		return err
	}
	if err := f.check(size); err != nil {
		return err
	}
	if f.last == 0 {
		return errEmpty
	}
	_, err = f.lookups() // fails when a column is missing
	return err
}

// openCopy opens a copy of a file together with its log: SQLite cannot read a log
// without writing next to it.
func openCopy(name string) (_ *File, err error) {
	if err := checkUnlocked(name); err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "mapa-")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(folder))
		}
	}()
	copied := filepath.Join(folder, filepath.Base(name))
	before := stamp(name)
	for _, suffix := range []string{"", logSuffix, journalSuffix} {
		err := statefile.Copy(copied+suffix, name+suffix)
		if err != nil && (suffix == "" || !errors.Is(err, fs.ErrNotExist)) {
			return nil, err
		}
	}
	if stamp(name) != before {
		return nil, ErrLocked
	}
	f, err := Open(copied)
	if err != nil {
		return nil, err
	}
	f.name, f.copiedTo = name, folder
	if f.last == 0 {
		return nil, errors.Join(errEmpty, f.Close())
	}
	return f, nil
}

// checkUnlocked returns ErrLocked when another process writes to a file with a log. In
// exclusive mode SQLite makes no file for its lock, and fails after the first step.
func checkUnlocked(name string) error {
	db, err := connectWith(name, modeReadOnly, exclusive)
	if err != nil {
		return err
	}
	err = db.exec("begin; select count(*) from sqlite_schema")
	if errors.Is(err, ErrLocked) {
		return errors.Join(ErrLocked, db.close())
	}
	return db.close()
}

// stamp returns what changes when a file or its log is written.
func stamp(name string) string {
	text := ""
	for _, suffix := range []string{"", logSuffix, journalSuffix} {
		if info, err := os.Stat(name + suffix); err == nil {
			text += fmt.Sprint(suffix, info.Size(), info.ModTime().UnixNano(), ";")
		}
	}
	return text
}

// size returns the bytes of a file and its log.
func size(name string) (total int64) {
	for _, suffix := range []string{"", logSuffix} {
		if info, err := os.Stat(name + suffix); err == nil {
			total += info.Size()
		}
	}
	return total
}

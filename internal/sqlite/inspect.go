package sqlite

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mapatools/mapa/internal/statefile"
)

// errEmpty counts as a file that is not there.
var errEmpty = fmt.Errorf("the file is empty: %w", fs.ErrNotExist)

// errBefore is about a file of the version before, which Spec.Upgrade changes.
var errBefore = errors.New("a file of the version before")

// minSize is the smallest page size of SQLite.
const minSize = 512

// inspect refuses what is no SQLite file before SQLite opens it: SQLite writes its header into
// a file of one byte, and makes the file that a link names, which may be anywhere. The error
// wraps fs.ErrNotExist for a file that is missing or empty.
func (f *File) inspect(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		// A link to nothing. What is there now may also be a file that somebody else has just made.
		if link, missing := os.Lstat(path); missing == nil && link.Mode()&fs.ModeSymlink != 0 {
			return f.errorOf(ErrForeign)
		}
		return err
	case err != nil:
		return err
	case info.Mode().IsRegular() && info.Size() == 0:
		return errEmpty
	case !info.Mode().IsRegular() || info.Size() < minSize:
		return f.errorOf(ErrForeign)
	}
	return nil
}

// inspectNew is inspect for a file that may be made: it may be missing, but not its folder.
func (f *File) inspectNew(path string) error {
	err := f.inspect(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, err := os.Stat(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) {
		return f.errorOf(ErrNoFolder)
	}
	return nil
}

// The endings of the names of what SQLite puts next to a file.
const (
	LogSuffix     = "-wal"
	JournalSuffix = "-journal"
	indexSuffix   = "-shm" // of the log
)

// restrict takes the permissions of other users from a file, and what is next to it. It must be
// known to be Mapa's. It is not opened, which would end locks on it.
func restrict(path string) error {
	path, err := filepath.EvalSymlinks(path) // as SQLite does
	if err != nil {
		return err
	}
	if err := statefile.Restrict(path); err != nil {
		return err
	}
	for _, suffix := range []string{LogSuffix, indexSuffix, JournalSuffix} {
		if err := statefile.Restrict(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// IsDatabase reports whether a name is that of a SQLite file, of Mapa or of others: a regular
// file that begins as https://www.sqlite.org/fileformat.html#magic_header_string says. The
// error is that of opening a regular file.
func IsDatabase(name string) (bool, error) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return false, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer file.Close()
	const magic = "SQLite format 3\x00"
	head := make([]byte, len(magic))
	_, err = io.ReadFull(file, head)
	return err == nil && string(head) == magic, nil
}

package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/mapatools/mapa/internal/statefile"
)

// OpenCopy copies a file to a name that is free, and opens the copy. It writes nothing next to
// the file, and waits for no lock: a file that another process holds is in use. With Create the
// file may be missing. Errors name the file and not the copy.
func OpenCopy(ctx context.Context, name, copied string, spec *Spec, access Access) (*File, error) {
	f := newFile(name, spec, access)
	err := f.copyTo(ctx, copied)
	if err == nil {
		f.path = copied
		err = f.open(ctx)
	}
	if err != nil {
		return nil, errors.Join(f.explainOpening(err), f.Close())
	}
	return f, nil
}

// copyTo copies the file together with its log and its journal.
func (f *File) copyTo(ctx context.Context, copied string) error {
	err := f.inspect(f.path)
	isMissing := errors.Is(err, fs.ErrNotExist) && f.access == Create
	if err != nil && !isMissing {
		return err
	}
	err = nil
	switch {
	case f.spec.Lock == LockFile:
		err = f.shareLockFile(ctx)
	case f.spec.Lock == LockWhole && !isMissing:
		err = f.checkUnlocked(ctx)
	}
	if err != nil || isMissing {
		return err
	}
	before := Stamp(f.path)
	for _, suffix := range []string{"", LogSuffix, JournalSuffix} {
		err := statefile.Copy(copied+suffix, f.path+suffix)
		if err != nil && (suffix == "" || !errors.Is(err, fs.ErrNotExist)) {
			return err
		}
	}
	if Stamp(f.path) != before {
		return f.errorOf(ErrLocked)
	}
	return nil
}

// CopyTo writes all that the file holds at a moment to a new file, also while others write.
func (f *File) CopyTo(ctx context.Context, name string) (err error) {
	if _, err := os.Lstat(name); err == nil {
		return &fs.PathError{Op: "copy to", Path: name, Err: fs.ErrExist}
	}
	_, err = f.pool.ExecContext(ctx, "vacuum into ?", name)
	err = f.Explain(err)
	if e := (*Error)(nil); errors.As(err, &e) && (e.Err == ErrFull || e.Err == ErrNoAccess) {
		e.Name = name // which is what cannot be written
	}
	return err
}

// Stamp returns what changes when a file or its log is written.
func Stamp(name string) string {
	text := ""
	for _, suffix := range []string{"", LogSuffix, JournalSuffix} {
		if info, err := os.Stat(name + suffix); err == nil {
			text += fmt.Sprint(suffix, info.Size(), info.ModTime().UnixNano(), ";")
		}
	}
	return text
}

// Size returns the bytes of a file and its log.
func Size(name string) (total int64) {
	for _, suffix := range []string{"", LogSuffix} {
		if info, err := os.Stat(name + suffix); err == nil {
			total += info.Size()
		}
	}
	return total
}

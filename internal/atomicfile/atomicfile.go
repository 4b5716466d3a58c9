// Package atomicfile replaces files in one step: a reader finds the old content or
// the new one, never half of it, and an error or a crash leaves the old one.
package atomicfile

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// A temporary file has this prefix and suffix, so that package publish removes from
// a crawl's folder what a killed run left there.
const (
	prefix = ".mapa-"
	suffix = ".tmp"
)

const bufferSize = 64 << 10

// IsTemporary reports whether a file without its folder has the name of one that is being
// written, or was when a process was killed.
func IsTemporary(base string) bool {
	return strings.HasPrefix(base, prefix) && strings.HasSuffix(base, suffix)
}

// A File is a file that is being written next to the one it replaces. It ends with
// Commit or Abort.
type File struct {
	name   string
	isNew  bool // it replaces nothing
	file   *os.File
	buffer *bufio.Writer
}

// Create starts a file that will replace name. The temporary file is always a new
// one: a link of the same name is not followed.
func Create(name string) (*File, error) { return create(name, 0o666) }

// CreateNew starts a file that only its owner may read, and that will replace nothing: when
// there is a file of that name, now or at Commit, the error wraps fs.ErrExist.
func CreateNew(name string) (*File, error) {
	if err := checkAbsent(name); err != nil {
		return nil, err
	}
	f, err := create(name, 0o600)
	if err == nil {
		f.isNew = true
	}
	return f, err
}

func checkAbsent(name string) error {
	switch _, err := os.Lstat(name); {
	case err == nil:
		return fmt.Errorf("write %s: %w", name, fs.ErrExist)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return nil
}

func create(name string, permissions fs.FileMode) (*File, error) {
	folder, base := filepath.Split(name)
	for {
		temporary := folder + prefix + base + "." + rand.Text()[:8] + suffix
		file, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, permissions)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, &WriteError{name, err}
		}
		return &File{name: name, file: file, buffer: bufio.NewWriterSize(file, bufferSize)}, nil
	}
}

// A WriteError says that a file cannot be written.
type WriteError struct {
	Name string
	Err  error
}

// Error names the file, or the folder that is missing, and the reason.
func (e *WriteError) Error() string {
	if errors.Is(e.Err, fs.ErrNotExist) {
		return fmt.Sprintf("write %s: there is no folder %s", e.Name, filepath.Dir(e.Name))
	}
	err := e.Err
	if path, is := errors.AsType[*fs.PathError](err); is {
		err = path.Err // its path is that of the temporary file
	}
	return fmt.Sprintf("write %s: %v", e.Name, err)
}

// Unwrap returns the reason.
func (e *WriteError) Unwrap() error { return e.Err }

// Write implements [io.Writer].
func (f *File) Write(p []byte) (int, error) { return f.buffer.Write(p) }

// Size returns the number of bytes that were written.
func (f *File) Size() (int64, error) {
	if err := f.buffer.Flush(); err != nil {
		return 0, err
	}
	return f.file.Seek(0, io.SeekCurrent)
}

// Truncate drops what was written after the first size bytes.
func (f *File) Truncate(size int64) error {
	f.buffer.Reset(f.file)
	err := f.file.Truncate(size)
	if err == nil {
		_, err = f.file.Seek(size, io.SeekStart)
	}
	return err
}

// Commit puts the file in place once its content is on the disk. A symbolic link of
// that name is replaced, not followed. After an error the old file is unchanged.
func (f *File) Commit() error {
	err := errors.Join(f.buffer.Flush(), f.file.Sync(), f.file.Close())
	if err == nil && f.isNew {
		err = checkAbsent(f.name)
	}
	if err == nil {
		err = os.Rename(f.file.Name(), f.name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.file.Name()))
	}
	return syncFolder(filepath.Dir(f.name))
}

// Abort removes the new file and keeps the old one.
func (f *File) Abort() error {
	_ = f.file.Close() // its content no longer matters
	return os.Remove(f.file.Name())
}

// syncFolder makes a rename durable. Windows has no such call.
func syncFolder(name string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// Replace calls write and replaces the named file with what it writes. A name that
// exists and is not a regular file, such as /dev/stdout or a pipe, is passed to write
// as an open [os.File], because it may be a terminal.
func Replace(name string, write func(io.Writer) error) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return writeDevice(name, write)
	}
	file, err := Create(name)
	if err != nil {
		return err
	}
	if err := write(file); err != nil {
		return fmt.Errorf("write %s: %w", name, errors.Join(err, file.Abort()))
	}
	if err := file.Commit(); err != nil {
		return &WriteError{name, err}
	}
	return nil
}

func writeDevice(name string, write func(io.Writer) error) error {
	file, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if err := errors.Join(write(file), file.Close()); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

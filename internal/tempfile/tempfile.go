// Package tempfile holds what does not fit into memory in temporary files that
// nobody else sees.
package tempfile

import (
	"fmt"
	"os"
)

// File is a temporary file. It is created when the first byte is written. The
// zero value is ready to use. Write must not be called by two goroutines at the
// same time.
type File struct {
	file *os.File
	size int64
}

// Write implements [io.Writer]. It appends b, whose offset is the size of before.
func (f *File) Write(b []byte) (n int, err error) {
	if f.file == nil {
		if f.file, err = os.CreateTemp("", "mapa-*"); err != nil {
			return 0, fmt.Errorf("creating a temporary file: %w", err)
		}
		// Where an open file can be removed, nothing remains even when the
		// process is killed; elsewhere Close removes it.
		_ = os.Remove(f.file.Name())
	}
	n, err = f.file.WriteAt(b, f.size)
	f.size += int64(n)
	if err != nil {
		return n, fmt.Errorf("writing to a temporary file: %w", err)
	}
	return n, nil
}

// ReadAt implements [io.ReaderAt].
func (f *File) ReadAt(b []byte, offset int64) (int, error) {
	n, err := f.file.ReadAt(b, offset)
	if err != nil {
		return n, fmt.Errorf("reading a temporary file: %w", err)
	}
	return n, nil
}

// Size is the number of bytes written.
func (f *File) Size() int64 { return f.size }

// Close removes the file.
func (f *File) Close() {
	if f.file != nil {
		f.file.Close()
		_ = os.Remove(f.file.Name()) // gone already on most systems
	}
}

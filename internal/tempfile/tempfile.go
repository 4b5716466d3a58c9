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

// Write appends b and returns its offset.
func (f *File) Write(b []byte) (offset int64, err error) {
	if f.file == nil {
		if f.file, err = os.CreateTemp("", "mapa-*"); err != nil {
			return 0, fmt.Errorf("creating a temporary file: %w", err)
		}
		// Where an open file can be removed, nothing remains even when the
		// process is killed; elsewhere Close removes it.
		_ = os.Remove(f.file.Name())
	}
	offset = f.size
	n, err := f.file.WriteAt(b, offset)
	f.size += int64(n)
	if err != nil {
		return 0, fmt.Errorf("writing to a temporary file: %w", err)
	}
	return offset, nil
}

// Read fills b from offset.
func (f *File) Read(b []byte, offset int64) error {
	if _, err := f.file.ReadAt(b, offset); err != nil {
		return fmt.Errorf("reading a temporary file: %w", err)
	}
	return nil
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

package crawl

import (
	"errors"
	"io"
	"os"
)

// A rewindReader reads an input that can be read again from its beginning. It keeps what
// it has read in a temporary file, because an input may be larger than memory.
type rewindReader struct {
	source io.Reader
	file   *os.File // created by the first Read
	folder string
	at     int64 // of the next Read
	kept   int64 // bytes in file
}

// Read implements [io.Reader].
func (r *rewindReader) Read(p []byte) (int, error) {
	if r.file == nil {
		file, err := os.CreateTemp(r.folder, ".stdin-*")
		if err != nil {
			return 0, err
		}
		r.file = file
	}
	if r.at < r.kept {
		n, err := r.file.ReadAt(p[:min(int64(len(p)), r.kept-r.at)], r.at)
		r.at += int64(n)
		return n, err
	}
	n, err := r.source.Read(p)
	if _, failed := r.file.WriteAt(p[:n], r.kept); failed != nil {
		return 0, failed
	}
	r.kept += int64(n)
	r.at = r.kept
	return n, err
}

// rewind lets Read begin again.
func (r *rewindReader) rewind() { r.at = 0 }

// close removes the file.
func (r *rewindReader) close() error {
	if r.file == nil {
		return nil
	}
	return errors.Join(r.file.Close(), os.Remove(r.file.Name()))
}

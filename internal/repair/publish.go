package repair

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// publish moves the copies into the folder, unless one of them would overwrite a file
// that must be kept.
func (r *repair) publish() error {
	for _, c := range r.copies {
		for i, p := range c.parts {
			if err := r.check(p.temporary, filepath.Join(r.folder(), c.names[i])); err != nil {
				return err
			}
		}
	}
	for _, c := range r.copies {
		for i, p := range c.parts {
			if err := os.Rename(p.temporary, filepath.Join(r.folder(), c.names[i])); err != nil {
				return err
			}
			r.files = append(r.files, c.names[i])
		}
	}
	return nil
}

// check returns an [*OverwriteError] if a copy must not be moved to its place.
func (r *repair) check(temporary, place string) error {
	if _, err := os.Lstat(place); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if r.originals.Has(place) {
		return &OverwriteError{File: place, Original: true}
	}
	if r.options.Force || r.options.Own != nil && r.options.Own(filepath.Base(place)) {
		return nil
	}
	if same, err := haveSameContent(temporary, place); err != nil || !same {
		return &OverwriteError{File: place}
	}
	return nil
}

// haveSameContent compares two files. One that is not regular has no content.
func haveSameContent(name, other string) (bool, error) {
	info, err := os.Lstat(other)
	if err != nil || !info.Mode().IsRegular() {
		return false, err
	}
	a, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer a.Close()
	b, err := os.Open(other)
	if err != nil {
		return false, err
	}
	defer b.Close()
	return equal(a, b)
}

// equal compares two readers to their ends.
func equal(a, b io.Reader) (bool, error) {
	var left, right [32 << 10]byte
	for {
		n, err := io.ReadFull(a, left[:])
		m, other := io.ReadFull(b, right[:])
		if !bytes.Equal(left[:n], right[:m]) {
			return false, nil
		}
		if err != nil || other != nil {
			return isEnd(err) && isEnd(other), nil
		}
	}
}

func isEnd(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

package atomicfile

import (
	"io"
	"io/fs"
	"os"
	"slices"
)

// A FileSet is a set of files, such as those that must not be replaced. Files are
// compared by identity, so hard links, symbolic links and other spellings of a path are
// the same file. The zero value is empty.
type FileSet struct{ files []fs.FileInfo }

// Add adds the files of the names. A name without a file, such as a URL, adds nothing.
func (s *FileSet) Add(names ...string) {
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			s.files = append(s.files, info)
		}
	}
}

// AddReader adds the file that a reader reads, such as redirected standard input.
func (s *FileSet) AddReader(r io.Reader) {
	if file, ok := r.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			s.files = append(s.files, info)
		}
	}
}

// Has reports whether the file of a name is in the set.
func (s *FileSet) Has(name string) bool {
	info, err := os.Stat(name)
	return err == nil &&
		slices.ContainsFunc(s.files, func(file fs.FileInfo) bool { return os.SameFile(file, info) })
}

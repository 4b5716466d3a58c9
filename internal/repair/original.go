package repair

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
)

// An OverwriteError says that a copy would overwrite a file. Nothing was written.
type OverwriteError struct {
	File     string // path of the copy
	Original bool   // the file is one of the originals, so Options.Force does not help
}

// Error names the file.
func (e *OverwriteError) Error() string {
	if e.Original {
		return fmt.Sprintf("the copy %s would overwrite an original: choose another folder", e.File)
	}
	return fmt.Sprintf("the copy would overwrite %s, which has other content: choose another folder", e.File)
}

// originals are the files that must not be overwritten. They are compared by identity,
// so hard links, symbolic links and other spellings of a path are the same file.
type originals struct{ files []fs.FileInfo }

// add takes in the file at a location, if there is one.
func (o *originals) add(location string) {
	if info, err := os.Stat(location); err == nil {
		o.files = append(o.files, info)
	}
}

func (o *originals) addAll(locations []string) {
	for _, location := range locations {
		o.add(location)
	}
}

// addReader takes in the file that a reader reads, such as redirected standard input.
func (o *originals) addReader(r io.Reader) {
	if file, ok := r.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			o.files = append(o.files, info)
		}
	}
}

func (o *originals) has(info fs.FileInfo) bool {
	return slices.ContainsFunc(o.files, func(file fs.FileInfo) bool { return os.SameFile(file, info) })
}

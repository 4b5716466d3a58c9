package app

import (
	"io"
	"os"
	"path/filepath"

	"github.com/mapatools/mapa/internal/atomicfile"
)

// An output is a file that a setting names.
type output struct{ setting, file string }

// check refuses an output that would replace one of the inputs, or a crawl file.
func (o output) check(inputs *atomicfile.FileSet) error {
	switch {
	case o.file == "" || o.file == "-":
		return nil
	case inputs.Has(o.file):
		return badSetting(o.setting, "%s would overwrite %s, which is one of the sources", o.file)
	case isDatabase(o.file):
		return badSetting(o.setting, "%s would overwrite %s, which is a crawl file", o.file)
	}
	return nil
}

// isDatabase reports whether a file is a crawl file or another SQLite file.
func isDatabase(name string) bool {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return false
	}
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	const magic = "SQLite format 3\x00" // https://www.sqlite.org/fileformat.html#magic_header_string
	head := make([]byte, len(magic))
	_, err = io.ReadFull(file, head)
	return err == nil && string(head) == magic
}

// isSamePath reports whether two names are those of one file, which need not exist.
func isSamePath(a, b string) bool {
	var set atomicfile.FileSet
	set.Add(a)
	return set.Has(b) || filepath.Clean(a) == filepath.Clean(b)
}

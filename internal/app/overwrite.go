package app

import (
	"path/filepath"

	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/sqlitecode"
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
	}
	if is, _ := sqlitecode.IsDatabase(o.file); is { // writing an unreadable file reports its error
		return badSetting(o.setting, "%s would overwrite %s, which is a crawl file", o.file)
	}
	return nil
}

// isSamePath reports whether two names are those of one file, which need not exist.
func isSamePath(a, b string) bool {
	var set atomicfile.FileSet
	set.Add(a)
	return set.Has(b) || filepath.Clean(a) == filepath.Clean(b)
}

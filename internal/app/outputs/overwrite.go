package outputs

import (
	"io"
	"path/filepath"

	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/sqlite"
)

// An Output is a file that a setting names.
type Output struct{ Setting, File string }

// Check refuses an output that would replace one of the inputs, or a crawl file.
func (o Output) Check(inputs *atomicfile.FileSet) error {
	switch {
	case o.File == "" || o.File == "-":
		return nil
	case inputs.Has(o.File):
		return setting.Invalid(o.Setting, "%s would overwrite %s, which is one of the sources", o.File)
	}
	if is, _ := sqlite.IsDatabase(o.File); is { // writing an unreadable file reports its error
		return setting.Invalid(o.Setting, "%s would overwrite %s, which is a crawl file", o.File)
	}
	return nil
}

// IsSamePath reports whether two names are those of one file, which need not exist.
func IsSamePath(a, b string) bool {
	var set atomicfile.FileSet
	set.Add(a)
	return set.Has(b) || filepath.Clean(a) == filepath.Clean(b)
}

// FileSetting is the setting of commands that write to a file instead of standard output.
func FileSetting(file *string) setting.Setting {
	return setting.Setting{Name: "output", Short: "o", Value: setting.FileName(file), Risk: setting.RiskFile,
		Help: "write to this `FILE` instead of standard output"}
}

// ToOutput calls write with a file, or with out when there is no name.
func ToOutput(name string, out io.Writer, write func(io.Writer) error) error {
	if name == "" || name == "-" {
		return write(out)
	}
	return atomicfile.Replace(name, write)
}

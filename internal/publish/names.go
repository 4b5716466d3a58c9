package publish

import (
	"regexp"

	"github.com/mapatools/mapa/internal/lazy"
	"github.com/mapatools/mapa/sitemap"
)

// outputNames match the names of the files that Run may write, replace or remove.
var outputNames lazy.Value[map[Output]*regexp.Regexp]

func newOutputNames() map[Output]*regexp.Regexp {
	names := map[Output]*regexp.Regexp{}
	for _, o := range outputTable {
		names[o.name] = regexp.MustCompile(o.files)
	}
	return names
}

// IsOutput reports whether a run with the outputs may write, replace or remove a file
// of this name. No outputs mean XML.
func IsOutput(name string, outputs []Output) bool {
	if len(outputs) == 0 {
		outputs = []Output{OutputXML}
	}
	for _, output := range outputs {
		if outputNames.Get(newOutputNames)[output].MatchString(name) || output == OutputXML && isStylesheet(name) {
			return true
		}
	}
	return false
}

func isStylesheet(name string) bool {
	return name == sitemap.CSS().Name || name == sitemap.XSLT().Name
}

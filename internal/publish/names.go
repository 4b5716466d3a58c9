package publish

import (
	"slices"

	"github.com/mapatools/mapa/sitemap"
)

// IsOutput reports whether a run with the outputs may write, replace or remove a file
// of this name. No outputs mean XML.
func IsOutput(name string, outputs []Output) bool {
	if len(outputs) == 0 {
		outputs = []Output{OutputXML}
	}
	for _, o := range outputTable {
		isOf := o.files.MatchString(name) || o.name == OutputXML && name == sitemap.CSS().Name
		if isOf && slices.Contains(outputs, o.name) {
			return true
		}
	}
	return false
}

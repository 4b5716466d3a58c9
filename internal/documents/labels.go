package documents

import (
	"bytes"
	"io"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// label is where Sphinx or MyST names a place to which any document may lead
// (https://mystmd.org/guide/cross-references).
var label = regexp.MustCompile(`(?m)^\s*"?\(([^()\n]+)\)=|^\s*\.\. _([^:\n]+):|:(?:name|label|id):\s*([^\s"\\]+)|#\|\s*label:\s*([^\s"\\]+)|` +
	`\{[^{}\n]*#([^}\s]+)|^\s*(?:name|label|id):\s*(\S+)|\$\$[ \t]*\(([\w:.-]+)\)\s*$|\\label\{([^{}]+)\}|^[ \t]*[\x60:]{3,}\{[\w:-]+\}[ \t]+([\w:.-]+)[ \t]*$`)

// A labelSet has the labels of a site.
type labelSet struct {
	names  map[string]bool // their letters
	isOpen bool            // directives of the project may make others
}

// hasLabel reports whether a document of a site names a place.
func (s *Set) hasLabel(site, name string) bool { return s.labelsOf(site).names[letters(name)] }

// labelsOf returns the labels of the documents in a folder.
func (s *Set) labelsOf(site string) labelSet {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	labels, known := s.labels[site]
	if !known {
		settings := s.beginning(path.Join(site, "conf.py"), maxSettings)
		labels = labelSet{s.labelsIn(site), bytes.Contains(settings, []byte("Directive"))}
		s.labels[site] = labels
	}
	return labels
}

// labelsIn reads the labels of the documents in a folder.
func (s *Set) labelsIn(site string) map[string]bool {
	labels := map[string]bool{}
	for _, name := range s.indexOf().pages {
		if site != "." && !strings.HasPrefix(name, site+"/") {
			continue
		}
		f, err := s.root.Open(filepath.FromSlash(name))
		if err != nil {
			continue // a file that cannot be read has no labels that anybody can read
		}
		text, _ := io.ReadAll(io.LimitReader(f, maxDocument))
		f.Close()
		for _, found := range label.FindAllSubmatch(text, -1) {
			for _, named := range found[1:] {
				if len(named) > 0 {
					labels[letters(string(named))] = true
				}
			}
		}
	}
	return labels
}

package documents

import (
	"maps"
	"slices"
)

// A Note is a link that leads to a file only on a site that a program makes, in a document that nothing shows to be
// part of one.
type Note struct {
	Link   string // as the document has it
	Path   string // of the document, escaped for URLs
	Line   int    // of the link in the page of the document
	Target string // the name of the file
}

// Notes returns the links of documents that lead to a file only on a site that a program makes, in the order of the
// documents.
func (s *Set) Notes() (all []Note) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, at := range slices.SortedFunc(maps.Keys(s.counts), comparePart) {
		all = append(all, s.counts[at].notes...)
	}
	return all
}

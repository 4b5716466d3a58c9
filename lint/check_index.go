package lint

import (
	"slices"
	"time"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// A fileSummary is what is remembered of a file that was checked, or could not be opened.
type fileSummary struct {
	location string
	source   string // what the caller gave that led to the file
	failed   *Rule  // that is broken by the error that the file ended with
	why      Text   // it failed, as the message of a finding

	// The rest is known of a file that could be opened.
	read     bool
	index    string // the location of the file that lists it
	address  string
	format   sitemap.Format
	scope    scan.Scope
	pages    int
	newest   time.Time       // the newest usual date of its pages
	children []listedSitemap // of an index
}

// A listedSitemap is a sitemap as an index lists it.
type listedSitemap struct {
	loc          string
	lastMod      sitemap.Date
	offset       int64
	line, column int
}

// A fileSet is all files of a run.
type fileSet struct {
	files []*fileSummary

	byLocation map[string]*fileSummary
}

// newFileSet returns the set of files.
func newFileSet(files []*fileSummary) *fileSet {
	s := &fileSet{files: files, byLocation: map[string]*fileSummary{}}
	for _, file := range files {
		s.byLocation[file.location] = file
	}
	return s
}

// child returns the file that an entry of an index leads to, which may be on disk;
// nil where it was not opened.
func (s *fileSet) child(index *fileSummary, loc string) *fileSummary {
	if file := s.byLocation[loc]; file != nil {
		return file
	}
	for _, path := range source.PartPaths(index.location, loc) {
		if file := s.byLocation[path]; file != nil {
			return file
		}
	}
	return nil
}

// lacksChildren reports whether a sitemap that an index lists was not opened.
func (s *fileSet) lacksChildren(index *fileSummary) bool {
	return slices.ContainsFunc(index.children, func(child listedSitemap) bool { return s.child(index, child.loc) == nil })
}

// isAncestor reports whether a file is on the way from the source to an index.
func (s *fileSet) isAncestor(ancestor, index *fileSummary) bool {
	for range len(s.byLocation) {
		index = s.byLocation[index.index]
		if index == nil {
			return false
		}
		if index == ancestor {
			return true
		}
	}
	return false
}

// An indexCheck applies rules to a file and the set it belongs to, after the last file.
type indexCheck struct {
	*fileSummary
	set     *fileSet
	options *Options

	reporter *fileReporter
}

// report reports a breach of a rule at an entry, or by the file as a whole where
// that is nil.
func (i *indexCheck) report(r *Rule, at *listedSitemap, message Text) {
	if !i.reporter.admit(r) {
		return
	}
	f := Finding{Rule: r, Message: message}
	if at != nil {
		f.Line, f.Column, f.Offset = at.line, at.column, at.offset
		f.Element, f.Evidence = "loc", printable(at.loc)
	}
	i.reporter.add(f)
}

package rule

import (
	"time"

	"github.com/mapatools/mapa/lint/internal/display"
	"github.com/mapatools/mapa/lint/internal/scope"
	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// Summary is what is remembered of a file that was checked, or could not be opened.
type Summary struct {
	Location string
	Source   string // what the caller gave that led to the file
	Failed   *Rule  // that is broken by the error that the file ended with
	Why      string // it failed, as the message of a finding

	// The rest is known of a file that could be opened.
	Read     bool
	Index    string // the location of the file that lists it
	Address  string
	Format   sitemap.Format
	Scope    scope.Scope
	Pages    int
	Newest   time.Time // the newest usual date of its pages
	Children []Child   // of an index
}

// Child is a sitemap as an index lists it.
type Child struct {
	Loc          string
	LastMod      sitemap.Date
	Offset       int64
	Line, Column int
}

// Set is all files of a run.
type Set struct {
	Files []*Summary

	byLocation map[string]*Summary
}

// NewSet returns the set of files.
func NewSet(files []*Summary) *Set {
	s := &Set{Files: files, byLocation: map[string]*Summary{}}
	for _, file := range files {
		s.byLocation[file.Location] = file
	}
	return s
}

// Child returns the file that an entry of an index leads to, which may be on disk;
// nil where it was not opened.
func (s *Set) Child(index *Summary, loc string) *Summary {
	if file := s.byLocation[loc]; file != nil {
		return file
	}
	for _, path := range source.PartPaths(index.Location, loc) {
		if file := s.byLocation[path]; file != nil {
			return file
		}
	}
	return nil
}

// IsAncestor reports whether a file is on the way from the source to an index.
func (s *Set) IsAncestor(ancestor, index *Summary) bool {
	for range len(s.byLocation) {
		index = s.byLocation[index.Index]
		if index == nil {
			return false
		}
		if index == ancestor {
			return true
		}
	}
	return false
}

// Index is a file and the set it belongs to, as the checks after the last file see
// them.
type Index struct {
	*Summary
	Set     *Set
	Options *Options

	reporter Reporter
}

// NewIndex returns what checks see of a file of a set.
func NewIndex(file *Summary, set *Set, options *Options, reporter Reporter) *Index {
	return &Index{file, set, options, reporter}
}

// Report reports a breach of a rule at an entry, or by the file as a whole where
// that is nil.
func (i *Index) Report(r *Rule, at *Child, message string) {
	if !i.reporter.Admit(r) {
		return
	}
	f := Finding{Rule: r, Message: message}
	if at != nil {
		f.Line, f.Column, f.Offset = at.Line, at.Column, at.Offset
		f.Element, f.Evidence = "loc", display.Text(at.Loc)
	}
	i.reporter.Add(f)
}

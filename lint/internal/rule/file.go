package rule

import (
	"net/url"

	"github.com/mapatools/mapa/lint/internal/scope"
	"github.com/mapatools/mapa/robots"
	"github.com/mapatools/mapa/source"
)

// File is a sitemap as a check sees it.
type File struct {
	*source.File
	Scope      *scope.Scope
	Options    *Options
	Statistics Statistics

	reporter Reporter
	robots   func(page *url.URL) *robots.File
	rule     *Rule // the one that looks
}

// NewFile returns what checks see of a file. Robots returns the robots.txt of the
// host of a page, or nil.
func NewFile(
	file *source.File, s *scope.Scope, options *Options, reporter Reporter, robots func(page *url.URL) *robots.File,
) *File {
	return &File{File: file, Scope: s, Options: options, reporter: reporter, robots: robots}
}

// Check applies a rule.
func (f *File) Check(r *Rule) {
	f.rule = r
	r.CheckFile(f)
}

// Robots requests the robots.txt of the host of a page, once in a run. It returns
// nil where the host has no such file.
func (f *File) Robots(page *url.URL) *robots.File { return f.robots(page) }

// Report reports a breach of the rule by the file as a whole.
func (f *File) Report(message string) { f.ReportAt(0, 0, 0, message) }

// ReportAt reports a breach of the rule at a place in the file.
func (f *File) ReportAt(offset int64, line, column int, message string) {
	if f.reporter.Admit(f.rule) {
		f.reporter.Add(Finding{Rule: f.rule, Offset: offset, Line: line, Column: column, Message: message})
	}
}

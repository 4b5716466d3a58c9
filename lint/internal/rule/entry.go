package rule

import (
	"net/url"
	"strings"

	"github.com/mapatools/mapa/lint/internal/display"
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/lint/internal/scope"
)

// Entry is an entry of a sitemap as a check sees it. It is valid during the check.
type Entry struct {
	scan.Entry
	File *File // that the entry is in, with the statistics of the entries before

	rule       *Rule // the one that looks
	mismatch   scope.Mismatch
	isCompared bool // mismatch is that of the entry
}

// Next forgets what was found out about the entry before.
func (e *Entry) Next() { e.isCompared = false }

// Check applies a rule.
func (e *Entry) Check(r *Rule) {
	e.rule = r
	r.CheckEntry(e)
}

// Report reports a breach of the rule at the n-th element with a name in the entry,
// counted from 0; an empty name is the entry itself. Evidence is what the file says
// there.
func (e *Entry) Report(element string, n int, evidence, message string) {
	if !e.File.reporter.Admit(e.rule) {
		return
	}
	offset, line, column := e.Source().Find(element, n)
	e.File.reporter.Add(Finding{
		Rule: e.rule, Line: line, Column: column, Offset: offset,
		Element: element, URL: display.Text(e.Loc), Message: message, Evidence: display.Text(evidence),
	})
}

// Mismatch returns the part of the address of a page that is out of the scope of
// the sitemap. A page is in scope wherever it lies when its host was verified or
// its robots.txt names the sitemap.
func (e *Entry) Mismatch() scope.Mismatch {
	if e.isCompared {
		return e.mismatch
	}
	e.isCompared, e.mismatch = true, scope.InScope
	u, f := e.Address(), e.File
	if f.Scope.Origin == nil || e.IsSitemap() || u == nil || u.Host == "" ||
		scope.DefaultPort(strings.ToLower(u.Scheme)) == "" {
		return scope.InScope
	}
	m := f.Scope.Compare(u)
	if m != scope.InScope && !scope.IsVerified(f.Options.VerifiedHosts, u) && !f.isNamedBy(u) {
		e.mismatch = m
	}
	return e.mismatch
}

// isNamedBy reports whether the robots.txt of a page's host names the sitemap, or
// the index that lists it, which allows the sitemap to list the page
// (https://www.sitemaps.org/protocol.html#sitemaps_cross_submits).
func (f *File) isNamedBy(page *url.URL) bool {
	if f.Response == nil || scope.IsPrivate(page.Hostname()) && !scope.IsPrivate(f.Scope.Origin.Hostname()) {
		return false // a sitemap must not make this machine request its own network
	}
	if f.Index == page.Scheme+"://"+page.Host+"/robots.txt" {
		return true
	}
	file := f.Robots(page)
	if file == nil {
		return false
	}
	for _, line := range file.Sitemaps() {
		if line.Value == f.Location || line.Value == f.Address() || line.Value == f.Index {
			return true
		}
	}
	return false
}

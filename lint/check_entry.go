package lint

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/mapatools/mapa/lint/internal/scan"
)

// An entryCheck applies the rules to an entry. It is valid until the next entry.
type entryCheck struct {
	scan.Entry
	file *fileCheck // with the statistics of the entries before

	rule       *Rule         // the one that looks
	compared   scan.Mismatch // of the entry
	isCompared bool
}

// next forgets what was found out about the entry before.
func (e *entryCheck) next() { e.isCompared = false }

// check applies a rule.
func (e *entryCheck) check(r *Rule) {
	e.rule = r
	r.checkEntry(e)
}

// report reports a breach of the rule at the n-th element with a name in the entry,
// counted from 0; an empty name is the entry itself. Evidence is what the file says
// there.
func (e *entryCheck) report(element string, n int, evidence string, message Text) {
	e.reportIn(element, n, "", evidence, message)
}

// reportIn is as report for the first element with a name in the n-th one with another. An
// empty name is the latter itself.
func (e *entryCheck) reportIn(parent string, n int, element, evidence string, message Text) {
	if !e.file.admit(e.rule) {
		return
	}
	offset, line, column := e.Source().FindIn(parent, n, element)
	e.file.add(Finding{
		Rule: e.rule, Line: line, Column: column, Offset: offset,
		Element: cmp.Or(element, parent), URL: printable(e.Loc), Message: message, Evidence: printable(evidence),
	})
}

// mismatch returns the part of the address of a page that is out of the scope of
// the sitemap. A page is in scope wherever it lies when its host was verified or
// its robots.txt names the sitemap.
func (e *entryCheck) mismatch() scan.Mismatch {
	if e.isCompared {
		return e.compared
	}
	e.isCompared, e.compared = true, scan.InScope
	u, f := e.Address(), e.file
	if f.scope.Origin == nil || e.IsSitemap() || u == nil || u.Host == "" ||
		scan.DefaultPort(strings.ToLower(u.Scheme)) == "" {
		return scan.InScope
	}
	m := f.scope.Compare(u)
	if m != scan.InScope && !scan.IsVerified(f.options.VerifiedHosts, u) && !f.isNamedBy(u) {
		e.compared = m
	}
	return e.compared
}

// isNamedBy reports whether the robots.txt of a page's host names the sitemap, or
// the index that lists it, which allows the sitemap to list the page
// (https://www.sitemaps.org/protocol.html#sitemaps_cross_submits).
func (f *fileCheck) isNamedBy(page *url.URL) bool {
	if f.Response == nil || scan.IsPrivate(page.Hostname()) && !scan.IsPrivate(f.scope.Origin.Hostname()) {
		return false // a sitemap must not make this machine request its own network
	}
	if f.Index == page.Scheme+"://"+page.Host+"/robots.txt" {
		return true
	}
	file := f.robots(page)
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

package links

import (
	"fmt"
	"iter"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/checks"
	"github.com/mapatools/mapa/internal/documents"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/lint"
)

// formTexts say what links have in common that lead nowhere, and what to do.
var formTexts = map[string]string{
	"root": "links.form.root", "alias": "links.form.alias", "bare": "links.form.bare", "html": "links.form.html",
	"target": "links.form.target", "folder": "links.form.folder", "prefix": "links.form.prefix",
	"word": "links.form.word", "name": "links.form.name", "document": "links.form.document",
	"copies": "links.form.copies", "page": "links.form.page", "anchor": "links.form.anchor",
}

// known yields what is known of the documents without a crawl: links that only a site has, and links to nothing that
// have much in common.
func (r *run) known() iter.Seq2[lint.Finding, error] {
	return func(yield func(lint.Finding, error) bool) {
		add := func(id string, severity lint.Severity, path string, line int, code string, arguments ...any) bool {
			rule, err := lint.LookupRule(id)
			return yield(lint.Finding{
				Rule: rule, Severity: severity, URL: r.origin + path, Line: line,
				Message: lint.Text{Code: code, Arguments: arguments},
			}, err)
		}
		for _, n := range r.set.Notes() {
			if !add("link-inconclusive", lint.SeverityInfo, n.Path, n.Line, "rule.link-inconclusive.site", n.Link, n.Target) {
				return
			}
		}
		for _, m := range r.combined {
			if m.reported == 0 {
				continue
			}
			var places []any
			for _, at := range m.First {
				line, _ := r.set.Position(at.Path, at.Line, at.Column)
				places = append(places, format.Printable(fmt.Sprintf("%s:%d", r.set.Name(at.Path), line)))
			}
			rule, message, what := "link-broken", "rule.link-broken.form", lint.Text{Code: formTexts[m.Kind]}
			if m.Anchors {
				rule, message = "anchor-missing", "rule.anchor-missing.form"
			}
			what.Arguments = []any{format.Printable(m.Name)}
			if what.Code == "" { // the end of a file
				what.Code, what.Arguments = "links.form.file", append(what.Arguments, format.Printable(m.Kind))
			}
			arguments := append([]any{m.reported, m.Wrong, m.All, what}, places...)
			first := m.First[0]
			if !add(rule, m.severity, first.Path, first.Line, message, arguments...) {
				return
			}
		}
	}
}

// A combination is broken links that are one finding.
type combination struct {
	documents.Misunderstanding
	reported int // links that would be findings by themselves
	severity lint.Severity
}

// combine returns a function that takes the broken links that are not decided, and those that are one finding with
// others, unless each is listed, also with a baseline: that would accept the next link too.
func (r *run) combine(
	file *store.File, checker *checks.Checker,
) func(page, to crawl.ID, at crawl.Position, severity lint.Severity) bool {
	if !r.settings.Every && r.settings.Checks.Baseline == "" {
		for _, m := range r.set.Misunderstood() {
			r.combined = append(r.combined, combination{Misunderstanding: m})
		}
	}
	return func(page, to crawl.ID, at crawl.Position, severity lint.Severity) bool {
		from, err := file.Link(page)
		target, failed := file.Link(to)
		if err != nil || failed != nil { // who reads the links reports it
			return false
		}
		path, _ := r.pathOf(from.URL)
		if r.set.IsUndecided(path, at.Line, at.Column) {
			return true
		}
		number, is := r.set.MisunderstoodAs(path, at.Line, at.Column)
		if is && !checker.Allows(target.URL) {
			m := &r.combined[number]
			m.reported, m.severity = m.reported+1, max(m.severity, severity)
		}
		return is
	}
}

package links

import (
	"fmt"
	"iter"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/lint"
)

// formTexts say what links have in common that lead nowhere, and what to do.
var formTexts = map[string]string{
	"root": "links.form.root", "alias": "links.form.alias", "bare": "links.form.bare", "html": "links.form.html",
	"file": "links.form.file", "target": "links.form.target", "folder": "links.form.folder",
	"prefix": "links.form.prefix", "document": "links.form.document",
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
		if r.settings.Every {
			return
		}
		for _, m := range r.set.Misunderstood() {
			var places []any
			for _, at := range m.First {
				line, _ := r.set.Position(at.Path, at.Line, 1)
				places = append(places, fmt.Sprintf("%s:%d", r.set.Name(at.Path), line))
			}
			what := lint.Text{Code: formTexts[m.Kind], Arguments: []any{m.Name}}
			arguments := append([]any{m.Links, m.All, what}, places...)
			first := m.First[0]
			if !add("link-broken", lint.SeverityError, first.Path, first.Line, "rule.link-broken.form", arguments...) {
				return
			}
		}
	}
}

// misunderstood returns a function that reports whether a link is in a finding with others, and so in none of its own.
// It is nil if each link is listed.
func (r *run) misunderstood(file *store.File) func(*crawl.PageEdge) bool {
	if r.settings.Every || len(r.set.Misunderstood()) == 0 {
		return nil
	}
	var from crawl.ID
	var path string
	return func(e *crawl.PageEdge) bool {
		if e.From != from {
			link, err := file.Link(e.From)
			if err != nil { // who reads the links reports it
				return false
			}
			from = e.From
			path, _ = r.pathOf(link.URL)
		}
		return r.set.IsMisunderstood(path, e.Line)
	}
}

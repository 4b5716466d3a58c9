package rule

import (
	"github.com/mapatools/mapa/lint/internal/display"
	"github.com/mapatools/mapa/lint/internal/live"
)

// Page is a page of the sample, with what the site answers, as a check sees it.
type Page struct {
	*live.Page
	Options *Options

	rule  *Rule // the one that looks
	found []Finding
}

// NewPage returns what checks see of a page.
func NewPage(page *live.Page, options *Options) *Page { return &Page{Page: page, Options: options} }

// Check applies a rule.
func (p *Page) Check(r *Rule) {
	p.rule = r
	r.CheckPage(p)
}

// Found returns the findings of all checks, without file and severity.
func (p *Page) Found() []Finding { return p.found }

// Report reports a breach of the rule at a position in the entry of the page.
func (p *Page) Report(at live.Position, element, evidence, message string) {
	p.found = append(p.found, Finding{
		Rule: p.rule, Line: at.Line, Column: at.Column, Offset: at.Offset, Element: element,
		URL: display.Text(p.Loc), Message: message, Evidence: display.Text(evidence),
		Source: at.Source, Caret: at.Caret,
	})
}

// ReportLoc reports a breach of the rule by the page.
func (p *Page) ReportLoc(message string) { p.Report(p.At, "loc", p.Loc, message) }

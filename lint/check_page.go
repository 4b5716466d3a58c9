package lint

import (
	"context"
	"net/http"

	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/lint/internal/sample"
)

// A pageCheck applies the rules to what the site answers for a page of the sample.
// Requests are made when the answer is needed. It is for one goroutine.
type pageCheck struct {
	*sample.Listing
	options *Options
	site    *fetch.Site
	ctx     context.Context
	chains  map[string]*chain // by the first address
	facts   *pageFacts

	rule     *Rule     // the one that looks
	findings []Finding // without file and severity
}

// check applies a rule.
func (p *pageCheck) check(r *Rule) {
	p.rule = r
	r.checkPage(p)
}

// report reports a breach of the rule at a position in the entry of the page.
func (p *pageCheck) report(at sample.Position, element, evidence string, message Text) {
	p.findings = append(p.findings, Finding{
		Rule: p.rule, Line: at.Line, Column: at.Column, Offset: at.Offset, Element: element,
		URL: printable(p.Loc), Message: message, Evidence: printable(evidence),
		Source: at.Source, Caret: at.Caret,
	})
}

// reportLoc reports a breach of the rule by the page.
func (p *pageCheck) reportLoc(message Text) { p.report(p.At, "loc", p.Loc, message) }

// cancelled reports whether answers may be missing because the run ends.
func (p *pageCheck) cancelled() bool { return p.ctx.Err() != nil }

// follow returns where an address leads. It is requested once.
func (p *pageCheck) follow(url string, limit int64) *chain {
	c := p.chains[url]
	if c == nil {
		c = follow(p.ctx, p.site, url, limit)
		p.chains[url] = c
	}
	return c
}

// chain returns where the page itself leads.
func (p *pageCheck) chain() *chain { return p.follow(p.Loc, pageLimit) }

// html returns the facts of the page, or nil unless it is HTML of status 200 without
// a redirect.
func (p *pageCheck) html() *pageFacts {
	answer := p.chain().own()
	if answer == nil || answer.Status != http.StatusOK || !isHTML(answer.Header) {
		return nil
	}
	if p.facts == nil {
		p.facts = readFacts(p.Loc, answer)
	}
	return p.facts
}

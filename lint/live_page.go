package lint

import (
	"bytes"
	"context"
	"mime"
	"net/http"

	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// An encounter is a listed page and what the site says of it. Nothing is asked for
// that no rule wants to know.
type encounter struct {
	*run
	ctx    context.Context
	file   uint32
	page   *listing
	rule   *Rule // the one that looks
	trails map[string]*trail
	facts  *pageFacts // of the page, when asked for
	found  []Finding
}

// judge applies the live rules about pages.
func (e *encounter) judge() {
	e.trails = map[string]*trail{}
	for _, r := range e.plan.live {
		if e.ctx.Err() != nil {
			return
		}
		e.rule = r
		r.live(e)
	}
}

// ask returns where an address leads, asked for once.
func (e *encounter) ask(url string, limit int64) *trail {
	t := e.trails[url]
	if t == nil {
		t = follow(e.ctx, e.options.Live, url, limit)
		e.trails[url] = t
	}
	return t
}

func (e *encounter) own() *trail { return e.ask(e.page.Loc, pageLimit) }

// report finds the rule that looks broken at a place of the page's entry.
func (e *encounter) report(at spot, element, evidence, message string) {
	e.found = append(e.found, Finding{
		Rule: e.rule, Line: at.Line, Column: at.Column, Offset: at.Offset, Element: element,
		URL: printable([]byte(e.page.Loc)), Message: message, Evidence: printable([]byte(evidence)),
		Source: at.Source, Caret: at.Caret,
	})
}

func (e *encounter) reportPage(message string) { e.report(e.page.At, "loc", e.page.Loc, message) }

// pageFacts are what an HTML page of status 200 says of itself.
type pageFacts struct {
	header     http.Header
	robots     extract.Robots // in the page
	canonical  string         // absolute, or empty
	alternates []rendition    // with absolute addresses
	modified   dated
}

// html returns the facts of the page, or nil where it is no HTML that answers by
// itself.
func (e *encounter) html() *pageFacts {
	answer := e.own().own()
	if answer == nil || answer.Status != http.StatusOK || !isHTML(answer.Header) {
		return nil
	}
	if e.facts == nil {
		e.facts = readFacts(e.page.Loc, answer)
	}
	return e.facts
}

func isHTML(header http.Header) bool {
	media, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	return media == "text/html" || media == "application/xhtml+xml" || err != nil && header.Get("Content-Type") == ""
}

func readFacts(address string, answer *Answer) *pageFacts {
	var scanner extract.Scanner
	page := scanner.Scan(answer.Body, answer.Header.Get("Content-Type"), extract.Options{})
	facts := &pageFacts{header: answer.Header, robots: page.Robots, modified: modifiedOf(page, answer.Header)}
	header, base := resolver(address), resolver(address)
	if header == nil {
		return facts
	}
	if own, err := header.AppendResolve(nil, page.Base); err == nil && len(page.Base) > 0 {
		if other, err := urlnorm.NewBase(own); err == nil {
			base = other
		}
	}
	facts.canonical = resolve(base, page.Canonical)
	for _, link := range page.Links {
		if link.Kind == extract.KindAlternate && len(link.Lang) > 0 && link.Head {
			facts.alternates = append(facts.alternates, rendition{string(link.Lang), resolve(base, link.URL)})
		}
	}
	for _, link := range extract.ParseLinkHeader(answer.Header.Values("Link")) {
		target := resolve(header, []byte(link.URL))
		switch {
		case link.Rel&extract.RelCanonical != 0:
			facts.canonical = target
		case link.Rel&extract.RelAlternate != 0 && link.Lang != "":
			facts.alternates = append(facts.alternates, rendition{link.Lang, target})
		}
	}
	return facts
}

func resolver(address string) *urlnorm.Base {
	base, err := urlnorm.NewBase([]byte(address))
	if err != nil {
		return nil
	}
	return base
}

func resolve(base *urlnorm.Base, address []byte) string {
	if len(address) == 0 {
		return ""
	}
	resolved, err := base.AppendResolve(nil, address)
	if err != nil {
		return ""
	}
	return string(resolved)
}

// isSamePage compares two addresses in their normal form.
func isSamePage(a, b string) bool {
	first, err := normalForm(nil, []byte(a))
	second, other := normalForm(nil, []byte(b))
	return err == nil && other == nil && bytes.Equal(first, second)
}

package crawl

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/mapatools/mapa/internal/extract"
)

// canonicalOf returns the canonical address that the header (RFC 8288) or else
// the page gives. Where the two name different pages, that is noted.
func (w *worker) canonicalOf(next item, page *Page, facts *extract.Page, header http.Header) (canonical []byte, from string) {
	links := extract.ParseLinkHeader(header.Values("Link"))
	inHeader := slices.IndexFunc(links, func(l extract.HeaderLink) bool { return l.Rel&extract.RelCanonical != 0 })
	switch {
	case inHeader < 0 && len(facts.Canonical) == 0:
		return nil, ""
	case inHeader < 0:
		return facts.Canonical, "link element"
	case len(facts.Canonical) > 0:
		w.compareCanonicals(next, page, facts, links[inHeader].URL)
	}
	return []byte(links[inHeader].URL), "Link header"
}

func (w *worker) compareCanonicals(next item, page *Page, facts *extract.Page, inHeader string) {
	base, ok := w.baseOf([]byte(next.url))
	if !ok {
		return
	}
	one, err := base.AppendResolve(nil, []byte(inHeader))
	if err != nil {
		return
	}
	if base, ok = w.baseOf(w.documentBase(next, facts)); !ok {
		return
	}
	other, err := base.AppendResolve(nil, facts.Canonical)
	if err == nil && w.key(one) != w.key(other) {
		page.Conflict = fmt.Sprintf("the Link header names %s as canonical, the link element %s", one, other)
	}
}

package crawl

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/extract"
)

// canonicalOf returns the canonical address that the header (RFC 8288) or else
// the page gives. Where the two name different pages, that is noted.
func (w *worker) canonicalOf(next item, page *Page, facts *extract.Page, header http.Header) (canonical []byte, from string) {
	inHeader := linkHeader(header, "canonical")
	switch {
	case len(inHeader) == 0 && len(facts.Canonical) == 0:
		return nil, ""
	case len(inHeader) == 0:
		return facts.Canonical, "link element"
	case len(facts.Canonical) > 0:
		w.compareCanonicals(next, page, facts, inHeader[0].address)
	}
	return []byte(inHeader[0].address), "Link header"
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

// A headerLink is one link of a Link header.
type headerLink struct {
	address  string
	language string // hreflang
}

// linkHeader returns the links of a relation (RFC 8288, section 3).
func linkHeader(header http.Header, relation string) (found []headerLink) {
	for _, value := range header.Values("Link") {
		for value != "" {
			_, rest, opened := strings.Cut(value, "<")
			address, rest, closed := strings.Cut(rest, ">")
			if !opened || !closed {
				break
			}
			var parameters string
			parameters, value = cutLink(rest)
			if rel := parameter(parameters, "rel"); slices.Contains(strings.Fields(strings.ToLower(rel)), relation) {
				found = append(found, headerLink{strings.TrimSpace(address), parameter(parameters, "hreflang")})
			}
		}
	}
	return found
}

// cutLink cuts the parameters of one link from the links behind it; a comma in
// quotes parts nothing.
func cutLink(text string) (parameters, rest string) {
	quoted := false
	for i := range len(text) {
		switch text[i] {
		case '"':
			quoted = !quoted
		case ',':
			if !quoted {
				return text[:i], text[i+1:]
			}
		}
	}
	return text, ""
}

// parameter returns the first value of a link's parameter, or "".
func parameter(parameters, name string) string {
	for p := range strings.SplitSeq(parameters, ";") {
		key, value, _ := strings.Cut(p, "=")
		if strings.EqualFold(strings.TrimSpace(key), name) {
			return strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return ""
}

package lint

import (
	"bytes"
	"mime"
	"net/http"

	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/lint/internal/sample"
	"github.com/mapatools/mapa/lint/internal/scan"
)

// pageFacts are what an HTML page of status 200 says about itself.
type pageFacts struct {
	robots     extract.Robots     // in the page
	canonical  string             // absolute, or empty
	alternates []sample.Alternate // with absolute addresses
	modified   modification
}

// isHTML reports whether a header has the Content-Type of HTML, or none.
func isHTML(header http.Header) bool {
	media, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	return media == "text/html" || media == "application/xhtml+xml" || err != nil && header.Get("Content-Type") == ""
}

func readFacts(address string, answer *fetch.Answer) *pageFacts {
	var scanner extract.Scanner
	page := scanner.Scan(answer.Body, answer.Header.Get("Content-Type"), extract.Options{})
	facts := &pageFacts{robots: page.Robots, modified: modifiedOf(page, answer.Header)}
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
			version := sample.Alternate{Hreflang: string(link.Lang), Href: resolve(base, link.URL)}
			facts.alternates = append(facts.alternates, version)
		}
	}
	for _, link := range extract.ParseLinkHeader(answer.Header.Values("Link")) {
		target := resolve(header, []byte(link.URL))
		switch {
		case link.Rel&extract.RelCanonical != 0:
			facts.canonical = target
		case link.Rel&extract.RelAlternate != 0 && link.Lang != "":
			facts.alternates = append(facts.alternates, sample.Alternate{Hreflang: link.Lang, Href: target})
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
	first, err := scan.NormalForm(nil, []byte(a))
	second, other := scan.NormalForm(nil, []byte(b))
	return err == nil && other == nil && bytes.Equal(first, second)
}

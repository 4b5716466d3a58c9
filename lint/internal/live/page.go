package live

import (
	"bytes"
	"context"
	"mime"
	"net/http"

	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/lint/internal/scan"
)

// Page is a listed page and what the site answers for it. Requests are made when
// the answer is needed. It is for one goroutine.
type Page struct {
	*Listing
	ctx    context.Context
	site   Site
	chains map[string]*Chain
	facts  *Facts
}

// NewPage returns the page of a listing.
func NewPage(ctx context.Context, site Site, listing *Listing) *Page {
	return &Page{Listing: listing, ctx: ctx, site: site, chains: map[string]*Chain{}}
}

// Cancelled reports whether answers may be missing because the run ends.
func (p *Page) Cancelled() bool { return p.ctx.Err() != nil }

// Follow returns where an address leads. It is requested once.
func (p *Page) Follow(url string, limit int64) *Chain {
	c := p.chains[url]
	if c == nil {
		c = Follow(p.ctx, p.site, url, limit)
		p.chains[url] = c
	}
	return c
}

// Chain returns where the page itself leads.
func (p *Page) Chain() *Chain { return p.Follow(p.Loc, PageLimit) }

// Facts are what an HTML page of status 200 says about itself.
type Facts struct {
	Robots     extract.Robots // in the page
	Canonical  string         // absolute, or empty
	Alternates []Alternate    // with absolute addresses
	Modified   Modified
}

// HTML returns the facts of the page, or nil unless it is HTML of status 200 without
// a redirect.
func (p *Page) HTML() *Facts {
	answer := p.Chain().Own()
	if answer == nil || answer.Status != http.StatusOK || !IsHTML(answer.Header) {
		return nil
	}
	if p.facts == nil {
		p.facts = readFacts(p.Loc, answer)
	}
	return p.facts
}

// IsHTML reports whether a header has the Content-Type of HTML, or none.
func IsHTML(header http.Header) bool {
	media, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	return media == "text/html" || media == "application/xhtml+xml" || err != nil && header.Get("Content-Type") == ""
}

func readFacts(address string, answer *Answer) *Facts {
	var scanner extract.Scanner
	page := scanner.Scan(answer.Body, answer.Header.Get("Content-Type"), extract.Options{})
	facts := &Facts{Robots: page.Robots, Modified: modifiedOf(page, answer.Header)}
	header, base := resolver(address), resolver(address)
	if header == nil {
		return facts
	}
	if own, err := header.AppendResolve(nil, page.Base); err == nil && len(page.Base) > 0 {
		if other, err := urlnorm.NewBase(own); err == nil {
			base = other
		}
	}
	facts.Canonical = resolve(base, page.Canonical)
	for _, link := range page.Links {
		if link.Kind == extract.KindAlternate && len(link.Lang) > 0 && link.Head {
			facts.Alternates = append(facts.Alternates, Alternate{string(link.Lang), resolve(base, link.URL)})
		}
	}
	for _, link := range extract.ParseLinkHeader(answer.Header.Values("Link")) {
		target := resolve(header, []byte(link.URL))
		switch {
		case link.Rel&extract.RelCanonical != 0:
			facts.Canonical = target
		case link.Rel&extract.RelAlternate != 0 && link.Lang != "":
			facts.Alternates = append(facts.Alternates, Alternate{link.Lang, target})
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

// IsSamePage compares two addresses in their normal form.
func IsSamePage(a, b string) bool {
	first, err := scan.NormalForm(nil, []byte(a))
	second, other := scan.NormalForm(nil, []byte(b))
	return err == nil && other == nil && bytes.Equal(first, second)
}

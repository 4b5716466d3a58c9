package crawl

import (
	"time"

	"github.com/mapatools/mapa/crawl/render"
)

// Summary counts the URLs of a crawl. Every output of a crawl shows these numbers.
type Summary struct {
	Reasons map[Reason]int64 // those decided, by Record.Reason
	Waiting int64            // those to be fetched

	// Pages counts the URLs of the site that were requested as pages, whatever the
	// server sent.
	Pages     int64
	Documents map[DocumentKind]int64 // listed files that are not HTML
	// Traps counts, by [TrapKind.Detail], the URLs that traps leave out, and the pages
	// with more links than Traps.Links.
	Traps map[Detail]int64
	// SessionLinks counts the links with a session identifier, which does not change
	// the page.
	SessionLinks int64
	// Rendered counts the pages whose scripts were run, RenderReasons those by the reason, and
	// RenderTime is the time of all. NotRendered counts the pages that needed it and are as their site
	// sent them.
	Rendered      int64
	RenderReasons map[render.Reason]int64
	RenderTime    time.Duration
	NotRendered   int64
	// Returning counts the listed pages whose canonical URL redirects back to them.
	Returning int64
}

// Add counts n URLs with the same result as r, unless they are gone.
func (s *Summary) Add(r *Record, n int64) {
	reason := r.Reason()
	if r.Gone() {
		return
	}
	if !r.Fetched && reason == ReasonListed {
		s.Waiting += n
		return
	}
	count(&s.Reasons, reason, n)
	s.SessionLinks += n * int64(r.Page.SessionLinks)
	switch kind := documentKind(r.Page.MediaType); {
	case reason == ReasonTrap && r.detail() != TrapLinks.Detail():
		count(&s.Traps, r.detail(), n)
	case reason == ReasonListed && kind != "":
		count(&s.Documents, kind, n)
	}
	s.addRendered(&r.Page, n)
	if _, _, returns := r.Page.Conflict.cutBack(); returns && reason == ReasonListed {
		s.Returning += n
	}
	if r.Page.TooManyLinks {
		count(&s.Traps, TrapLinks.Detail(), n)
	}
	if r.Requested() {
		s.Pages += n
	}
}

// addRendered counts n pages that were rendered, or should have been, like p.
func (s *Summary) addRendered(p *Page, n int64) {
	if p.Rendered.Inconclusive() {
		s.NotRendered += n
	}
	if p.Rendered.Ran() {
		s.Rendered += n
		s.RenderTime += p.Rendered.Duration * time.Duration(n)
		count(&s.RenderReasons, p.RenderReason, n)
	}
}

// count adds to a count in a map that is made when needed.
func count[K comparable](counts *map[K]int64, key K, n int64) {
	if *counts == nil {
		*counts = map[K]int64{}
	}
	(*counts)[key] += n
}

// Listed returns the number of URLs in the sitemap.
func (s *Summary) Listed() int64 { return s.Reasons[ReasonListed] + s.Reasons[ReasonAdded] }

// Broken returns the number of URLs to which every link is a broken link.
func (s *Summary) Broken() (n int64) {
	for _, reason := range BrokenReasons() {
		n += s.Reasons[reason]
	}
	return n
}

// Complete reports whether the crawl reached its end without a limit, so that a URL
// that it did not find is not on the site.
func (s *Summary) Complete() bool { return s.Waiting == 0 && s.Reasons[ReasonLimit] == 0 }

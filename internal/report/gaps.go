package report

import (
	"github.com/mapatools/mapa/crawl"
)

// named are those who name addresses without linking to them.
const named = crawl.SeedSitemap | crawl.SeedList | crawl.SeedLog

// gaps compare the addresses that sitemaps, lists and logs name with what the
// crawl found.
type gaps struct {
	named     int // addresses
	sitemap   bool
	orphans   int // good pages that no page links to
	dead      int
	redirects int
	noindex   int
	others    int // not listed for another reason
	unnamed   int // listed pages that links lead to and no sitemap names
}

// add compares one address.
func (g *gaps) add(r *crawl.Record, linked uint32, listed bool) {
	given := r.Link.SeededBy
	g.sitemap = g.sitemap || given&crawl.SeedSitemap != 0
	if listed && given&crawl.SeedSitemap == 0 {
		g.unnamed++
	}
	if given&named == 0 {
		return
	}
	g.named++
	switch {
	case listed && !isReached(r, linked):
		g.orphans++
	case listed || decided(r) == Waiting:
	case r.Page.Broken():
		g.dead++
	case r.Reason() == crawl.ReasonRedirect:
		g.redirects++
	case r.Reason() == crawl.ReasonNoIndex:
		g.noindex++
	default:
		g.others++
	}
}

// isReached reports whether visitors get to an address by the links of pages, or
// begin there.
func isReached(r *crawl.Record, linked uint32) bool {
	return linked > 0 || r.Link.SeededBy&crawl.SeedStart != 0
}

// close ends the comparison: where no sitemap was read, none leaves out a page.
func (g *gaps) close() {
	if !g.sitemap {
		g.unnamed = 0
	}
}

func (g *gaps) total() int {
	return g.orphans + g.dead + g.redirects + g.noindex + g.others + g.unnamed
}

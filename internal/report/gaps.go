package report

import (
	"github.com/mapatools/mapa/crawl"
)

// seedSources are those who name addresses without linking to them.
const seedSources = crawl.SeedSitemap | crawl.SeedList | crawl.SeedLog

// gaps compare the addresses that sitemaps, lists and logs name with what the
// crawl found.
type gaps struct {
	seeded     int // addresses
	hasSitemap   bool
	orphans   int // good pages that no page links to
	broken      int
	redirects int
	noindex   int
	others    int // not listed for another reason
	notInSitemap   int // listed pages that links lead to and no sitemap names
}

// add compares one address.
func (g *gaps) add(r *crawl.Record, linked uint32, listed bool) {
	given := r.Link.SeededBy
	g.hasSitemap = g.hasSitemap || given&crawl.SeedSitemap != 0
	if listed && given&crawl.SeedSitemap == 0 {
		g.notInSitemap++
	}
	if given&seedSources == 0 {
		return
	}
	g.seeded++
	switch {
	case listed && !isReached(r, linked):
		g.orphans++
	case listed || decisionOf(r) == Waiting:
	case r.Page.Broken():
		g.broken++
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

// finish ends the comparison: where no sitemap was read, none leaves out a page.
func (g *gaps) finish() {
	if !g.hasSitemap {
		g.notInSitemap = 0
	}
}

func (g *gaps) total() int {
	return g.orphans + g.broken + g.redirects + g.noindex + g.others + g.notInSitemap
}

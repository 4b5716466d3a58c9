package report

import (
	"github.com/mapatools/mapa/crawl"
)

// seedSources are the sources of URLs other than links.
const seedSources = crawl.SeedSitemap | crawl.SeedList | crawl.SeedLog

// gaps compares the URLs of sitemaps, lists and logs with those that the crawl
// reached by links.
type gaps struct {
	seeded       int // URLs in sitemaps, lists and logs
	hasSitemap   bool
	orphans      int // listed pages without a link to them
	broken       int
	redirects    int
	noindex      int
	others       int // not listed for other reasons
	notInSitemap int // listed pages that no sitemap names
}

// add counts one URL.
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
	case listed || DecisionOf(r) == Waiting:
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

// isReached reports whether a URL is the start or has a link from another page.
func isReached(r *crawl.Record, linked uint32) bool {
	return linked > 0 || r.Link.SeededBy&crawl.SeedStart != 0
}

// finish ends the comparison. Without a sitemap no page is missing from it.
func (g *gaps) finish() {
	if !g.hasSitemap {
		g.notInSitemap = 0
	}
}

func (g *gaps) total() int {
	return g.orphans + g.broken + g.redirects + g.noindex + g.others + g.notInSitemap
}

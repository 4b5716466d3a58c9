package report

import (
	"context"
	"iter"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/lint"
)

// CrawledPages yields the pages of a crawl that belong into a sitemap, and those that
// are dead, redirect or have noindex, as the report counts them, in the terms of
// package lint. Of a crawl that is not complete every page counts as linked, since the
// page that links to it may be yet to come.
func CrawledPages(ctx context.Context, file *store.File, complete bool) iter.Seq2[lint.CrawledPage, error] {
	return func(yield func(lint.CrawledPage, error) bool) {
		for p, err := range file.ReadPages(ctx) {
			if err != nil {
				yield(lint.CrawledPage{}, err)
				return
			}
			r := &p.Record
			state, known := crawlState(r)
			if r.Link.Role != crawl.RolePage || r.Link.OnlyEarlier() || !known {
				continue
			}
			reached := isReached(r, p.Linked)
			crawled := lint.CrawledPage{
				URL: r.Link.URL, Linked: reached || !complete, State: state, Status: r.Page.Status,
			}
			if !yield(crawled, nil) {
				return
			}
		}
	}
}

// crawlState returns the state of a page; known is false for one that does not belong
// into a sitemap for another reason, or was not requested.
func crawlState(r *crawl.Record) (state lint.CrawlState, known bool) {
	switch {
	case page.IsListed(r):
		return lint.CrawlFit, true
	case !r.Fetched:
		return 0, false
	case r.Page.Broken():
		return lint.CrawlDead, true
	case r.Page.Reason == crawl.ReasonRedirect:
		return lint.CrawlRedirect, true
	case r.Page.Reason == crawl.ReasonNoIndex:
		return lint.CrawlNoIndex, true
	}
	return 0, false
}

// isReached reports whether a URL is the start or has a link from another page.
func isReached(r *crawl.Record, linked uint32) bool {
	return linked > 0 || r.Link.SeededBy&crawl.SeedStart != 0
}

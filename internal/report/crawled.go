package report

import (
	"context"
	"iter"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/lint"
)

// CrawledPages yields the pages of a crawl that belong into a sitemap, as the report
// counts them, in the terms of package lint. Of a crawl that is not complete every
// page counts as linked, since the page that links to it may be yet to come.
func CrawledPages(ctx context.Context, file crawl.Reader, complete bool) iter.Seq2[lint.CrawledPage, error] {
	return func(yield func(lint.CrawledPage, error) bool) {
		w, err := readLinkGraph(ctx, file)
		if err != nil {
			yield(lint.CrawledPage{}, err)
			return
		}
		for r, err := range file.Pages(ctx) {
			if err != nil {
				yield(lint.CrawledPage{}, err)
				return
			}
			if r.Link.Role != crawl.RolePage || !isListed(&r) {
				continue
			}
			reached := isReached(&r, w.linked[r.Link.ID])
			if !yield(lint.CrawledPage{URL: r.Link.URL, Linked: reached || !complete}, nil) {
				return
			}
		}
	}
}

package crawl

import (
	"context"
	"iter"
)

// BrokenLink is a link of a page to a broken URL.
type BrokenLink struct {
	Page string // URL of the page that has the link
	Link Edge
	URL  string // that is broken
	// Status is the HTTP status of URL, 0 without a response. Reason and Detail say what
	// is wrong with it.
	Status int
	Reason Reason
	Detail Detail
}

// BrokenLinks returns every link to a URL with one of the [BrokenReasons], in the order of the
// pages that have the links. A link to a redirect is not broken, wherever that leads. The
// broken URLs are held in memory.
func BrokenLinks(ctx context.Context, crawled Reader) iter.Seq2[BrokenLink, error] {
	return func(yield func(BrokenLink, error) bool) {
		broken := map[ID]BrokenLink{}
		for record, err := range crawled.Pages(ctx, BrokenReasons()...) {
			if err != nil {
				yield(BrokenLink{}, err)
				return
			}
			broken[record.Link.ID] = BrokenLink{
				URL: record.Link.URL, Status: record.Page.Status, Reason: record.Reason(), Detail: record.detail(),
			}
		}
		isBroken := func(id ID) bool { _, is := broken[id]; return is }
		for referrer, err := range crawled.Referrers(ctx, isBroken) {
			found := broken[referrer.Target]
			found.Page, found.Link = referrer.URL, referrer.Edge
			if !yield(found, err) {
				return
			}
		}
	}
}

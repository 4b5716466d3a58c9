package crawl

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Finished reports whether the crawl has nothing left to do.
func (m *MemoryStore) Finished() bool { return m.finished }

// Summary counts the URLs by what was decided about them.
func (m *MemoryStore) Summary(ctx context.Context) (Summary, error) {
	summary := Summary{Reasons: map[Reason]int64{}}
	for record, err := range m.Pages(ctx) {
		if err != nil {
			return Summary{}, err
		}
		summary.Add(&record, 1)
	}
	return summary, nil
}

// Pages returns every URL in the order of the IDs, without links, anchors and shingles. With
// reasons, it returns only those for which [Record.Reason] is one of them, and none that still
// waits.
func (m *MemoryStore) Pages(ctx context.Context, reasons ...Reason) iter.Seq2[Record, error] {
	return memorySequence(ctx, m.links, func(link *Link, yield func(Record) bool) bool {
		record := m.record(link)
		record.Page.Links, record.Page.Anchors, record.Page.Shingles = nil, nil, nil
		waits := !record.Fetched && link.Reason == ReasonListed
		if len(reasons) > 0 && (waits || !slices.Contains(reasons, record.Reason())) {
			return true
		}
		return yield(record)
	})
}

// memorySequence returns what each yields for the elements of a slice, until ctx
// ends.
func memorySequence[T, R any](ctx context.Context, from []T, each func(*T, func(R) bool) bool) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		one := func(r R) bool { return yield(r, nil) }
		for i := range from {
			if err := ctx.Err(); err != nil {
				var none R
				yield(none, err)
				return
			}
			if !each(&from[i], one) {
				return
			}
		}
	}
}

func (m *MemoryStore) record(link *Link) Record {
	page, fetched := m.pages[link.ID]
	return Record{Link: *link, Page: page, Fetched: fetched}
}

// Page returns the record of a URL, or false when no URL has this ID.
func (m *MemoryStore) Page(id ID) (Record, bool, error) {
	if id < 1 || int(id) > len(m.links) {
		return Record{}, false, nil
	}
	return m.record(&m.links[id-1]), true, nil
}

// PageByURL returns the record of a URL, or false when the crawl did not find it.
func (m *MemoryStore) PageByURL(url string) (Record, bool, error) { return m.Page(m.byURL[url]) }

// Link returns a URL by its ID, without the result of its fetch. An ID that is not there is an error.
func (m *MemoryStore) Link(id ID) (Link, error) {
	if id < 1 || int(id) > len(m.links) {
		return Link{}, fmt.Errorf("URL %d is missing", id)
	}
	return m.links[id-1], nil
}

// sorted returns the links sorted by URL.
func (m *MemoryStore) sorted() []Link {
	return slices.SortedFunc(slices.Values(m.links), func(a, b Link) int {
		return cmp.Or(strings.Compare(a.URL, b.URL), cmp.Compare(a.ID, b.ID))
	})
}

// Listed returns the pages of the sitemap, sorted by URL. [Record.URL] makes entries of them.
func (m *MemoryStore) Listed(ctx context.Context) iter.Seq2[Record, error] {
	return memorySequence(ctx, m.sorted(), func(link *Link, yield func(Record) bool) bool {
		record := m.record(link)
		return !record.Fetched || record.Page.Reason != ReasonListed || yield(record)
	})
}

// BrokenLinks returns every link to a URL with one of the [BrokenReasons], in the order of the
// pages that have the links. A link to a redirect is not broken, wherever that leads.
func (m *MemoryStore) BrokenLinks(ctx context.Context) iter.Seq2[BrokenLink, error] {
	return memorySequence(ctx, m.links, func(from *Link, yield func(BrokenLink) bool) bool {
		for _, edge := range m.pages[from.ID].Links {
			to, _, _ := m.Page(edge.To)
			if to.Reason().Broken() && !yield(BrokenLink{
				Page: from.URL, Link: edge, URL: to.Link.URL, Status: to.Page.Status, Reason: to.Reason(), Detail: to.detail(),
			}) {
				return false
			}
		}
		return true
	})
}

package crawl

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/sitemap"
)

// Meta implements [Reader].
func (m *MemoryStore) Meta() Meta {
	meta := m.meta
	if meta.Start == "" && len(m.links) > 0 {
		meta.Start = m.links[0].URL
	}
	return meta
}

// Finished implements [Reader].
func (m *MemoryStore) Finished() bool { return m.finished }

// Summary implements [Reader].
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

// Pages implements [Reader].
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

// Page implements [Reader].
func (m *MemoryStore) Page(id ID) (Record, bool, error) {
	if id < 1 || int(id) > len(m.links) {
		return Record{}, false, nil
	}
	return m.record(&m.links[id-1]), true, nil
}

// PageByURL implements [Reader].
func (m *MemoryStore) PageByURL(url string) (Record, bool, error) { return m.Page(m.byURL[url]) }

// Link implements [Reader].
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

// Listed implements [Reader].
func (m *MemoryStore) Listed(ctx context.Context) iter.Seq2[ListedPage, error] {
	return memorySequence(ctx, m.sorted(), func(link *Link, yield func(ListedPage) bool) bool {
		page, fetched := m.pages[link.ID]
		if !fetched || page.Reason != ReasonListed {
			return true
		}
		listed := ListedPage{ID: link.ID, Title: page.Title, URL: sitemap.URL{Loc: link.URL, LastMod: page.LastMod}}
		if page.Extensions != nil {
			listed.Extensions = *page.Extensions
		}
		return yield(listed)
	})
}

// Edges implements [Reader].
func (m *MemoryStore) Edges(ctx context.Context) iter.Seq2[PageEdge, error] {
	return memorySequence(ctx, m.links, func(link *Link, yield func(PageEdge) bool) bool {
		for _, edge := range m.pages[link.ID].Links {
			if !yield(PageEdge{link.ID, edge}) {
				return false
			}
		}
		return true
	})
}

// Referrers implements [Reader].
func (m *MemoryStore) Referrers(ctx context.Context, target func(ID) bool) iter.Seq2[Referrer, error] {
	return memorySequence(ctx, m.links, func(link *Link, yield func(Referrer) bool) bool {
		for _, edge := range m.pages[link.ID].Links {
			if target(edge.To) && !yield(Referrer{edge.To, link.ID, link.URL, edge}) {
				return false
			}
		}
		return true
	})
}

// Shingles implements [Reader].
func (m *MemoryStore) Shingles(ctx context.Context) iter.Seq2[PageShingles, error] {
	return memorySequence(ctx, m.links, func(link *Link, yield func(PageShingles) bool) bool {
		page := m.pages[link.ID]
		return len(page.Shingles) == 0 || yield(PageShingles{link.ID, link.URL, page.Shingles})
	})
}

// Anchors implements [Reader].
func (m *MemoryStore) Anchors(ctx context.Context) iter.Seq2[PageAnchors, error] {
	return memorySequence(ctx, m.links, func(link *Link, yield func(PageAnchors) bool) bool {
		page, fetched := m.pages[link.ID]
		if !fetched || !page.readAsHTML() {
			return true
		}
		return yield(PageAnchors{link.ID, link.URL, page.Anchors})
	})
}

// readAsHTML reports whether the page was read to its end, so that its anchors are
// known.
func (p *Page) readAsHTML() bool {
	if !extract.IsHTML(p.MediaType) {
		return false
	}
	switch p.Reason {
	case ReasonListed, ReasonNoIndex, ReasonCanonical, ReasonNoList:
		return hasContent(p.Status)
	}
	return false
}

// Distances implements [Reader].
func (m *MemoryStore) Distances(
	ctx context.Context, each func(*PageEdge) error,
) (depth []int32, previous []ID, err error) {
	for edge, err := range m.Edges(ctx) {
		if err == nil && each != nil {
			err = each(&edge)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	depth, previous = make([]int32, len(m.links)+1), make([]ID, len(m.links)+1)
	for id := range depth {
		depth[id] = Unreached
	}
	if len(m.links) == 0 {
		return depth, previous, nil
	}
	depth[1] = 0
	for queue := []ID{1}; len(queue) > 0; queue = queue[1:] {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		from := queue[0]
		reach := func(to ID, links int32, at int) {
			if to > 0 && (depth[to] == Unreached || depth[to] > depth[from]+links) {
				depth[to], previous[to] = depth[from]+links, from
				queue = slices.Insert(queue, at, to)
			}
		}
		page := m.pages[from]
		for _, edge := range page.Links {
			reach(edge.To, 1, len(queue))
		}
		switch page.Reason {
		case ReasonCanonical, ReasonTrap:
			reach(page.Target, 1, len(queue))
		case ReasonRedirect, ReasonRedirectLoop:
			reach(page.Target, 0, 1) // before those that are farther
		}
	}
	return depth, previous, nil
}

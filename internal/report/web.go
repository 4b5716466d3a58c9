package report

import (
	"context"
	"slices"

	"github.com/mapatools/mapa/crawl"
)

// A web is how the addresses of a crawl hang together, by ID.
type web struct {
	depth  []int32    // links from the start; crawl.Unreached
	before []crawl.ID // the address before it on a shortest way from the start
	linked []uint32   // pages that link there
	// redirects are how many addresses that lead on are linked by a page.
	redirects int
}

// weave reads how the addresses hang together. A redirect counts as a link to
// where it leads.
func weave(ctx context.Context, file crawl.Reader) (*web, error) {
	depth, before, err := file.Distances(ctx)
	if err != nil {
		return nil, err
	}
	w := &web{depth: depth, before: before, linked: make([]uint32, len(depth))}
	last := make([]crawl.ID, len(depth)) // page that was counted last
	for e, err := range file.Edges(ctx) {
		if err != nil {
			return nil, err
		}
		if e.To != e.From && last[e.To] != e.From && forPeople(e.Kind) {
			last[e.To] = e.From
			w.linked[e.To]++
		}
	}
	return w, w.addRedirects(ctx, file)
}

// addRedirects counts the redirects that are linked or lie on a way from the start.
func (w *web) addRedirects(ctx context.Context, file crawl.Reader) error {
	var targets []crawl.ID
	for r, err := range file.Pages(ctx, crawl.ReasonRedirect) {
		if err != nil {
			return err
		}
		id, to := r.Link.ID, r.Page.Target
		if w.linked[id] > 0 {
			w.redirects++
		}
		if to > 0 && int(to) < len(w.linked) && (w.linked[id] > 0 || w.depth[id] != crawl.Unreached) {
			targets = append(targets, to)
		}
	}
	for _, to := range targets {
		w.linked[to]++
	}
	return nil
}

// forPeople tells a link that a visitor can follow from what only programs read.
func forPeople(kind crawl.EdgeKind) bool {
	switch kind {
	case crawl.EdgeCanonical, crawl.EdgeAlternate, crawl.EdgeFeed, crawl.EdgePagination, crawl.EdgeRelated:
		return false
	}
	return true
}

// way returns the addresses from the start to one that links lead to.
func (w *web) way(id crawl.ID) []crawl.ID {
	var way []crawl.ID
	for at := id; at != 0; at = w.before[at] {
		way = append(way, at)
	}
	slices.Reverse(way)
	return way
}

package report

import (
	"context"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/store"
)

// A web is how the addresses of a crawl hang together, by ID.
type web struct {
	depth  []int32  // links from the start; store.Unreached
	linked []uint32 // pages that link there
}

// weave reads how the addresses hang together. A redirect counts as a link to
// where it leads.
func weave(ctx context.Context, file *store.File) (*web, error) {
	depth, _, err := file.Distances(ctx)
	if err != nil {
		return nil, err
	}
	w := &web{depth, make([]uint32, len(depth))}
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
	for r, err := range file.Pages(ctx, crawl.Redirect) {
		if err != nil {
			return nil, err
		}
		if to := r.Page.Target; to > 0 && int(to) < len(w.linked) && w.linked[r.Link.ID] > 0 {
			w.linked[to]++
		}
	}
	return w, nil
}

// forPeople tells a link that a visitor can follow from what only programs read.
func forPeople(kind string) bool {
	switch kind {
	case "canonical", "alternate", "feed", "pagination", "related":
		return false
	}
	return true
}

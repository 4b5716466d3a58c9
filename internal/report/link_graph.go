package report

import (
	"context"
	"slices"

	"github.com/mapatools/mapa/crawl"
)

// linkGraph holds crawl depths, shortest paths and link counts by ID.
type linkGraph struct {
	depth  []int32    // links from the start, or crawl.Unreached
	parent []crawl.ID // previous URL on a shortest path from the start
	linked []uint32   // number of pages that link to it
	links  []uint32   // number of URLs that it links to
	// linkedRedirects is the number of redirects that pages link to.
	linkedRedirects int
}

// readLinkGraph reads the links of a crawl. A redirect counts as a link to its target.
func readLinkGraph(ctx context.Context, file crawl.Reader) (*linkGraph, error) {
	depth, before, err := file.Distances(ctx)
	if err != nil {
		return nil, err
	}
	w := &linkGraph{depth: depth, parent: before, linked: make([]uint32, len(depth)), links: make([]uint32, len(depth))}
	last := make([]crawl.ID, len(depth)) // by ID: last page counted
	for e, err := range file.Edges(ctx) {
		if err != nil {
			return nil, err
		}
		if e.To != e.From && last[e.To] != e.From && isFollowable(e.Kind) {
			last[e.To] = e.From
			w.linked[e.To]++
			w.links[e.From]++
		}
	}
	return w, w.addRedirects(ctx, file)
}

// addRedirects counts the redirects that have links or can be reached from the start.
func (w *linkGraph) addRedirects(ctx context.Context, file crawl.Reader) error {
	var targets []crawl.ID
	for r, err := range file.Pages(ctx, crawl.ReasonRedirect) {
		if err != nil {
			return err
		}
		id, to := r.Link.ID, r.Page.Target
		if w.linked[id] > 0 {
			w.linkedRedirects++
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

// isFollowable reports whether visitors can follow a link of this kind.
func isFollowable(kind crawl.EdgeKind) bool {
	switch kind {
	case crawl.EdgeCanonical, crawl.EdgeAlternate, crawl.EdgeFeed, crawl.EdgePagination, crawl.EdgeRelated,
		crawl.EdgeData:
		return false
	}
	return true
}

// path returns the URLs from the start to a URL that can be reached.
func (w *linkGraph) path(id crawl.ID) []crawl.ID {
	var path []crawl.ID
	for at := id; at != 0; at = w.parent[at] {
		path = append(path, at)
	}
	slices.Reverse(path)
	return path
}

// depthOf returns the links from the start to a URL, or crawl.Unreached.
func (w *linkGraph) depthOf(id crawl.ID) int32 {
	if int(id) >= len(w.depth) {
		return crawl.Unreached
	}
	return w.depth[id]
}

// at returns the value of a URL, or zero in a graph that was not read.
func at[T any](values []T, id crawl.ID) (value T) {
	if int(id) < len(values) {
		value = values[id]
	}
	return value
}

package report

import (
	"context"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/insight"
)

// linkGraph holds crawl depths, shortest paths and link counts by ID.
type linkGraph struct {
	depth     []int32    // links from the start, or crawl.Unreached
	parent    []crawl.ID // previous URL on a shortest path from the start
	linked    []uint32   // number of pages that link to it
	links     []uint32   // number of URLs that it links to
	redirects []pagePair // those that count as a link to their target
}

// pagePair is a page and another one that it links to.
type pagePair struct{ from, to crawl.ID }

// readLinkGraph reads the links of a crawl. A redirect counts as a link to its target.
func readLinkGraph(ctx context.Context, file crawl.Reader) (*linkGraph, error) {
	return scanLinks(ctx, file, func(pagePair) error { return nil })
}

// scanLinks is readLinkGraph that calls pair with each page and another one that visitors can go to
// from there: in the order of the first, and once for several links.
func scanLinks(ctx context.Context, file crawl.Reader, pair func(pagePair) error) (*linkGraph, error) {
	depth, before, err := file.Distances(ctx, nil)
	if err != nil {
		return nil, err
	}
	w := &linkGraph{depth: depth, parent: before, linked: make([]uint32, len(depth)), links: make([]uint32, len(depth))}
	if err := w.readRedirects(ctx, file); err != nil {
		return nil, err
	}
	rest := w.redirects
	from := make([]crawl.ID, len(depth)) // by ID: the last page that links there
	for e, err := range file.Edges(ctx) {
		if err != nil {
			return nil, err
		}
		if e.To == e.From || from[e.To] == e.From || !insight.IsFollowable(e.Kind) {
			continue
		}
		from[e.To] = e.From
		w.linked[e.To]++
		w.links[e.From]++
		if err := pair(pagePair{e.From, e.To}); err != nil {
			return nil, err
		}
		for len(rest) > 0 && rest[0].from < e.From {
			rest = rest[1:]
		}
		if len(rest) > 0 && rest[0] == (pagePair{e.From, e.To}) {
			rest[0].to = 0 // by an element of the page, which is a link already
		}
	}
	w.addRedirects()
	return w, nil
}

// readRedirects reads all redirects.
func (w *linkGraph) readRedirects(ctx context.Context, file crawl.Reader) error {
	for r, err := range file.Pages(ctx, crawl.ReasonRedirect) {
		if err != nil {
			return err
		}
		w.redirects = append(w.redirects, pagePair{r.Link.ID, r.Page.Target})
	}
	return nil
}

// addRedirects counts the redirects that have links or can be reached from the start,
// and keeps only these.
func (w *linkGraph) addRedirects() {
	reached := w.redirects[:0]
	for _, r := range w.redirects {
		if r.to > 0 && int(r.to) < len(w.linked) && (w.linked[r.from] > 0 || w.depth[r.from] != crawl.Unreached) {
			reached = append(reached, r)
		}
	}
	w.redirects = reached
	for _, r := range reached {
		w.linked[r.to]++
	}
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

package report

import (
	"cmp"
	"context"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
)

// Bounds of the list of broken links in a page for people; counts are exact.
const (
	maxTargets = 2000 // of dead addresses, and as many of missing places
	maxSources  = 20   // of one of them
	maxLinkText = 120  // characters
)

// A brokenTarget is where broken links lead, with pages that link there.
type brokenTarget struct {
	id   crawl.ID
	fragment string // a place of the page that is not there
	why      string
	links    int // links
	sources  []linkSource
}

type linkSource struct {
	page crawl.ID
	text string
}

type brokenTargets struct {
	urls, anchors []*brokenTarget // the most linked first, as far as there is room
	links, linkedURLs       int        // broken links, and the dead addresses that they lead to
	anchorLinks, anchorCount  int        // links to missing places, and the places
}

// A targetKey is where a broken link leads.
type targetKey struct {
	target   crawl.ID
	fragment string
}

// findBrokenTargets groups the broken links by where they lead.
func findBrokenTargets(ctx context.Context, b *Broken) (*brokenTargets, error) {
	found := &brokenTargets{anchorCount: len(b.missing.anchors)}
	if b.None() {
		return found, nil
	}
	known := map[targetKey]*brokenTarget{}
	linked := map[crawl.ID]bool{}
	for e, err := range b.file.Edges(ctx) {
		if err != nil {
			return nil, err
		}
		broken, anchor := b.isBroken(e.Edge)
		if !broken {
			continue
		}
		if anchor {
			found.anchorLinks++
		} else {
			found.links++
			linked[e.To] = true
		}
		if end := found.target(known, b, e.Edge, anchor); end != nil {
			end.add(e)
		}
	}
	found.linkedURLs = len(linked)
	for _, list := range [][]*brokenTarget{found.urls, found.anchors} {
		slices.SortStableFunc(list, func(a, b *brokenTarget) int { return cmp.Compare(b.links, a.links) })
	}
	return found, nil
}

// target returns where a link leads, or nil when there is no more room.
func (d *brokenTargets) target(known map[targetKey]*brokenTarget, b *Broken, e crawl.Edge, anchor bool) *brokenTarget {
	key, list, why := targetKey{target: e.To}, &d.urls, b.urls[e.To].why
	if anchor {
		key.fragment, list, why = e.Fragment, &d.anchors, missingAnchorText
	}
	end := known[key]
	if end == nil && len(*list) < maxTargets {
		end = &brokenTarget{id: key.target, fragment: format.Truncate(format.Plain(key.fragment), maxLinkText), why: format.Plain(why)}
		known[key] = end
		*list = append(*list, end)
	}
	return end
}

func (d *brokenTarget) add(e crawl.PageEdge) {
	if d.links++; len(d.sources) < maxSources {
		d.sources = append(d.sources, linkSource{e.From, format.Truncate(format.Plain(e.Text), maxLinkText)})
	}
}

// mark notes the addresses of broken links.
func (d *brokenTargets) mark(want []bool) {
	for _, list := range [][]*brokenTarget{d.urls, d.anchors} {
		for _, end := range list {
			want[end.id] = true
			for _, source := range end.sources {
				want[source.page] = true
			}
		}
	}
}

package report

import (
	"cmp"
	"context"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/bitset"
	"github.com/mapatools/mapa/internal/format"
)

// Limits of the list of broken links in the HTML report. The counts are exact.
const (
	maxTargets  = 2000 // broken URLs, and as many missing anchors
	maxSources  = 20   // pages that link to one of them
	maxLinkText = 120  // characters
)

// brokenTarget is a broken URL or missing anchor with some of the pages that link to it.
type brokenTarget struct {
	id       crawl.ID
	fragment string // missing anchor, or empty
	why      failure
	links    int // number of links to it
	sources  []linkSource
}

type linkSource struct {
	page crawl.ID
	text string
}

type brokenTargets struct {
	urls, anchors            []*brokenTarget // most linked first, at most maxTargets each
	links, linkedURLs        int             // links to broken URLs, and the number of these URLs
	anchorLinks, anchorCount int             // links to missing anchors, and the number of these anchors

	known  map[targetKey]*brokenTarget // those of the lists, while links are added
	linked bitset.Set[crawl.ID]        // by ID: broken URLs with links
}

// targetKey identifies a broken target.
type targetKey struct {
	target   crawl.ID
	fragment string
}

// findBrokenTargets groups the broken links by target.
func findBrokenTargets(ctx context.Context, b *BrokenLinks) (*brokenTargets, error) {
	if b.grouped != nil {
		return b.grouped, nil
	}
	found := newBrokenTargets(b)
	if !b.None() {
		for e, err := range b.file.Edges(ctx) {
			if err != nil {
				return nil, err
			}
			if broken, anchor := b.isBroken(e.Edge); broken {
				found.add(b, &e, anchor)
			}
		}
	}
	found.finish(b)
	return found, nil
}

func newBrokenTargets(b *BrokenLinks) *brokenTargets {
	return &brokenTargets{
		anchorCount: len(b.missing.anchors), known: map[targetKey]*brokenTarget{},
	}
}

// add adds a broken link.
func (d *brokenTargets) add(b *BrokenLinks, e *crawl.PageEdge, anchor bool) {
	if anchor {
		d.anchorLinks++
	} else {
		d.addLink(e.To)
	}
	if target := d.target(b, e.Edge, anchor); target != nil {
		target.add(e)
	}
}

// addLink counts a link to a broken URL.
func (d *brokenTargets) addLink(to crawl.ID) {
	if d.links++; !d.linked.Has(to) {
		d.linked.Add(to)
		d.linkedURLs++
	}
}

// finish sorts the targets. It remembers them for the next caller.
func (d *brokenTargets) finish(b *BrokenLinks) {
	d.known = nil
	for _, list := range [][]*brokenTarget{d.urls, d.anchors} {
		slices.SortStableFunc(list, func(a, b *brokenTarget) int { return cmp.Compare(b.links, a.links) })
	}
	b.grouped = d
}

// target returns the target of a broken link, or nil if the list is full.
func (d *brokenTargets) target(b *BrokenLinks, e crawl.Edge, anchor bool) *brokenTarget {
	key, list, why := targetKey{target: e.To}, &d.urls, b.urls[e.To].why
	if anchor {
		key.fragment, list, why = e.Fragment, &d.anchors, missingAnchor
	}
	target := d.known[key]
	if target == nil && len(*list) < maxTargets {
		target = &brokenTarget{id: key.target, fragment: format.Truncate(format.Plain(key.fragment), maxLinkText),
			why: why}
		d.known[key] = target
		*list = append(*list, target)
	}
	return target
}

func (d *brokenTarget) add(e *crawl.PageEdge) {
	if d.links++; len(d.sources) < maxSources {
		d.sources = append(d.sources, linkSource{e.From, format.Truncate(format.Plain(e.Text), maxLinkText)})
	}
}

// mark sets want for the targets and the pages with the links.
func (d *brokenTargets) mark(want []bool) {
	for _, list := range [][]*brokenTarget{d.urls, d.anchors} {
		for _, target := range list {
			want[target.id] = true
			for _, source := range target.sources {
				want[source.page] = true
			}
		}
	}
}

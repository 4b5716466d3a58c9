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
	mostDeadEnds = 2000 // of dead addresses, and as many of missing places
	mostSources  = 20   // of one of them
	mostLinkText = 120  // characters
)

// A deadEnd is where broken links lead, with pages that link there.
type deadEnd struct {
	target   crawl.ID
	fragment string // a place of the page that is not there
	why      string
	total    int // links
	sources  []linkSource
}

type linkSource struct {
	page crawl.ID
	text string
}

type deadEnds struct {
	addresses, places []*deadEnd // the most linked first, as far as there is room
	links, dead       int        // broken links, and the dead addresses that they lead to
	anchors, missing  int        // links to missing places, and the places
}

// A place is where a broken link leads.
type place struct {
	target   crawl.ID
	fragment string
}

// findDeadEnds groups the broken links by where they lead.
func findDeadEnds(ctx context.Context, b *Broken) (*deadEnds, error) {
	found := &deadEnds{missing: len(b.missing.places)}
	if b.None() {
		return found, nil
	}
	known := map[place]*deadEnd{}
	linked := map[crawl.ID]bool{}
	for e, err := range b.file.Edges(ctx) {
		if err != nil {
			return nil, err
		}
		broken, anchor := b.breaks(e.Edge)
		if !broken {
			continue
		}
		if anchor {
			found.anchors++
		} else {
			found.links++
			linked[e.To] = true
		}
		if end := found.end(known, b, e.Edge, anchor); end != nil {
			end.add(e)
		}
	}
	found.dead = len(linked)
	for _, list := range [][]*deadEnd{found.addresses, found.places} {
		slices.SortStableFunc(list, func(a, b *deadEnd) int { return cmp.Compare(b.total, a.total) })
	}
	return found, nil
}

// end returns where a link leads, or nil when there is no more room.
func (d *deadEnds) end(known map[place]*deadEnd, b *Broken, e crawl.Edge, anchor bool) *deadEnd {
	key, list, why := place{target: e.To}, &d.addresses, b.dead[e.To].why
	if anchor {
		key.fragment, list, why = e.Fragment, &d.places, noPlace
	}
	end := known[key]
	if end == nil && len(*list) < mostDeadEnds {
		end = &deadEnd{target: key.target, fragment: format.Truncate(format.Plain(key.fragment), mostLinkText), why: format.Plain(why)}
		known[key] = end
		*list = append(*list, end)
	}
	return end
}

func (d *deadEnd) add(e crawl.PageEdge) {
	if d.total++; len(d.sources) < mostSources {
		d.sources = append(d.sources, linkSource{e.From, format.Truncate(format.Plain(e.Text), mostLinkText)})
	}
}

// mark notes the addresses of broken links.
func (d *deadEnds) mark(want []bool) {
	for _, list := range [][]*deadEnd{d.addresses, d.places} {
		for _, end := range list {
			want[end.target] = true
			for _, source := range end.sources {
				want[source.page] = true
			}
		}
	}
}

package report

import (
	"cmp"
	"context"
	"slices"

	"github.com/mapatools/mapa/crawl"
)

// Bounds of the list of broken links in a page for people; counts are exact.
const (
	mostDeadEnds = 3000 // of dead addresses, and as many of missing places
	mostSources  = 50   // of one of them
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
	addresses, places []*deadEnd // the most linked first
	links             int        // to dead addresses
	anchors           int        // to missing places
	missing           int        // places
}

// findDeadEnds groups the broken links by where they lead.
func findDeadEnds(ctx context.Context, b *Broken) (*deadEnds, error) {
	type key struct {
		target   crawl.ID
		fragment string
	}
	known := map[key]*deadEnd{}
	found := &deadEnds{missing: len(b.missing.places)}
	for link, err := range b.Links(ctx) {
		if err != nil {
			return nil, err
		}
		k := key{target: link.Target}
		list := &found.addresses
		if link.Anchor {
			k.fragment = link.URL[len(b.missing.targets[link.Target])+1:]
			list = &found.places
			found.anchors++
		} else {
			found.links++
		}
		end, ok := known[k]
		if !ok {
			if len(*list) == mostDeadEnds {
				continue
			}
			end = &deadEnd{target: k.target, fragment: cut(plain(k.fragment), mostLinkText), why: plain(link.Why)}
			known[k] = end
			*list = append(*list, end)
		}
		if end.total++; len(end.sources) < mostSources {
			end.sources = append(end.sources, linkSource{link.From, cut(plain(link.Text), mostLinkText)})
		}
	}
	for _, list := range [][]*deadEnd{found.addresses, found.places} {
		slices.SortStableFunc(list, func(a, b *deadEnd) int { return cmp.Compare(b.total, a.total) })
	}
	return found, nil
}

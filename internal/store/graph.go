package store

import (
	"context"
	"fmt"
	"iter"

	"github.com/mapatools/mapa/crawl"
)

// A Reference is one link of a page.
type Reference struct {
	From crawl.ID
	crawl.Edge
}

// Edges returns every link of every page, in the order of the pages' IDs and
// of the links in the page.
func (f *File) Edges(ctx context.Context) iter.Seq2[Reference, error] {
	const text = "select id, edges from link order by id"
	type list struct {
		id    crawl.ID
		edges edgeReader
	}
	lists := sequence(ctx, f, text, func(r row) list {
		return list{crawl.ID(r.number(0)), edgeReader{text: string(r.blob(1))}}
	})
	return func(yield func(Reference, error) bool) {
		for list, err := range lists {
			if err != nil {
				yield(Reference{}, err)
				return
			}
			for e, ok := list.edges.next(); ok; e, ok = list.edges.next() {
				if !yield(Reference{list.id, e}, nil) {
					return
				}
			}
			if err := list.edges.err(); err != nil {
				yield(Reference{}, fmt.Errorf("read %s: page %d: %w", f.name, list.id, err))
				return
			}
		}
	}
}

// An Anchored is a page with the hashes of what fragments can point at.
type Anchored struct {
	ID      crawl.ID
	URL     string
	Anchors []uint32 // sorted
}

// Anchored returns every page that was read as HTML to its end, in the order of
// the IDs.
func (f *File) Anchored(ctx context.Context) iter.Seq2[Anchored, error] {
	const text = `select f.id, u.url, l.anchors from fetch f join url u on u.id = f.id left join link l on l.id = f.id
where f.status = 200 and f.media_type in ('text/html', 'application/xhtml+xml', '')
and coalesce(f.reason, '') in ('', 'noindex', 'canonical', 'no-list') order by f.id`
	return sequence(ctx, f, text, func(r row) Anchored {
		return Anchored{crawl.ID(r.number(0)), r.text(1), readAnchors(r.blob(2))}
	})
}

// A Referrer is a page that links to a target.
type Referrer struct {
	Target crawl.ID
	From   crawl.ID
	URL    string // of From
	Edge   crawl.Edge
}

// Referrers returns every link to the targets, in the order of Edges.
func (f *File) Referrers(ctx context.Context, target func(crawl.ID) bool) iter.Seq2[Referrer, error] {
	const text = "select l.id, l.edges, u.url from link l join url u on u.id = l.id order by l.id"
	type page struct {
		id    crawl.ID
		edges edgeReader
		url   string
	}
	pages := sequence(ctx, f, text, func(r row) page {
		return page{crawl.ID(r.number(0)), edgeReader{text: string(r.blob(1))}, r.text(2)}
	})
	return func(yield func(Referrer, error) bool) {
		for p, err := range pages {
			if err != nil {
				yield(Referrer{}, err)
				return
			}
			for e, ok := p.edges.next(); ok; e, ok = p.edges.next() {
				if target(e.To) && !yield(Referrer{e.To, p.id, p.url, e}, nil) {
					return
				}
			}
			if err := p.edges.err(); err != nil {
				yield(Referrer{}, fmt.Errorf("read %s: page %d: %w", f.name, p.id, err))
				return
			}
		}
	}
}

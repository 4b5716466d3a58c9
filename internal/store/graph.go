package store

import (
	"context"
	"fmt"
	"iter"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/sqlite"
)

// PageEdge is one link and the page that it is on.
type PageEdge struct {
	From crawl.ID
	crawl.Edge
}

// PageHashes is a page with the hashes of something in it, sorted.
type PageHashes struct {
	ID     crawl.ID
	URL    string
	Hashes []uint32
}

// Edges returns every link of every page, in the order of the pages' IDs and of the links in the
// page.
func (f *File) Edges(ctx context.Context) iter.Seq2[PageEdge, error] {
	const text = "select id, edges from link order by id"
	type list struct {
		id    crawl.ID
		edges edgeReader
	}
	lists := sequence(ctx, f, text, func(r sqlite.Row) list {
		return list{crawl.ID(r.Number(0)), edgeReader{text: string(r.Blob(1)), last: f.last}}
	})
	return func(yield func(PageEdge, error) bool) {
		for list, err := range lists {
			if err != nil {
				yield(PageEdge{}, err)
				return
			}
			for e, ok := list.edges.next(); ok; e, ok = list.edges.next() {
				if !yield(PageEdge{From: list.id, Edge: e}, nil) {
					return
				}
			}
			if err := list.edges.err(); err != nil {
				yield(PageEdge{}, fmt.Errorf("page %d: %w", list.id, f.db.Explain(err)))
				return
			}
		}
	}
}

// Shingles returns every page with shingles, in the order of the IDs: each is the hash of five words
// in a row of its main text, and is there once. The part of them that two pages have in common says
// how similar the pages are.
func (f *File) Shingles(ctx context.Context) iter.Seq2[PageHashes, error] {
	const text = `select l.id, u.url, l.shingles from link l join url u on u.id = l.id
where l.shingles is not null order by l.id`
	return sequence(ctx, f, text, func(r sqlite.Row) PageHashes {
		return PageHashes{ID: crawl.ID(r.Number(0)), URL: r.Text(1), Hashes: readHashes(r.Blob(2))}
	})
}

// Anchors returns every page that was read as HTML to its end, in the order of the IDs, also those
// without an anchor, with the hashes of what fragments can point at.
func (f *File) Anchors(ctx context.Context) iter.Seq2[PageHashes, error] {
	const text = `select f.id, u.url, l.anchors from fetch f join url u on u.id = f.id left join link l on l.id = f.id
where f.status in (200, 203) and coalesce(f.media_type, '') in ('text/html', 'application/xhtml+xml', '')
and coalesce(f.reason, '') in ('', 'noindex', 'canonical', 'no-list') order by f.id`
	return sequence(ctx, f, text, func(r sqlite.Row) PageHashes {
		return PageHashes{ID: crawl.ID(r.Number(0)), URL: r.Text(1), Hashes: readHashes(r.Blob(2))}
	})
}

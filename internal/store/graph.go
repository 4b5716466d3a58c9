package store

import (
	"context"
	"fmt"
	"iter"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/sqlite"
)

// Edges implements [crawl.Reader].
func (f *File) Edges(ctx context.Context) iter.Seq2[crawl.PageEdge, error] {
	const text = "select id, edges from link order by id"
	type list struct {
		id    crawl.ID
		edges edgeReader
	}
	lists := sequence(ctx, f, text, func(r sqlite.Row) list {
		return list{crawl.ID(r.Number(0)), edgeReader{text: string(r.Blob(1)), last: f.last}}
	})
	return func(yield func(crawl.PageEdge, error) bool) {
		for list, err := range lists {
			if err != nil {
				yield(crawl.PageEdge{}, err)
				return
			}
			for e, ok := list.edges.next(); ok; e, ok = list.edges.next() {
				if !yield(crawl.PageEdge{From: list.id, Edge: e}, nil) {
					return
				}
			}
			if err := list.edges.err(); err != nil {
				yield(crawl.PageEdge{}, fmt.Errorf("page %d: %w", list.id, f.db.Explain(err)))
				return
			}
		}
	}
}

// Shingles implements [crawl.Reader].
func (f *File) Shingles(ctx context.Context) iter.Seq2[crawl.PageShingles, error] {
	const text = `select l.id, u.url, l.shingles from link l join url u on u.id = l.id
where l.shingles is not null order by l.id`
	return sequence(ctx, f, text, func(r sqlite.Row) crawl.PageShingles {
		return crawl.PageShingles{ID: crawl.ID(r.Number(0)), URL: r.Text(1), Shingles: readHashes(r.Blob(2))}
	})
}

// Anchors implements [crawl.Reader].
func (f *File) Anchors(ctx context.Context) iter.Seq2[crawl.PageAnchors, error] {
	const text = `select f.id, u.url, l.anchors from fetch f join url u on u.id = f.id left join link l on l.id = f.id
where f.status in (200, 203) and coalesce(f.media_type, '') in ('text/html', 'application/xhtml+xml', '')
and coalesce(f.reason, '') in ('', 'noindex', 'canonical', 'no-list') order by f.id`
	return sequence(ctx, f, text, func(r sqlite.Row) crawl.PageAnchors {
		return crawl.PageAnchors{ID: crawl.ID(r.Number(0)), URL: r.Text(1), Anchors: readHashes(r.Blob(2))}
	})
}

// Referrers implements [crawl.Reader].
func (f *File) Referrers(ctx context.Context, target func(crawl.ID) bool) iter.Seq2[crawl.Referrer, error] {
	const text = "select l.id, l.edges, u.url from link l join url u on u.id = l.id order by l.id"
	type page struct {
		id    crawl.ID
		edges edgeReader
		url   string
	}
	pages := sequence(ctx, f, text, func(r sqlite.Row) page {
		return page{crawl.ID(r.Number(0)), edgeReader{text: string(r.Blob(1)), last: f.last}, r.Text(2)}
	})
	return func(yield func(crawl.Referrer, error) bool) {
		for p, err := range pages {
			if err != nil {
				yield(crawl.Referrer{}, err)
				return
			}
			for e, ok := p.edges.next(); ok; e, ok = p.edges.next() {
				if target(e.To) && !yield(crawl.Referrer{Target: e.To, From: p.id, URL: p.url, Edge: e}, nil) {
					return
				}
			}
			if err := p.edges.err(); err != nil {
				yield(crawl.Referrer{}, fmt.Errorf("page %d: %w", p.id, f.db.Explain(err)))
				return
			}
		}
	}
}

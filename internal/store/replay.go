package store

import (
	"cmp"
	"context"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/sqlite"
)

// replayBatch is how many pages or links Replay hands back at a time.
const replayBatch = 1000

const (
	selectURL   = "select id, url, found_on, depth, hops, role, reason, detail, seed_sources, requested_url from url order by id"
	selectFetch = "select id, status, reason, target, media_type, size, transferred, digest, rendered from fetch order by id"
)

// Replay implements [crawl.Store]. Pages and links are in the order of their IDs.
func (f *File) Replay(ctx context.Context, each func(crawl.Commit) error) error {
	handBack := func(c crawl.Commit) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return each(c)
	}
	err := replay(f.db, selectFetch, f.replayedPage, func(done []crawl.Page) error {
		return handBack(crawl.Commit{Done: done})
	})
	if err == nil {
		err = replay(f.db, selectURL, f.linkOf, func(found []crawl.Link) error {
			return handBack(crawl.Commit{Found: found})
		})
	}
	if err != nil {
		return f.db.Explain(err)
	}
	return nil
}

// replay reads rows and hands them over in batches.
func replay[T any](db *sqlite.File, text string, read func(sqlite.Row) T, each func([]T) error) error {
	var batch []T
	var failed error
	err := db.Query(text, func(r sqlite.Row) bool {
		if batch == nil {
			batch = make([]T, 0, replayBatch)
		}
		batch = append(batch, read(r))
		if len(batch) == replayBatch {
			failed = each(batch)
			batch = nil
		}
		return failed == nil
	})
	if err = cmp.Or(failed, err); err != nil || batch == nil {
		return err
	}
	return each(batch)
}

// linkOf reads the columns of url, which are the first of the row.
func (f *File) linkOf(r sqlite.Row) crawl.Link {
	return crawl.Link{
		ID:           crawl.ID(r.Number(0)),
		URL:          r.Text(1),
		From:         f.id(r, 2),
		Depth:        r.Count(3),
		Hops:         r.Count(4),
		Role:         crawl.Role(r.Number(5)),
		Reason:       crawl.Reason(r.Text(6)),
		Detail:       crawl.Detail(r.Text(7)),
		SeededBy:     crawl.SeedSource(r.Number(8)),
		RequestedURL: r.Text(9),
	}
}

func (f *File) replayedPage(r sqlite.Row) crawl.Page {
	return crawl.Page{
		ID:          crawl.ID(r.Number(0)),
		Status:      r.Count(1),
		Reason:      crawl.Reason(r.Text(2)),
		Target:      f.id(r, 3),
		MediaType:   r.Text(4),
		Size:        r.Number(5),
		Transferred: r.Number(6),
		Digest:      uint64(r.Number(7)),
		Rendered:    decodeJSON[crawl.Rendered](r.Text(8)),
	}
}

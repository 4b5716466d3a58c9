package store

import (
	"cmp"
	"context"
	"fmt"

	"github.com/mapatools/mapa/crawl"
)

// replayBatch is how many pages or links Replay hands back at a time.
const replayBatch = 1000

const (
	selectURL   = "select id, url, found_on, depth, hops, role, reason, detail, seed_sources, requested_url from url order by id"
	selectFetch = "select id, status, reason, target, media_type, size, transferred, digest from fetch order by id"
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
		return fmt.Errorf("replay %s: %w", f.name, err)
	}
	return nil
}

// replay reads rows and hands them over in batches.
func replay[T any](db *database, text string, read func(row) T, each func([]T) error) error {
	var batch []T
	var failed error
	err := db.query(text, func(row row) bool {
		if batch == nil {
			batch = make([]T, 0, replayBatch)
		}
		batch = append(batch, read(row))
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
func (f *File) linkOf(r row) crawl.Link {
	return crawl.Link{
		ID:       crawl.ID(r.number(0)),
		URL:      r.text(1),
		From:     f.id(r, 2),
		Depth:    r.count(3),
		Hops:     r.count(4),
		Role:     crawl.Role(r.number(5)),
		Reason:   crawl.Reason(r.text(6)),
		Detail:   crawl.Detail(r.text(7)),
		SeededBy: crawl.SeedSource(r.number(8)),
		Asked:    r.text(9),
	}
}

func (f *File) replayedPage(r row) crawl.Page {
	return crawl.Page{
		ID:        crawl.ID(r.number(0)),
		Status:    r.count(1),
		Reason:    crawl.Reason(r.text(2)),
		Target:    f.id(r, 3),
		MediaType: r.text(4),
		Size:      r.number(5),
		Wire:      r.number(6),
		Digest:    uint64(r.number(7)),
	}
}

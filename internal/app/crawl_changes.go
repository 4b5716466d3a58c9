package app

import (
	"context"
	"io"
	"path/filepath"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/format"
)

// changesName is the list of what changed since the previous crawl, one JSON object
// per line.
const changesName = "changes.jsonl"

// writeChanges compares a crawl with the previous one and replaces the list of
// changes, which is empty when nothing changed. Without a previous crawl the list is
// removed. Changes that no request shows, such as a removal, get the time now.
func (r *CrawlResult) writeChanges(ctx context.Context, file *crawlFile, now time.Time) error {
	name := filepath.Join(r.Details.Folder, changesName)
	if file.previous == nil {
		return removeFile(name)
	}
	var err error
	if r.Details.Previous, err = timeOf(file.previous); err != nil {
		return err
	}
	return atomicfile.Replace(name, func(out io.Writer) (err error) {
		encoder := format.NewEncoder(out)
		r.Changes, err = compareCrawls(ctx, file.previous, file.File, func(change *compare.Change) error {
			if change.Time.IsZero() {
				change.Time = now.UTC().Truncate(time.Millisecond)
			}
			return encoder.Encode(change)
		})
		return err
	})
}

// compareCrawls counts the changes between two crawls, and calls each with every one.
func compareCrawls(
	ctx context.Context, old, new crawl.Reader, each func(*compare.Change) error,
) (_ *compare.Counts, err error) {
	comparison := &compare.Comparison{}
	if comparison.Old, err = compare.Crawl(ctx, previousName, old); err != nil {
		return nil, err
	}
	if comparison.New, err = compare.Crawl(ctx, crawlName, new); err != nil {
		return nil, err
	}
	counts := &compare.Counts{}
	for change, err := range comparison.Changes(ctx) {
		if err == nil {
			counts.Add(&change)
			err = each(&change)
		}
		if err != nil {
			return nil, err
		}
	}
	counts.Unchanged = comparison.Unchanged
	return counts, nil
}

// timeOf returns when a crawl requested its start page.
func timeOf(file crawl.Reader) (time.Time, error) {
	start, _, err := file.Page(1)
	return start.Page.Time, err
}

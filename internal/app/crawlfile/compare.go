package crawlfile

import (
	"context"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/compare"
)

// ChangesName is the list of what changed since the previous crawl, one JSON object
// per line.
const ChangesName = "changes.jsonl"

// Compare counts the changes between two crawls, and calls each with every one.
func Compare(
	ctx context.Context, old, new crawl.Reader, each func(*compare.Change) error,
) (_ *compare.Counts, err error) {
	comparison := &compare.Comparison{}
	if comparison.Old, err = compare.Crawl(ctx, PreviousName, old); err != nil {
		return nil, err
	}
	if comparison.New, err = compare.Crawl(ctx, Name, new); err != nil {
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

// TimeOf returns when a crawl requested its start page.
func TimeOf(file crawl.Reader) (time.Time, error) {
	start, _, err := file.Page(1)
	return start.Page.Time, err
}

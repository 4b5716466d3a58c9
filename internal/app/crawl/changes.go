package crawl

import (
	"context"
	"io"
	"path/filepath"
	"time"

	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/format"
)

// writeChanges compares a crawl with the previous one and replaces the list of
// changes, which is empty when nothing changed. Without a previous crawl the list is
// removed. Changes that no request shows, such as a removal, get the time now.
func (r *Result) writeChanges(ctx context.Context, file *crawlFile, now time.Time) error {
	name := filepath.Join(r.Details.Folder, crawlfile.ChangesName)
	if file.previous == nil {
		return crawlfile.RemoveFile(name)
	}
	var err error
	if r.Details.Previous, err = crawlfile.TimeOf(file.previous); err != nil {
		return err
	}
	return atomicfile.Replace(name, func(out io.Writer) (err error) {
		encoder := format.NewEncoder(out)
		r.Changes, err = crawlfile.Compare(ctx, file.previous, file.File, func(change *compare.Change) error {
			if change.Time.IsZero() {
				change.Time = now.UTC().Truncate(time.Millisecond)
			}
			return encoder.Encode(change)
		})
		return err
	})
}

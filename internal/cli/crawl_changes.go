package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/store"
)

// changesName is the list of what changed since the crawl before, a line of JSON
// a change.
const changesName = "changes.jsonl"

// writeChanges compares the crawl of a folder with the one before and puts the
// changes in place of those of the last run, in one step. Nothing changed is an
// empty file; without a crawl before there is none. Changes that no request of
// the crawl shows, such as a removal, have the time now.
func writeChanges(ctx context.Context, folder, crawled string, before *store.File, now time.Time) error {
	name := filepath.Join(folder, changesName)
	if before == nil {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	old, err := compare.Crawl(ctx, previousName, before)
	if err != nil {
		return err
	}
	new, err := compare.Open(ctx, crawled, nil)
	if err != nil {
		return err
	}
	comparison := &compare.Comparison{Old: old, New: new}
	err = replaceFile(name, func(out io.Writer) error { return encodeChanges(ctx, out, comparison, now) })
	return errors.Join(err, new.Close())
}

func encodeChanges(ctx context.Context, out io.Writer, c *compare.Comparison, now time.Time) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for change, err := range c.Changes(ctx) {
		if err != nil {
			return err
		}
		if change.Time.IsZero() {
			change.Time = now.UTC().Truncate(time.Millisecond)
		}
		if err := encoder.Encode(change); err != nil {
			return err
		}
	}
	return nil
}

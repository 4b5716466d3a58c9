package app

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"time"

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
func writeChanges(ctx context.Context, folder string, file *crawlFile, now time.Time) error {
	name := filepath.Join(folder, changesName)
	if file.previous == nil {
		return removeFile(name)
	}
	old, err := compare.Crawl(ctx, previousName, file.previous)
	if err != nil {
		return err
	}
	new, err := compare.Crawl(ctx, crawlName, file.File)
	if err != nil {
		return err
	}
	comparison := &compare.Comparison{Old: old, New: new}
	err = atomicfile.Replace(name, func(out io.Writer) error { return encodeChanges(ctx, out, comparison, now) })
	return errors.Join(err, new.Close(), old.Close())
}

func encodeChanges(ctx context.Context, out io.Writer, c *compare.Comparison, now time.Time) error {
	encoder := format.NewEncoder(out)
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

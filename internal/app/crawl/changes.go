package crawl

import (
	"cmp"
	"context"
	"io"
	"path/filepath"
	"time"

	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/store"
)

// compareWith decides whether the crawl is compared with the previous one, and records that.
func (r *Result) compareWith(file *crawlFile) error {
	c := &r.Comparison
	switch {
	case !file.Finished():
		c.NotCompared = insight.NotComparedUnfinished
	case file.previous == nil:
		c.NotCompared = insight.NotComparedFirst
	default:
		before, err := crawlfile.ReadMeta(file.previous)
		if err != nil {
			return err
		}
		own, err := crawlfile.ReadMeta(file.File)
		if err != nil {
			return err
		}
		if r.Details.Previous, err = crawlfile.TimeOf(file.previous); err != nil {
			return err
		}
		if c.OtherOptions = own.OtherOptions(before); len(c.OtherOptions) > 0 {
			c.NotCompared = insight.NotComparedOptions
		}
	}
	c.Compared = c.NotCompared == ""
	return file.SetNote(store.NoteComparison, c)
}

// isBase reports whether the next crawl is compared with this one, whose results are written. One
// whose changes fail the run is not: the same command again fails again.
func (r *Result) isBase(file *store.File) bool {
	isUnusable := r.Verdict != nil && r.Verdict.Kind == insight.Unusable
	return file.Finished() && !r.Details.Late && r.Refused == "" && !isUnusable && len(r.Details.Check.Gates) == 0
}

// writeChanges compares the crawl with the previous one, settles which pages are lost, and replaces the list of
// changes, which is empty when nothing changed. It is removed where the crawl is not compared. Changes that no request
// shows, such as a removal, get the time now.
func (r *Result) writeChanges(ctx context.Context, file *crawlFile, now time.Time) (err error) {
	var changes *compare.Changes // nil unless the crawl is compared
	if r.Compared {
		if changes, err = compare.Crawls(ctx, file.previous, file.File); err != nil {
			return err
		}
		r.Changes, r.Details.changes = &changes.Counts, changes
	}
	if err := r.settleLosses(ctx, file.File, changes); err != nil {
		return err
	}
	name := filepath.Join(r.Details.Folder, crawlfile.ChangesName)
	if changes == nil {
		return crawlfile.RemoveFile(name)
	}
	return atomicfile.Replace(name, func(out io.Writer) error {
		encoder := format.NewEncoder(out)
		for change, err := range changes.Rows(ctx) {
			if err != nil {
				return err
			}
			r.Details.addFirst(change)
			if change.Time.IsZero() {
				change.Time = now.UTC().Truncate(time.Millisecond)
			}
			if err := encoder.Encode(change); err != nil {
				return err
			}
		}
		return nil
	})
}

// maxFirstChanged is how many changed URLs the shortest summary names.
const maxFirstChanged = 5

// addFirst adds a change to the first ones. They come in the order of their kinds.
func (d *Details) addFirst(change *compare.Change) {
	if len(d.FirstChanged) == 0 {
		d.firstKind = change.Kind
	}
	if change.Kind == d.firstKind && len(d.FirstChanged) < maxFirstChanged {
		d.FirstChanged = append(d.FirstChanged, cmp.Or(change.URL, change.Template))
	}
}

// closeChanges removes the temporary files of the changes.
func (r *Result) closeChanges() {
	if r.Details.changes != nil {
		r.Details.changes.Close()
		r.Details.changes = nil
	}
}

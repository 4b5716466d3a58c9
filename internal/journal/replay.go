package journal

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mapatools/mapa/crawl"
)

// siteReader reads the records of a site in a log.
type siteReader struct {
	site    int
	begin   func(crawl.Meta) error
	each    func(crawl.Commit) error
	commits commitReader
	spent   stopwatch
	isCut   bool // records are missing since the site began
}

// replaySite reads the records of a site after a sequence and up to another one. It
// returns how long its owners have spent on the site since it last began or ended, and
// ErrCut when records since its last beginning are missing.
func replaySite(
	ctx context.Context, s stream, subject string, site int, from, to uint64,
	begin func(crawl.Meta) error, each func(crawl.Commit) error,
) (spent time.Duration, err error) {
	r := siteReader{site: site, begin: begin, each: each}
	err = readLog(ctx, s, subject, from, to, r.take)
	if err == nil && r.isCut {
		err = ErrCut
	}
	r.spent.stop()
	return r.spent.total, err
}

// take takes in the next record of the log.
func (r *siteReader) take(next *record, afterGap bool) error {
	r.isCut = r.isCut || afterGap
	if next.kind == kindBegin && next.site == r.site {
		r.isCut = false
	}
	if r.isCut { // parts may be missing
		return nil
	}
	c, complete, err := r.commits.add(next)
	if err != nil {
		return err
	}
	if next.kind == kindTakeover {
		r.spent.stop()
	}
	if next.site != r.site {
		return nil
	}
	switch {
	case complete:
		r.spent.add(c.Done)
		return r.each(c)
	case next.kind == kindEnd:
		r.spent = stopwatch{}
	case next.kind == kindBegin:
		r.spent = stopwatch{}
		var meta crawl.Meta
		if err := json.Unmarshal(next.body, &meta); err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		return r.begin(meta)
	}
	return nil
}

// stopwatch adds up how long owners have worked on a site, each from its first page to its
// last one by its own clock.
type stopwatch struct {
	total       time.Duration
	first, last time.Time
}

func (w *stopwatch) add(pages []crawl.Page) {
	for i := range pages {
		at := pages[i].Time
		if at.IsZero() {
			continue
		}
		if w.first.IsZero() || at.Before(w.first) {
			w.first = at
		}
		if at.After(w.last) {
			w.last = at
		}
	}
}

// stop ends the time of an owner.
func (w *stopwatch) stop() {
	w.total += w.last.Sub(w.first)
	w.first, w.last = time.Time{}, time.Time{}
}

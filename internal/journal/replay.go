package journal

import (
	"context"
	"encoding/json"
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
	found   int  // URLs since then
}

// replaySite reads the records of a site after a sequence and up to another one. It
// returns how long its owners have spent on the site since it last began or ended, and
// ErrCut when records since its last beginning are missing or damaged.
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

// take takes in the next record of the log. One that is damaged counts as missing.
func (r *siteReader) take(next *record, afterGap bool) error {
	r.isCut = r.isCut || afterGap
	if next.kind == kindTakeover {
		r.spent.stop()
	} else if next.site != r.site {
		return nil
	}
	c, complete, err := r.commits.add(next)
	switch {
	case next.kind == kindBegin:
		return r.takeBegin(next.body)
	case next.kind == kindEnd:
		r.spent = stopwatch{}
	case err != nil:
		r.isCut = true
	case complete && !r.isCut:
		return r.takeCommit(c)
	}
	return nil
}

func (r *siteReader) takeBegin(body []byte) error {
	r.spent, r.found = stopwatch{}, 0
	var meta crawl.Meta
	if r.isCut = json.Unmarshal(body, &meta) != nil; r.isCut {
		return nil
	}
	return r.begin(meta)
}

func (r *siteReader) takeCommit(c crawl.Commit) error {
	r.found += len(c.Found)
	if r.isCut = !hasIDs(&c, crawl.ID(r.found)); r.isCut {
		return nil
	}
	r.spent.add(c.Done)
	return r.each(c)
}

// hasIDs reports whether the URLs of a commit have IDs up to the number of URLs that were
// found until then, as crawls give them out.
func hasIDs(c *crawl.Commit, most crawl.ID) bool {
	isID := func(id crawl.ID) bool { return 0 < id && id <= most }
	isReference := func(id crawl.ID) bool { return id == 0 || isID(id) }
	for i := range c.Found {
		if link := &c.Found[i]; !isID(link.ID) || !isReference(link.From) {
			return false
		}
	}
	for _, mark := range c.Seeds {
		if !isID(mark.ID) {
			return false
		}
	}
	for i := range c.Done {
		page := &c.Done[i]
		if !isID(page.ID) || !isReference(page.Target) {
			return false
		}
		for _, edge := range page.Links {
			if !isReference(edge.To) {
				return false
			}
		}
	}
	return true
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

package crawl

import (
	"context"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/store"
)

const (
	// maxReportedBroken is how many broken URLs of a run are reported. Each takes two
	// lookups.
	maxReportedBroken = 1000
	// maxDepths is how many depths are counted. The last one has all deeper pages.
	maxDepths = 64
)

// An observedStore is the file of a crawl. It reports what is stored as events to a verbose app.
type observedStore struct {
	*store.File
	app      *app.App
	sitemaps []insight.Sitemap // that the crawl has looked at and the file does not have
	broken   int               // reported
	depths   []int64
}

// Replay implements [crawl.Store].
func (s *observedStore) Replay(ctx context.Context, each func(crawl.Commit) error) error {
	if !s.app.Verbose {
		return s.File.Replay(ctx, each)
	}
	var broken []crawl.Page // of an earlier run
	err := s.File.Replay(ctx, func(c crawl.Commit) error {
		s.countDepths(c.Found)
		for i := range c.Done {
			if c.Done[i].Broken() && len(broken) < maxReportedBroken {
				broken = append(broken, c.Done[i])
			}
		}
		return each(c)
	})
	if err != nil {
		return err
	}
	s.app.Emit(PagesFound{slices.Clone(s.depths)})
	return s.reportBroken(broken)
}

// Append implements [crawl.Store]. The sitemaps come before the first page: a run that continues
// the crawl does not look at them again.
func (s *observedStore) Append(ctx context.Context, c crawl.Commit) error {
	if len(c.Done) > 0 && len(s.sitemaps) > 0 {
		if err := s.SetNote(store.NoteSitemaps, s.sitemaps); err != nil {
			return err
		}
		s.sitemaps = nil
	}
	if err := s.File.Append(ctx, c); err != nil || !s.app.Verbose {
		return err
	}
	s.countDepths(c.Found)
	s.app.Emit(PagesFound{slices.Clone(s.depths)})
	return s.reportBroken(c.Done)
}

// countDepths counts the pages among links.
func (s *observedStore) countDepths(found []crawl.Link) {
	for i := range found {
		if found[i].Role != crawl.RolePage || found[i].Reason != crawl.ReasonListed {
			continue
		}
		depth := min(max(found[i].Depth, 0), maxDepths-1)
		for len(s.depths) <= depth {
			s.depths = append(s.depths, 0)
		}
		s.depths[depth]++
	}
}

// reportBroken reports those of pages that are broken, unless there were enough.
func (s *observedStore) reportBroken(pages []crawl.Page) error {
	for i := range pages {
		page := &pages[i]
		if !page.Broken() || s.broken == maxReportedBroken {
			continue
		}
		link, err := s.Link(page.ID)
		if err != nil {
			return err
		}
		if link.OnlyEarlier() {
			continue
		}
		s.broken++
		event := BrokenFound{URL: link.URL, Status: page.Status, Reason: page.Reason}
		if link.From != 0 {
			from, err := s.Link(link.From)
			if err != nil {
				return err
			}
			event.On = from.URL
		}
		s.app.Emit(event)
	}
	return nil
}

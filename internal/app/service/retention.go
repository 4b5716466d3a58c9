package service

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/jobs"
)

// retain deletes the oldest crawls of a site that have ended, except for those that are
// kept, that are read or compared, or that something is left to do about.
func (s *Service) retain(ctx context.Context, site string) error {
	return s.deleteWhere(ctx, func(tx *jobs.Tx) ([]*jobs.Crawl, error) {
		crawls, err := tx.Crawls(hostsOf(site), 0, -1)
		return surplus(crawls, s.options.Keep), err
	})
}

// surplus returns the crawls of a site, the newest first, that are not kept. As many results are
// kept as failures, so that failures do not replace results, and the last complete one of each
// start in any case: the next crawl is compared with it.
func surplus(crawls []*jobs.Crawl, keep int) (old []*jobs.Crawl) {
	results, failures, complete := 0, 0, map[string]bool{}
	for _, c := range crawls {
		count := &failures
		switch {
		case !c.State.Ended():
			continue
		case c.HasResult():
			count = &results
		}
		*count++
		last := c.IsComplete() && !complete[c.Start]
		if complete[c.Start] = complete[c.Start] || last; !last && *count > keep {
			old = append(old, c)
		}
	}
	return old
}

// countRepeats adds failures that are deleted to the equal ones that follow them.
func countRepeats(tx *jobs.Tx, deleted []*jobs.Crawl) error {
	oldest := func(a, b *jobs.Crawl) int { return cmp.Compare(a.Number, b.Number) }
	for _, c := range slices.SortedFunc(slices.Values(deleted), oldest) {
		c, err := tx.Crawl(c.ID) // it may have been added to
		if err != nil {
			return err
		}
		next, err := tx.Next(addresses.SiteHosts(c.Site), c.Number)
		if errors.Is(err, ErrNotFound) || err == nil && !next.IsRepeated(c) {
			continue
		}
		if err != nil {
			return err
		}
		next.Repeats += c.Repeats + 1
		if err := tx.SaveCrawl(next); err != nil {
			return err
		}
	}
	return nil
}

// expire deletes the crawls whose time is over.
func (s *Service) expire(ctx context.Context, now time.Time) error {
	return s.deleteWhere(ctx, func(tx *jobs.Tx) ([]*jobs.Crawl, error) { return tx.Expired(now) })
}

// deleteWhere deletes crawls that are not in use.
func (s *Service) deleteWhere(ctx context.Context, find func(*jobs.Tx) ([]*jobs.Crawl, error)) error {
	deleted, err := s.deleteFromList(ctx, func(tx *jobs.Tx) (idle []*jobs.Crawl, err error) {
		found, err := find(tx)
		for _, c := range found {
			pending, err := tx.HasTasks(c.ID)
			if err != nil {
				return nil, err
			}
			if !pending && !s.results.inUse(c.ID) {
				idle = append(idle, c)
			}
		}
		if err != nil {
			return nil, err
		}
		return idle, countRepeats(tx, idle)
	})
	for _, c := range deleted {
		s.log.Info("result deleted", "crawl", c.ID, "site", c.Site)
		s.removeCrawl(c)
	}
	return err
}

package service

import (
	"context"
	"time"

	"github.com/mapatools/mapa/internal/jobs"
)

// retain deletes the oldest crawls of a site that have ended, except for those that are
// kept, that are read or compared, or that something is left to do about.
func (s *Service) retain(ctx context.Context, site string) error {
	return s.deleteWhere(ctx, func(tx *jobs.Tx) ([]*jobs.Crawl, error) { return tx.Surplus(site, s.options.Keep) })
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
		return idle, err
	})
	for _, c := range deleted {
		s.log.Info("result deleted", "crawl", c.ID, "site", c.Site)
		s.removeDeleted(c.ID)
	}
	return err
}

package service

import (
	"context"
	"errors"

	"github.com/mapatools/mapa/internal/jobs"
)

// A Site is a host that was crawled, or is to be. Its JSON is for programs.
type Site struct {
	Name      string `json:"name"` // host
	Crawls    int    `json:"crawls"`
	Schedules int    `json:"schedules"`
	Last      *Crawl `json:"last,omitempty"` // the newest; nil without one
	// History are the crawls of the site, the oldest first, for trends; only Service.Site
	// sets it.
	History []Crawl `json:"history,omitempty"`
}

// Sites returns the sites, sorted by name, and the cursor of the next ones, which is empty
// at the end.
func (s *Service) Sites(ctx context.Context, cursor string, limit int) ([]Site, string, error) {
	var records []*jobs.Site
	err := s.store.Update(ctx, func(tx *jobs.Tx) (err error) {
		records, err = tx.Sites(cursor, bounded(limit)+1)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	next := ""
	if len(records) > bounded(limit) {
		records = records[:bounded(limit)]
		next = records[len(records)-1].Name
	}
	sites := make([]Site, len(records))
	for i, record := range records {
		sites[i] = s.site(record)
	}
	return sites, next, nil
}

func (s *Service) site(record *jobs.Site) Site {
	site := Site{Name: record.Name, Crawls: record.Crawls, Schedules: record.Schedules}
	if record.Last != nil {
		site.Last = s.view(record.Last)
	}
	return site
}

// Site returns a site by its name, with its history. The error is [ErrNotFound] when there
// is no crawl and no schedule of it.
func (s *Service) Site(ctx context.Context, name string) (*Site, error) {
	var record *jobs.Site
	var crawls []*jobs.Crawl
	err := s.store.Update(ctx, func(tx *jobs.Tx) (err error) {
		if record, err = tx.Site(name); err != nil {
			return err
		}
		crawls, err = tx.Crawls(name, 0, maxRows)
		return err
	})
	if err != nil {
		return nil, err
	}
	site := s.site(record)
	for i := len(crawls) - 1; i >= 0; i-- {
		site.History = append(site.History, *s.view(crawls[i]))
	}
	return &site, nil
}

// DeleteSite deletes the schedules and the crawls of a site, those that run too.
func (s *Service) DeleteSite(ctx context.Context, name string) error {
	schedules, err := s.Schedules(ctx, name)
	if err != nil {
		return err
	}
	for i := range schedules {
		if err := s.DeleteSchedule(ctx, schedules[i].ID); err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
	}
	for found := false; ; found = true {
		crawls, _, err := s.Crawls(ctx, name, "", maxRows)
		if err != nil {
			return err
		}
		if len(crawls) == 0 {
			if found || len(schedules) > 0 {
				return nil
			}
			return ErrNotFound
		}
		for i := range crawls {
			if _, err := s.Delete(ctx, crawls[i].ID); err != nil && !errors.Is(err, ErrNotFound) {
				return err
			}
		}
	}
}

package service

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/baseline"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	appfigures "github.com/mapatools/mapa/internal/app/figures"
	"github.com/mapatools/mapa/internal/jobs"
	"github.com/mapatools/mapa/internal/ledger"
	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/store"
)

// figuresName is the folder with what search engines say about sites, a file for each site. It outlives the results.
const figuresName = "figures"

// figuresSuffix follows the name of a site in the name of its file.
const figuresSuffix = ".sqlite"

// ErrIncomplete means that no crawl of a site is complete, so that figures have nothing to be joined with.
var ErrIncomplete = errors.New("no crawl of the site is complete: crawl it to its end first")

// figuresOf returns the place of the figures of the site of a host.
func (s *Service) figuresOf(host string) appfigures.Place {
	site := addresses.SiteName(host)
	hosts := addresses.SiteHosts(site)
	return appfigures.Place{
		File:   filepath.Join(s.options.Folder, figuresName, url.QueryEscape(site)+figuresSuffix), // a port has a colon
		Ledger: filepath.Join(s.options.Folder, ledger.Name),
		IsAnnounced: func(target string) bool {
			u, err := url.Parse(target) // as of https://example.com/, https:example.com:443 and sc-domain:example.com
			return slices.Contains(hosts, target) || err == nil && slices.Contains(hosts, cmp.Or(u.Host, u.Opaque))
		},
	}
}

// AddFigures reads exports of search engines and other tables, files of this machine, and joins all figures of a site
// with its newest complete crawl. The next crawls join them by themselves. Either all files are kept or, with an error,
// none. The error is [ErrNotFound], [ErrIncomplete], or an [*appfigures.FileError] that names the file.
func (s *Service) AddFigures(ctx context.Context, site string, names []string) (*appfigures.Result, error) {
	release, err := s.lockResults(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	record, err := s.completeCrawl(ctx, site)
	if err != nil {
		return nil, err
	}
	defer s.results.pin(record.ID)()
	place := s.figuresOf(record.Site)
	if err := os.MkdirAll(filepath.Dir(place.File), 0o700); err != nil {
		return nil, err
	}
	added, applied, err := s.joinFigures(ctx, record.Site, record.ID, place, names)
	if err != nil {
		return nil, err
	}
	s.log.Info("figures added", "site", site, "crawl", record.ID, "exports", len(added.Read))
	size := s.sizeOf(record.ID)
	_, err = s.modify(ctx, record.ID, func(_ *jobs.Tx, c *jobs.Crawl) error {
		c.Size = size
		applied.take(c)
		return nil
	})
	return added, err
}

// completeCrawl returns the newest complete crawl of a site. The error is [ErrNotFound] or [ErrIncomplete].
func (s *Service) completeCrawl(ctx context.Context, site string) (record *jobs.Crawl, err error) {
	err = s.store.Update(ctx, func(tx *jobs.Tx) error {
		found, err := tx.Site(addresses.SiteHosts(site))
		if err == nil {
			record = found.Result
		}
		return err
	})
	if err == nil && (record == nil || !record.IsComplete()) {
		err = ErrIncomplete
	}
	return record, err
}

// joinFigures joins figures with the file of a crawl. What they find may be ignored.
func (s *Service) joinFigures(
	ctx context.Context, site, id string, place appfigures.Place, names []string,
) (added *appfigures.Result, applied *countedResult, err error) {
	entries, err := s.Ignored(site)
	if err != nil {
		return nil, nil, err
	}
	err = s.changeCopy(id, func(file *store.File) error {
		if added, err = appfigures.Join(ctx, place, file, names); err != nil {
			return err
		}
		applied, err = applyList(ctx, file, baseline.NewList(entries, time.Time{}))
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return added, applied, nil
}

// deleteFigures deletes the figures of a site, if it has any.
func (s *Service) deleteFigures(ctx context.Context, site string) error {
	release, err := s.lockResults(ctx)
	if err != nil {
		return err
	}
	defer release()
	name := s.figuresOf(site).File
	return errors.Join(crawlfile.RemoveFile(name), crawlfile.RemoveFile(name+sqlite.JournalSuffix))
}

package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/baseline"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/report"
	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/jobs"
	facts "github.com/mapatools/mapa/internal/page"
	results "github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/store"
)

// ignoredName is the folder with what is ignored on sites, a baseline for each site. It outlives the results.
const ignoredName = "ignored"

// MaxIgnored is how many things are ignored on a site.
const MaxIgnored = 10_000

// ErrManyIgnored means that more is to be ignored on a site than a server keeps.
var ErrManyIgnored = fmt.Errorf("more than %d entries", MaxIgnored)

// ignoredFile returns the name of the file with what is ignored on the site of a host.
func (s *Service) ignoredFile(host string) string {
	return filepath.Join(s.options.Folder, ignoredName, url.QueryEscape(addresses.SiteName(host))+".json")
}

// Ignored returns what is ignored on a site.
func (s *Service) Ignored(site string) ([]*baseline.Entry, error) {
	file, err := os.Open(s.ignoredFile(site))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	entries, err := ReadIgnored(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file.Name(), err)
	}
	return entries, nil
}

// ReadIgnored reads a baseline with at most as many entries as a server keeps of a site.
func ReadIgnored(in io.Reader) (entries []*baseline.Entry, err error) {
	_, err = baseline.Read(in, func(e *baseline.Entry) error {
		if len(entries) == MaxIgnored {
			return ErrManyIgnored
		}
		entries = append(entries, e)
		return nil
	})
	return entries, err
}

// ChangeIgnored changes what is ignored on a site, and with it all its results. The error is [ErrNotFound] without a
// crawl or a schedule of the site.
func (s *Service) ChangeIgnored(
	ctx context.Context, site string, change func([]*baseline.Entry) ([]*baseline.Entry, error),
) error {
	release, err := s.lockResults(ctx)
	if err != nil {
		return err
	}
	defer release()
	var crawls []*jobs.Crawl
	err = s.store.Update(ctx, func(tx *jobs.Tx) error {
		if _, err := tx.Site(addresses.SiteHosts(site)); err != nil {
			return err
		}
		crawls, err = tx.Crawls(addresses.SiteHosts(site), 0, -1)
		return err
	})
	if err != nil {
		return err
	}
	entries, err := s.Ignored(site)
	if err == nil {
		entries, err = change(entries)
	}
	if err == nil && len(entries) > MaxIgnored {
		err = ErrManyIgnored
	}
	if err == nil {
		err = s.saveIgnored(site, entries)
	}
	if err != nil {
		return err
	}
	for _, c := range crawls {
		if !c.HasResult() {
			continue
		}
		err := s.ignoreAgain(ctx, c, entries)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrNotFound) { // else it was deleted
			s.log.Error("cannot apply what is ignored", "crawl", c.ID, "error", err)
		}
	}
	return ctx.Err()
}

func (s *Service) saveIgnored(site string, entries []*baseline.Entry) error {
	name := s.ignoredFile(site)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return atomicfile.Replace(name, func(out io.Writer) error { return baseline.Write(out, entries) })
}

// ignoreAgain applies what is ignored to a result that people may read.
func (s *Service) ignoreAgain(ctx context.Context, c *jobs.Crawl, entries []*baseline.Entry) error {
	defer s.results.pin(c.ID)()
	applied, err := s.ignoreIn(ctx, c, baseline.NewList(entries, c.Began))
	if err != nil {
		return fmt.Errorf("crawl %s: %w", c.ID, err)
	}
	size := s.sizeOf(c.ID)
	_, err = s.modify(ctx, c.ID, func(_ *jobs.Tx, c *jobs.Crawl) error {
		c.Size = size
		applied.take(c)
		return nil
	})
	return err
}

// A countedResult has the numbers of a result without what is ignored.
type countedResult struct {
	verdict *insight.Verdict // nil without one
	losses  []store.LossCount
	lost    time.Time // when the newest of them was noticed
	ignored int
}

// take sets the numbers of a crawl.
func (r *countedResult) take(c *jobs.Crawl) {
	c.Lost, c.Counts.Losses, c.Counts.Ignored = r.lost, 0, int64(r.ignored)
	for i := range r.losses {
		c.Counts.Losses += int64(r.losses[i].Count)
	}
	if r.verdict != nil {
		c.Counts.Broken = int64(r.verdict.Broken())
	}
	c.Sign = string(insight.SignOf(r.verdict, int(c.Counts.Losses)))
}

// ignoreIn applies what is ignored to a copy of the file of a crawl, which then replaces the file: others may read
// that. Its report is written again.
func (s *Service) ignoreIn(ctx context.Context, c *jobs.Crawl, list *baseline.List) (*countedResult, error) {
	var applied *countedResult
	err := s.changeCopy(c.ID, func(file *store.File) (err error) {
		if applied, err = applyList(ctx, file, list); err != nil {
			return err
		}
		return s.writeBroken(ctx, c, file, applied.verdict)
	})
	if err != nil {
		return nil, err
	}
	name := filepath.Join(s.folder(c.ID), crawlfile.ReportName)
	if _, err := os.Stat(name); err != nil {
		return applied, nil // it has none
	}
	settings := report.NewSettings()
	settings.Format, settings.Output = "html", name
	a := &app.App{Version: s.options.App.Version, Lang: catalog.Language(c.Language)}
	_, err = report.Run(ctx, a, s.folder(c.ID), settings, io.Discard)
	return applied, err
}

// applyList applies what is ignored to the file of a crawl.
func applyList(ctx context.Context, file *store.File, list *baseline.List) (applied *countedResult, err error) {
	applied = &countedResult{}
	if err = list.IgnoreLosses(file); err != nil {
		return nil, err
	}
	if applied.verdict, err = list.Ignore(ctx, file); err != nil {
		return nil, err
	}
	if applied.losses, err = file.CountLosses(ctx); err != nil {
		return nil, err
	}
	if applied.lost, err = newestLoss(ctx, file); err != nil {
		return nil, err
	}
	applied.ignored, err = insight.CountIgnored(ctx, file, applied.verdict)
	return applied, err
}

// writeBroken writes the list of broken links of a result again, or removes it if none is left.
func (s *Service) writeBroken(ctx context.Context, c *jobs.Crawl, file *store.File, v *insight.Verdict) error {
	if v == nil {
		return nil
	}
	links := 0
	for _, rule := range results.BrokenRules {
		links += v.Rules[rule]
	}
	name := filepath.Join(s.folder(c.ID), crawlfile.BrokenName)
	if links == 0 {
		return crawlfile.RemoveFile(name)
	}
	limit := appcrawl.BrokenLimit(c.Counts.Bytes, int(c.Counts.Listed))
	return atomicfile.Replace(name, func(out io.Writer) error { return results.WriteBrokenLinks(ctx, file, out, limit) })
}

// ignoreAtEnd applies what is ignored to the result of a crawl that has just ended. Until release is called, nobody
// changes it.
func (s *Service) ignoreAtEnd(ctx context.Context, r *run, result *appcrawl.Result) (release func()) {
	release, err := s.lockResults(ctx)
	if err != nil {
		return func() {} // the server ends
	}
	record, err := s.record(ctx, r.id)
	if err == nil {
		err = s.ignore(ctx, r, record, result)
	}
	if err != nil && !errors.Is(err, ErrNotFound) && ctx.Err() == nil {
		s.log.Error("cannot apply what is ignored", "crawl", r.id, "error", err)
	}
	return release
}

// ignore applies what is ignored to the result of a crawl that has just ended, and notes what it did not find any more.
// It does nothing if that was applied already. The caller holds the lock of results.
func (s *Service) ignore(ctx context.Context, r *run, c *jobs.Crawl, result *appcrawl.Result) (err error) {
	site := c.Site
	if ended := readEnd(s.folder(c.ID)); ended != nil {
		site = ended.Name
	}
	stamp := sqlite.Stamp(s.ignoredFile(site))
	if r.ignored != nil && *r.ignored == stamp {
		return nil
	}
	entries, err := s.Ignored(site)
	if err != nil {
		return err
	}
	defer func() {
		if err == nil {
			stamp = sqlite.Stamp(s.ignoredFile(site))
			r.ignored = &stamp
		}
	}()
	if len(entries) == 0 && r.ignored == nil {
		return nil
	}
	list := baseline.NewList(entries, time.Time{})
	applied, err := s.ignoreIn(ctx, c, list)
	if err != nil {
		return err
	}
	result.Losses, result.Ignored = applied.losses, applied.ignored
	if applied.verdict != nil {
		result.Verdict, result.Broken = applied.verdict, int64(applied.verdict.Broken())
	}
	if result.Details.Cut != nil || result.Limit != "" || applied.verdict == nil || !result.Compared {
		return nil // it did not see the whole site, or with other options than the crawl before
	}
	file, err := crawlfile.Open(s.folder(c.ID))
	if err != nil {
		return err
	}
	fixed, err := s.markFixed(file, list, applied.verdict, entries)
	if err = errors.Join(err, file.Close()); err != nil || !fixed {
		return err
	}
	return s.saveIgnored(site, entries)
}

// markFixed sets the time at which single findings were not found any more, and reports whether there are any. A
// finding whose rule was off, whose page was not read, or whose target was not requested, may still be there. A loss is
// fixed when the page is listed again.
func (s *Service) markFixed(
	file *store.File, list *baseline.List, verdict *insight.Verdict, entries []*baseline.Entry,
) (fixed bool, err error) {
	origin := crawlfile.SiteOrigin(file)
	for _, e := range entries {
		_, applied := verdict.Rules[e.Rule]
		if e.Folder != "" || !e.Fixed.IsZero() || list.Matched(e) > 0 || !applied && !e.IsLoss() {
			continue
		}
		page, isPage, err := pageOf(file, origin, e.URL)
		if err != nil {
			return fixed, err
		}
		target, isTarget, err := pageOf(file, origin, e.Target)
		if err != nil {
			return fixed, err
		}
		wasRead := isPage && page.Fetched && page.Page.Status == http.StatusOK
		if e.URL != "" && !wasRead || e.IsLoss() && !facts.IsListed(&page) || isTarget && !target.Fetched {
			continue
		}
		e.Fixed, fixed = s.now().UTC().Truncate(time.Second), true
	}
	return fixed, nil
}

// pageOf returns what a crawl knows of a URL of an entry.
func pageOf(file *store.File, origin, address string) (record crawl.Record, known bool, err error) {
	if address == "" {
		return record, false, nil
	}
	address, _, _ = strings.Cut(address, "#")
	if strings.HasPrefix(address, "/") {
		address = origin + address
	}
	return file.PageByURL(address)
}

// deleteIgnored deletes what is ignored on a site, if there is anything.
func (s *Service) deleteIgnored(ctx context.Context, site string) error {
	release, err := s.lockResults(ctx)
	if err != nil {
		return err
	}
	defer release()
	return crawlfile.RemoveFile(s.ignoredFile(site))
}

package service

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/mapatools/mapa/internal/app"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/jobs"
	"github.com/mapatools/mapa/internal/sqlite"
)

// A run is a crawl that runs.
type run struct {
	id, site, host, client string

	live    *liveUpdates
	cancel  context.CancelCauseFunc
	done    chan struct{} // closed when it has ended and is stored
	ignored *string       // stamp of the list that was applied to the result; nil before
}

// saveTime is how often the counts of a crawl are stored.
const saveTime = 10 * time.Second

// beginLocked starts to run a crawl.
func (s *Service) beginLocked(crawls context.Context, c *jobs.Crawl) {
	s.results.drop(c.ID, func() {}) // of a crawl that failed and goes on
	ctx, cancel := context.WithCancelCause(crawls)
	r := &run{
		id: c.ID, site: c.Site, host: c.Host, client: c.Client,
		live: s.liveOfLocked(c), cancel: cancel, done: make(chan struct{}),
	}
	s.running[c.ID] = r
	go func() {
		defer s.wakeUp()
		defer close(r.done)
		defer cancel(nil)
		s.runCrawl(crawls, ctx, r)
	}()
}

// runCrawl runs a crawl to its end, or until ctx ends, and stores its outcome. When
// the disk is full, that takes the reserve, or else until there is room again or the
// server ends, whose context is server.
func (s *Service) runCrawl(server, ctx context.Context, r *run) {
	result, err := s.tryCrawl(ctx, r)
	for {
		last := server.Err() != nil
		record, failed := s.settle(context.WithoutCancel(ctx), ctx, r, result, err)
		if failed == nil || errors.Is(failed, ErrNotFound) || last {
			s.end(r)
			switch {
			case failed == nil:
				s.announceState(record)
			case errors.Is(failed, ErrNotFound): // it was deleted
				s.removeDeleted(r.id)
			}
			return
		}
		s.log.Error("cannot store the result of a crawl", "crawl", r.id, "error", failed)
		if errors.Is(failed, sqlite.ErrFull) && s.releaseReserve() {
			continue
		}
		r.live.publish(func(u *Update) { u.Notice = "the result cannot be stored: " + failed.Error() })
		select {
		case <-server.Done():
		case <-time.After(retryTime):
		}
	}
}

// end forgets that a crawl runs.
func (s *Service) end(r *run) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	delete(s.running, r.id)
}

// tryCrawl prepares the folder of a crawl and crawls.
func (s *Service) tryCrawl(ctx context.Context, r *run) (*appcrawl.Result, error) {
	resumed, asked := false, false // asked: by somebody, and not by a restart
	record, err := s.modify(ctx, r.id, func(tx *jobs.Tx, c *jobs.Crawl) error {
		asked = c.State == StateQueued && !c.Began.IsZero()
		c.State, c.Failure = StateRunning, nil
		if resumed = !c.Began.IsZero(); resumed {
			return nil
		}
		c.Began = s.now().Truncate(time.Millisecond)
		previous, err := s.previousOf(tx, c)
		c.Previous = previous
		return err
	})
	if err != nil {
		return nil, err
	}
	s.announceState(record)
	s.log.Info("crawl runs", "crawl", r.id, "site", r.site, "resumed", resumed)
	if err := s.prepare(record); err != nil {
		return nil, err
	}
	settings, err := s.settingsOf(record)
	if err != nil {
		return nil, err
	}
	if record.Stopping {
		r.cancel(appcrawl.InterruptConclude)
	}
	saving, endSaving := context.WithCancel(ctx)
	saved := make(chan struct{})
	go func() {
		defer close(saved)
		s.saveCounts(saving, r)
	}()
	own := s.options.App
	a := &app.App{
		Version: own.Version, About: own.About, LookupEnv: own.LookupEnv, CacheFolder: own.CacheFolder, Verbose: true,
		OnEvent: r.live.event,
	}
	result, err := s.crawlSite(ctx, a, record, settings, asked)
	endSaving()
	<-saved
	if err == nil {
		s.ignoreAtEnd(ctx, r, result)()
		s.prepareResult(ctx, r)
	}
	return result, err
}

// prepareResult reads the whole crawl for queries, so that the first visitor of a large
// result need not wait. Whatever goes wrong, the visitor's request tries again.
func (s *Service) prepareResult(ctx context.Context, r *run) {
	opened, err := openFolder(ctx, s.folder(r.id), s.folder(r.id))
	if err == nil {
		err = opened.Close()
	}
	if err != nil && ctx.Err() == nil {
		s.log.Warn("cannot prepare a result", "crawl", r.id, "error", err)
	}
}

// previousOf returns the ID of the crawl that a new one is compared with, or "": the last complete one
// with the same options, or else with the same public URLs, so that it says what differs.
func (s *Service) previousOf(tx *jobs.Tx, c *jobs.Crawl) (previous string, err error) {
	const recent = 20
	complete, err := tx.Complete(c.Start, recent)
	if err != nil {
		return "", err
	}
	own, err := s.settingsOf(c)
	if err != nil {
		return "", err
	}
	for _, earlier := range complete {
		if !s.isForAll(earlier.Expires) || !slices.Equal(earlier.Options["base-url"], c.Options["base-url"]) {
			continue
		}
		before, err := s.settingsOf(earlier)
		if err == nil && len(own.OtherOptions(before)) == 0 {
			return earlier.ID, nil
		}
		previous = cmp.Or(previous, earlier.ID)
	}
	return previous, nil
}

// isForAll reports whether other crawls may show what a crawl found. To strangers, that is
// not so of crawls from before the server was public, which never expire: they may have
// been made with a password, or on a private network.
func (s *Service) isForAll(expires time.Time) bool {
	return s.options.Public == nil || !expires.IsZero()
}

// prepare makes the folder of a crawl, with a copy of the crawl before.
func (s *Service) prepare(c *jobs.Crawl) error {
	folder := s.folder(c.ID)
	if _, err := os.Stat(folder); err == nil {
		return nil // it was prepared before
	}
	temporary := folder + temporarySuffix
	err := os.RemoveAll(temporary)
	if err == nil {
		err = os.Mkdir(temporary, 0o700)
	}
	if err == nil && c.Previous != "" {
		release := s.results.pin(c.Previous)
		err = appcrawl.CopyCrawl(s.folder(c.Previous), temporary)
		release()
		if errors.Is(err, fs.ErrNotExist) { // it was deleted
			err = nil
		}
	}
	if err == nil {
		err = os.Rename(temporary, folder)
	}
	if err != nil {
		return errors.Join(&crawlfile.FolderError{Folder: folder, Setting: "data", Err: err}, os.RemoveAll(temporary))
	}
	return nil
}

// removePrepared undoes what prepare did.
func (s *Service) removePrepared(id string) {
	if err := os.RemoveAll(s.folder(id)); err != nil {
		s.log.Error("cannot remove a folder without a crawl", "crawl", id, "error", err)
	}
}

// saveCounts stores the counts of a crawl from time to time, and ends it when strangers
// have used up what the server gives.
func (s *Service) saveCounts(ctx context.Context, r *run) {
	ticker := time.NewTicker(saveTime)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		counts, size := r.live.counts(), s.sizeOf(r.id)
		var exhausted bool
		_, err := s.modify(ctx, r.id, func(tx *jobs.Tx, c *jobs.Crawl) (err error) {
			c.Counts, c.Size = counts, size
			if exhausted, err = s.account(tx, c); exhausted {
				c.Limit = jobs.LimitServer
			}
			return err
		})
		if err != nil && ctx.Err() == nil {
			s.log.Error("cannot store the counts of a crawl", "crawl", r.id, "error", err)
		}
		if exhausted {
			r.cancel(appcrawl.InterruptConclude)
			return
		}
	}
}

// account adds what a crawl has downloaded to the usage of its client, and reports whether
// the server has no more to give today.
func (s *Service) account(tx *jobs.Tx, c *jobs.Crawl) (exhausted bool, err error) {
	l := s.options.Public
	if l == nil {
		return false, nil
	}
	now := s.now()
	if used := c.Counts.Bytes - c.Accounted; used > 0 {
		if err := tx.AddUsage(now, c.Client, jobs.Usage{Bytes: used}); err != nil {
			return false, err
		}
		c.Accounted = c.Counts.Bytes
	}
	total, err := tx.TotalUsage(now)
	if err != nil {
		return false, err
	}
	size, err := tx.TotalSize()
	return total.Bytes >= l.BytesADay || size >= l.Disk, err
}

// sizeOf returns the bytes of the folder of a crawl.
func (s *Service) sizeOf(id string) (size int64) {
	entries, err := os.ReadDir(s.folder(id))
	if err != nil {
		return 0
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			size += info.Size()
		}
	}
	return size
}

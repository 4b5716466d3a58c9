package service

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/app"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/jobs"
)

// Workers crawl on other machines. A crawl has a name there and goes on while this server
// does not run. [*appcrawl.Workers] implements it.
type Workers interface {
	// Crawl is [appcrawl.RunSite] under a name: it begins the crawl, follows it if it runs,
	// or lets it go on if it is held. [appcrawl.InterruptConclude] stops the workers; after any
	// other end of ctx they go on. The error wraps [crawl.ErrNotFollowed] when it is worth another try.
	Crawl(ctx context.Context, a *app.App, name, address string, s *appcrawl.Settings) (*appcrawl.Result, error)
	// Hold suspends a crawl. It also makes one that has failed go on with the next Crawl.
	Hold(ctx context.Context, name string) error
	// Delete ends a crawl and removes what was kept of it. It may be missing.
	Delete(ctx context.Context, name string) error
	// Jobs returns the names of crawls that begin with a prefix.
	Jobs(ctx context.Context, prefix string) ([]string, error)
}

// workersPrefix begins the names of this server's crawls on the workers, which other servers
// may use too.
func (s *Service) workersPrefix() string {
	mac := hmac.New(sha256.New, s.store.Key())
	mac.Write([]byte("workers"))
	return "serve-" + hex.EncodeToString(mac.Sum(nil)[:5]) + "-"
}

func (s *Service) workersName(id string) string { return s.workersPrefix() + id }

// crawlSite crawls in this process, or on workers. resumed says that the crawl had ended or
// was paused and is to go on.
func (s *Service) crawlSite(
	ctx context.Context, a *app.App, c *jobs.Crawl, settings *appcrawl.Settings, resumed bool,
) (*appcrawl.Result, error) {
	workers := s.options.Workers
	if workers == nil {
		result, err := appcrawl.RunSite(ctx, a, c.URL, settings)
		if cut := cutOf(result, err); cut != nil && cut.Unrendered != nil && !cut.Unrendered.LacksBrowser() {
			return appcrawl.RunSite(ctx, a, c.URL, settings) // pages wait for the next run, which nobody may start
		}
		return result, err
	}
	name := s.workersName(c.ID)
	if resumed {
		if err := workers.Hold(ctx, name); err != nil {
			return nil, err
		}
	}
	return workers.Crawl(ctx, a, name, c.URL, settings)
}

// runWorkers keeps what the workers do in step with the crawls of the server until ctx ends.
func (s *Service) runWorkers(ctx context.Context) {
	reported := false
	for ctx.Err() == nil {
		unknown, err := s.updateWorkers(ctx)
		err = errors.Join(err, s.deleteJobs(ctx))
		if err != nil && ctx.Err() == nil {
			s.log.Warn("cannot update the workers", "error", err)
		}
		if len(unknown) > 0 && !reported {
			s.log.Warn("jobs of crawls that the list does not name are kept: mapa job delete removes them",
				"number", len(unknown), "first", firstNames(unknown))
			reported = true
		}
		select {
		case <-ctx.Done():
		case <-s.workersWake:
		case <-time.After(retryTime):
		}
	}
}

// updateWorkers holds crawls that are paused, and deletes those that have ended and nobody can
// resume. It returns the names of crawls that the list does not have: they may be those of a
// server that has a newer list.
func (s *Service) updateWorkers(ctx context.Context) (unknown map[string]bool, err error) {
	workers, prefix := s.options.Workers, s.workersPrefix()
	names, err := workers.Jobs(ctx, prefix)
	unknown = map[string]bool{}
	for _, name := range names {
		id := strings.TrimPrefix(name, prefix)
		c, failed := s.record(ctx, id)
		switch {
		case errors.Is(failed, ErrNotFound):
			if failed = nil; !s.isMarked(id) {
				unknown[name] = true
			}
		case failed == nil && c.State.Ended() && !isResumable(c):
			failed = workers.Delete(ctx, name)
		case failed == nil && c.State == StatePaused:
			failed = workers.Hold(ctx, name)
		}
		err = errors.Join(err, failed)
	}
	return unknown, err
}

// deleteJobs deletes crawls from the workers that were deleted here, and their marks.
func (s *Service) deleteJobs(ctx context.Context) error {
	folders, err := s.readFolders()
	for _, id := range folders.deleted {
		_, missing := s.record(ctx, id)
		if !errors.Is(missing, ErrNotFound) || slices.Contains(folders.crawls, id) || s.isRunning(id) {
			continue // it has yet to end, or its folder to go
		}
		failed := s.options.Workers.Delete(ctx, s.workersName(id))
		if failed == nil {
			failed = s.unmark(id)
		}
		err = errors.Join(err, failed)
	}
	return err
}

// isResumable reports whether a crawl that has ended can go on.
func isResumable(c *jobs.Crawl) bool {
	return c.State == StateFailed || c.State == StateStopped || c.Limit == limitTime
}

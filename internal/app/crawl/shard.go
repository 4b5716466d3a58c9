package crawl

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/journal"
	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// crawlShard crawls a site that a worker has claimed, and gives it back. temp is a folder
// for temporary files. It returns an error when this machine is at fault, as with a full
// disk: then the site is left to the next claim.
func crawlShard(ctx context.Context, a *app.App, shard *journal.Shard, temp string) error {
	end, err := runShard(ctx, a, shard, temp)
	switch {
	case err == nil:
	case errors.Is(err, crawl.ErrStopped), ctx.Err() != nil:
		end.Again, err = true, nil
	case isLocal(err):
		end.Again = true
	case errors.Is(err, crawl.ErrOutage):
		end.Outage, end.Failure, err = true, err.Error(), nil
	default:
		end.Failure, err = err.Error(), nil
	}
	return errors.Join(err, shard.Close(ctx, end))
}

// isLocal reports whether an error is one of this machine or of the servers, and not of the
// site.
func isLocal(err error) bool {
	_, isFile := errors.AsType[*os.PathError](err)
	_, isUnanswered := errors.AsType[*journal.UnansweredError](err)
	return isFile || isUnanswered || errors.Is(err, sqlite.ErrFull) || errors.Is(err, syscall.ENOSPC)
}

// runShard crawls a site from where its last owner was, or from its start.
func runShard(ctx context.Context, a *app.App, shard *journal.Shard, temp string) (end journal.ShardEnd, err error) {
	meta := shard.Meta()
	settings, err := decodeForWorkers([]byte(meta.Options))
	if err != nil {
		return end, err
	}
	start, err := addresses.ReadStart(meta.Start)
	if err != nil {
		return end, err
	}
	run, err := newRun(a, start, nil, !strings.Contains(meta.Start, "://"), settings)
	if err != nil {
		return end, err
	}
	progress, err := run.crawlShard(ctx, shard, temp)
	return journal.ShardEnd{Progress: progress}, err
}

// crawlShard crawls the site of a shard, from any start, and returns the progress when its lease
// ends or the crawl does.
func (r *crawlRun) crawlShard(
	ctx context.Context, shard *journal.Shard, temp string,
) (progress crawl.Progress, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	kept := &shardStore{shard: shard, name: filepath.Join(temp, "scratch.sqlite")}
	defer func() { err = errors.Join(err, kept.close()) }()
	if err := kept.replay(ctx); err != nil {
		return progress, err
	}
	if limit := &r.options.Limits.Time; *limit > 0 {
		*limit = max(*limit-shard.Spent(), 1)
	}
	if kept.begun.Start != "" && r.options.BaseURL == "" {
		r.moveTo(r.start, kept.begun.Start)
	}
	r.options.TempDir = temp
	r.options.Offered = shard.Offered
	r.options.OnNotice = func(text string) { r.app.Emit(app.Notice{Text: r.start.asked + ": " + text}) }
	r.options.OnRateChange = func(host string, perSecond float64, why string) {
		if host == urlnorm.Host(r.options.Start) {
			shard.Slow(perSecond)
		}
		r.app.Emit(app.RateChange{Host: host, PerSecond: perSecond, Why: why})
	}
	r.options.Access.Rate = slowedRate(r.options.Access.Rate, shard.Slowed())
	r.options.Access.Admit = func() error {
		err := shard.Held()
		if err != nil {
			cancel(err)
		}
		return err
	}
	r.options.OnPage = func(response crawl.Response) {
		now := time.Now()
		if wait := fetch.RetryAfter(response.Status, response.Header, now); wait > 0 {
			shard.Postpone(now.Add(wait))
		}
	}
	r.options.OnProgress = func(p crawl.Progress) {
		shard.Report(p)
		_ = r.options.Access.Admit() // a request may be a long time off
	}
	for {
		if err := r.beginShard(ctx, kept); err != nil {
			return progress, err
		}
		var reading atomic.Pointer[string]
		if r.options.Seeds, err = seeds(ctx, r.app, &r.settings.Seeds, nil, &r.options, &reading); err != nil {
			return progress, err
		}
		progress, err = crawl.Run(ctx, kept, &r.options)
		if err == nil || !r.nextStart(ctx, err) {
			return progress, err
		}
		kept.begun = crawl.Meta{}
	}
}

// slowedRate returns the rate after the last owner of a shard has slowed down to some requests
// a second, 0 when it has not: what made it slow down may last. It is never faster.
func slowedRate(rate access.Rate, slowed float64) access.Rate {
	if slowed <= 0 || rate == access.AutoRate() {
		return rate
	}
	slowed = max(slowed, slowestRate)
	if limit := rate.Limit(); limit > 0 && slowed >= limit {
		return rate
	}
	return access.PerSecond(slowed)
}

// slowestRate is the lowest rate that the state of a shard makes a worker keep to, unless
// the settings ask for less.
const slowestRate = 0.5

// beginShard records what a crawl begins with, unless an earlier owner did.
func (r *crawlRun) beginShard(ctx context.Context, kept *shardStore) error {
	if kept.begun.Start != "" {
		return nil
	}
	start, err := r.options.StartURL()
	if err != nil {
		return err
	}
	kept.begun = r.about(start)
	return kept.shard.Begin(ctx, kept.begun)
}

// shardStore is the store of a shard that is crawled. What earlier owners committed goes
// through a crawl file, which puts it into the order that Replay promises and is removed
// after that: a new shard needs no file.
type shardStore struct {
	shard   *journal.Shard
	name    string
	begun   crawl.Meta
	scratch *store.File // nil when there is nothing to replay
}

// replay reads what earlier owners committed. The site starts over when some of it is lost.
func (s *shardStore) replay(ctx context.Context) error {
	err := s.shard.Replay(ctx, func(meta crawl.Meta) error {
		s.begun = meta
		return s.close()
	}, func(c crawl.Commit) (err error) {
		if s.scratch == nil {
			if s.scratch, err = store.Create(s.name, s.begun); err != nil {
				return err
			}
		}
		return s.scratch.Append(ctx, c)
	})
	if errors.Is(err, journal.ErrCut) {
		s.begun = crawl.Meta{}
		return s.close()
	}
	return err
}

// close removes the file.
func (s *shardStore) close() error {
	if s.scratch == nil {
		return nil
	}
	err := s.scratch.Close()
	s.scratch = nil
	return errors.Join(err, os.Remove(s.name))
}

// Replay implements [crawl.Store].
func (s *shardStore) Replay(ctx context.Context, each func(crawl.Commit) error) error {
	if s.scratch == nil {
		return nil
	}
	return errors.Join(s.scratch.Replay(ctx, each), s.close())
}

// Append implements [crawl.Store]. What other sites of the job are linked to is offered to
// them first: when the commit is not kept, its pages are fetched again.
func (s *shardStore) Append(ctx context.Context, c crawl.Commit) error {
	offers := map[string][]string{}
	for i := range c.Found {
		if link := &c.Found[i]; link.Role == crawl.RoleExternal {
			host := urlnorm.Host(link.URL)
			offers[host] = append(offers[host], link.URL)
		}
	}
	for host, urls := range offers {
		if err := s.shard.Offer(ctx, host, urls); err != nil {
			return err
		}
	}
	return s.shard.Append(ctx, c)
}

// Finish implements [crawl.Store]. Closing the shard records the end.
func (s *shardStore) Finish(context.Context) error { return nil }

package service

import (
	"context"
	"errors"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/cause"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/jobs"
	"github.com/mapatools/mapa/internal/store"
)

const limitTime = crawl.LimitTime

// settle stores the outcome of running a crawl. running is its context, which has ended with
// [appcrawl.InterruptSuspend] when the crawl goes on later. It also does on workers that cannot be
// followed.
func (s *Service) settle(
	ctx, running context.Context, r *run, result *appcrawl.Result, failed error,
) (*jobs.Crawl, error) {
	suspended := failed != nil && context.Cause(running) == appcrawl.InterruptSuspend
	if errors.Is(failed, appcrawl.ErrNotFollowed) {
		suspended = true
		s.log.Warn("crawl cannot be followed", "crawl", r.id, "site", r.site, "error", failed)
		r.live.publish(func(u *Update) { u.Notice = failed.Error() })
	}
	_, cut := errors.AsType[*appcrawl.CutError](failed)
	nothingBegan := cut || cause.IsUnreachable(failed) || cause.IsBrowser(failed)
	if !suspended && nothingBegan && !appcrawl.HasCrawl(s.folder(r.id)) {
		s.removePrepared(r.id)
	}
	if result != nil {
		defer s.ignoreAtEnd(ctx, r, result)() // again if somebody changed the list
	}
	counts, size := r.live.counts(), s.sizeOf(r.id)
	changes, lost := s.changesOf(ctx, r.id, result), s.lastLoss(ctx, r.id, result)
	var ended *addresses.SiteAddress
	if result != nil {
		ended = readEnd(s.folder(r.id))
	}
	record, err := s.modify(ctx, r.id, func(tx *jobs.Tx, c *jobs.Crawl) error {
		c.Counts, c.Size = counts, size
		if result != nil {
			takeResult(c, result)
			c.Lost = lost
		}
		if ended != nil {
			if err := joinSite(tx, c, ended); err != nil {
				return err
			}
		}
		if _, err := s.account(tx, c); err != nil || suspended {
			return err
		}
		c.State, c.Failure = stateOf(result, failed)
		if c.Stopping = false; c.State == StateStopped && c.Limit == jobs.LimitServer {
			c.State = StateDone
		}
		return s.conclude(tx, c, changes)
	})
	if err == nil && record.State.Ended() {
		s.log.Info("crawl ended", "crawl", r.id, "site", r.site, "state", record.State, "pages", record.Counts.Pages)
		err = s.retain(ctx, record.Site)
	}
	return record, err
}

// takeResult takes the numbers of a result.
func takeResult(c *jobs.Crawl, result *appcrawl.Result) {
	c.Counts = jobs.Counts{
		Pages: result.Pages, Listed: int64(result.Listed), Broken: result.Broken, Redirects: result.Redirects,
		Ignored: int64(result.Ignored), Blocked: result.Blocked, Waiting: result.Details.Waiting,
		Bytes: max(result.Bytes, c.Counts.Bytes),
	}
	for i := range result.Losses {
		c.Counts.Losses += int64(result.Losses[i].Count)
	}
	c.Sign = string(insight.SignOf(result.Verdict, int(c.Counts.Losses)))
	if result.Limit != "" {
		c.Limit = string(result.Limit)
	}
}

// lastLoss returns when the newest of the losses of a crawl was noticed, or the zero time without losses.
func (s *Service) lastLoss(ctx context.Context, id string, result *appcrawl.Result) (last time.Time) {
	if result == nil || len(result.Losses) == 0 {
		return last
	}
	file, err := crawlfile.Open(s.folder(id))
	if err == nil {
		last, err = newestLoss(ctx, file)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		s.log.Error("cannot read the losses of a crawl", "crawl", id, "error", err)
	}
	return last
}

// newestLoss returns when the newest of the losses was noticed that are not ignored.
func newestLoss(ctx context.Context, file *store.File) (last time.Time, err error) {
	for loss, err := range file.Losses(ctx, "") {
		if err != nil {
			return last, err
		}
		if loss.Since.After(last) {
			last = loss.Since
		}
	}
	return last, nil
}

// cutOf returns why a crawl was cut off, or nil.
func cutOf(result *appcrawl.Result, failed error) *appcrawl.CutError {
	if cut, is := errors.AsType[*appcrawl.CutError](failed); is || result == nil {
		return cut
	}
	return result.Details.Cut
}

// stateOf returns the state of a crawl that has ended, and why it failed.
func stateOf(result *appcrawl.Result, failed error) (State, *jobs.Failure) {
	cut := cutOf(result, failed)
	switch {
	case cut != nil && cut.Outage:
		return StateFailed, &jobs.Failure{Code: FailureOutage, Text: crawl.ErrOutage.Error()}
	case cut != nil && cut.Unrendered != nil:
		return StateFailed, FailureOf(cut)
	case cut != nil: // stopped, perhaps before it began
		return StateStopped, nil
	case failed != nil:
		return StateFailed, FailureOf(failed)
	case result.Details.Refused != nil:
		return StateDone, FailureOf(result.Details.Refused)
	}
	return StateDone, nil
}

// conclude notes when a crawl ended and expires, and what is left to do for its schedule.
func (s *Service) conclude(tx *jobs.Tx, c *jobs.Crawl, changes *Notification) error {
	c.Ended = s.now().Truncate(time.Millisecond)
	if s.options.Public != nil {
		c.Expires = c.Ended.Add(s.options.Public.Expiry)
	}
	if c.Schedule == "" {
		return nil
	}
	schedule, err := tx.Schedule(c.Schedule)
	if errors.Is(err, ErrNotFound) {
		return nil // it was deleted
	}
	if err != nil {
		return err
	}
	return s.followUp(tx, schedule, c, changes)
}

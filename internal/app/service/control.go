package service

import (
	"context"
	"time"

	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/jobs"
)

// waitTime is how long an operation waits for the crawl to end what it does. It goes on
// afterwards.
const waitTime = 5 * time.Second

// Pause suspends a crawl that is queued or runs, until Resume. The error is a
// [*StateError] in any other state. A stranger's crawl is deleted when it is paused for
// longer than results are kept.
func (s *Service) Pause(ctx context.Context, id string) (*Crawl, error) {
	return s.change(ctx, id, appcrawl.InterruptSuspend, func(_ *jobs.Tx, c *jobs.Crawl) error {
		if c.State != StateQueued && c.State != StateRunning || c.Stopping {
			return &StateError{"pause", c.State}
		}
		c.State = StatePaused
		if s.options.Public != nil {
			c.Expires = s.now().Add(s.options.Public.Expiry).Truncate(time.Millisecond)
		}
		return nil
	})
}

// Resume puts a crawl in the queue again that is paused, stopped, failed, or ended after its
// max-time. It goes on where it was. The error is a [*StateError] in any other state.
func (s *Service) Resume(ctx context.Context, id string) (*Crawl, error) {
	return s.change(ctx, id, nil, func(_ *jobs.Tx, c *jobs.Crawl) error {
		if c.State != StatePaused && !isResumable(c) {
			return &StateError{"resume", c.State}
		}
		c.Limit, c.State, c.Ended, c.Expires = "", StateQueued, time.Time{}, time.Time{}
		return nil
	})
}

// Stop ends a crawl. What it found is written as its result. The error is a [*StateError]
// when it has ended.
func (s *Service) Stop(ctx context.Context, id string) (*Crawl, error) {
	return s.change(ctx, id, appcrawl.InterruptConclude, func(_ *jobs.Tx, c *jobs.Crawl) error {
		switch {
		case c.State.Ended():
			return &StateError{"stop", c.State}
		case c.Began.IsZero():
			c.State, c.Ended = StateStopped, s.now().Truncate(time.Millisecond)
			if s.options.Public != nil {
				c.Expires = c.Ended.Add(s.options.Public.Expiry)
			}
		default:
			c.State, c.Stopping = StateRunning, true // its results are yet to be written
		}
		return nil
	})
}

// change changes the state of a crawl, and interrupts it if it runs.
func (s *Service) change(
	ctx context.Context, id string, interrupt error, decide func(*jobs.Tx, *jobs.Crawl) error,
) (*Crawl, error) {
	record, err := s.modify(ctx, id, decide)
	if err != nil {
		return nil, err
	}
	s.mutex.Lock()
	r := s.running[id]
	s.mutex.Unlock()
	if r != nil && interrupt != nil {
		r.cancel(interrupt)
		if err := r.wait(ctx); err != nil {
			return nil, err
		}
	} else {
		s.announceState(record)
	}
	s.reorder(ctx)
	s.wakeUp()
	return s.Crawl(ctx, id)
}

// wait waits for a run to end, for some time.
func (r *run) wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-r.done:
	case <-time.After(waitTime):
	}
	return nil
}

// Delete removes a crawl with its result, after it was stopped if it runs. It returns the
// crawl as it was.
func (s *Service) Delete(ctx context.Context, id string) (*Crawl, error) {
	deleted, err := s.deleteFromList(ctx, func(tx *jobs.Tx) ([]*jobs.Crawl, error) {
		record, err := tx.Crawl(id)
		return []*jobs.Crawl{record}, err
	})
	if err != nil {
		return nil, err
	}
	record := deleted[0]
	s.log.Info("crawl deleted", "crawl", id, "site", record.Site)
	view := s.view(record)
	s.removeCrawl(record)
	s.reorder(ctx)
	s.wakeUp()
	return view, nil
}

// removeCrawl ends what is left of a crawl that was deleted from the store.
func (s *Service) removeCrawl(record *jobs.Crawl) {
	s.mutex.Lock()
	r := s.running[record.ID]
	s.mutex.Unlock()
	record.State = StateStopped // for those who watch it
	s.announceState(record)
	if r != nil {
		r.cancel(appcrawl.InterruptSuspend) // it removes its folder when it has ended
		return
	}
	s.removeDeleted(record.ID)
}

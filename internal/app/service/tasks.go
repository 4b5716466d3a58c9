package service

import (
	"context"
	"errors"
	"time"

	"github.com/mapatools/mapa/internal/jobs"
)

const (
	maxTries     = 8                // of a task
	firstRetry   = 30 * time.Second // after the first try, doubled with each
	deliveryTime = time.Minute      // of one try of a notification
)

// A finalError marks an error that another try would meet too.
type finalError struct{ error }

func (e finalError) Unwrap() error { return e.error }

// A finish stores the outcome of a task in its crawl, when the task is done or given up. It
// may be nil.
type finish func(*jobs.Tx, *jobs.Crawl) error

// runTasks does what is left to do after crawls, one thing after the other, until ctx
// ends. What a kill cuts off is done again.
func (s *Service) runTasks(ctx context.Context) {
	for ctx.Err() == nil {
		done, err := s.runTask(ctx)
		if err != nil && ctx.Err() == nil {
			s.log.Error("cannot do what follows a crawl", "error", err)
		}
		if done && err == nil {
			continue
		}
		select {
		case <-ctx.Done():
		case <-s.taskWake:
		case <-time.After(s.untilTask(ctx)):
		}
	}
}

// untilTask returns how long nothing is to be done.
func (s *Service) untilTask(ctx context.Context) time.Duration {
	var next time.Time
	err := s.store.Update(ctx, func(tx *jobs.Tx) (err error) {
		next, err = tx.NextTask()
		return err
	})
	if err != nil || next.IsZero() {
		return retryTime
	}
	return min(max(next.Sub(s.now()), time.Second), retryTime)
}

// runTask does the task that is due, and reports whether there was one.
func (s *Service) runTask(ctx context.Context) (bool, error) {
	var task *jobs.Task
	var schedule *Schedule
	var crawl *jobs.Crawl
	err := s.store.Update(ctx, func(tx *jobs.Tx) (err error) {
		if task, err = tx.DueTask(s.now()); err != nil {
			return err
		}
		if schedule, err = tx.Schedule(task.Schedule); err != nil {
			return err
		}
		crawl, err = tx.Crawl(task.Crawl)
		return err
	})
	switch {
	case errors.Is(err, ErrNotFound) && task != nil: // its schedule was deleted
		return true, s.store.Update(ctx, func(tx *jobs.Tx) error { return tx.DeleteTask(task.Number) })
	case errors.Is(err, ErrNotFound):
		return false, nil
	case err != nil:
		return false, err
	}
	return true, s.try(ctx, task, schedule, crawl)
}

// try does a task, and stores that it is done, or when it is tried again.
func (s *Service) try(ctx context.Context, task *jobs.Task, schedule *Schedule, crawl *jobs.Crawl) error {
	var store finish
	var failed error
	switch task.Kind {
	case jobs.TaskPublish:
		store, failed = s.publish(ctx, schedule, crawl)
	case jobs.TaskAnnounce:
		store, failed = s.announce(ctx, schedule, crawl)
	case jobs.TaskWebhook:
		failed = s.callWebhook(ctx, schedule, task)
	case jobs.TaskEmail:
		failed = s.sendEmail(ctx, schedule, task)
	}
	if ctx.Err() != nil {
		return nil // it is done again
	}
	var final finalError
	if failed != nil {
		s.log.Warn("a task failed", "kind", task.Kind, "crawl", task.Crawl, "try", task.Tries+1, "error", failed)
		if task.Tries++; task.Tries < maxTries && !errors.As(failed, &final) {
			task.Due = s.now().Add(firstRetry << (task.Tries - 1))
			return s.store.Update(ctx, func(tx *jobs.Tx) error { return tx.DelayTask(task) })
		}
	}
	err := s.store.Update(ctx, func(tx *jobs.Tx) error {
		if err := tx.DeleteTask(task.Number); err != nil || store == nil {
			return err
		}
		c, err := tx.Crawl(task.Crawl)
		if err != nil {
			return err
		}
		if err := store(tx, c); err != nil {
			return err
		}
		return tx.SaveCrawl(c)
	})
	if err == nil {
		s.log.Debug("task ended", "kind", task.Kind, "crawl", task.Crawl)
	}
	return err
}

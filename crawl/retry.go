package crawl

import (
	"context"
	"time"
)

const (
	// maxRetryWait is the longest Retry-After that a worker waits for at once. A page
	// that asks for longer is requested again at the end.
	maxRetryWait = 2 * time.Second
	// maxRetryDelay bounds the Retry-After of a page that is requested again.
	maxRetryDelay = time.Minute
	// maxRetries is how many pages wait for the end.
	maxRetries = 100
)

// retryQueue holds pages that are requested once more when nothing else is left. The
// zero value is empty.
type retryQueue []unansweredPage

func (q *retryQueue) push(page unansweredPage) { *q = append(*q, page) }

func (q *retryQueue) pop() (unansweredPage, bool) {
	if len(*q) == 0 {
		return unansweredPage{}, false
	}
	first := (*q)[0]
	*q = (*q)[1:]
	first.item.moved = false // it is recorded
	first.item.retryAt = first.due
	return first, true
}

// sleep reports false when the crawl ends first.
func (s *state) sleep(ctx context.Context, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-s.ended:
	case <-ctx.Done():
	}
	return false
}

// endRetries ends the run. After a limit that finishes the crawl, the pages that wait
// to be requested once more are finished as they are.
func (s *state) endRetries() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.tally.Limit == LimitPages || s.tally.Limit == LimitBytes {
		s.finishRetriesLocked()
	}
	s.stopLocked()
}

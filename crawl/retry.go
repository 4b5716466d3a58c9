package crawl

import (
	"context"
	"fmt"
	"slices"
	"time"
)

const (
	// minRetryWait is the time before a page that asks for no wait is requested again.
	minRetryWait = time.Second
	// sampleInterval is the time between two pages that are requested again while others
	// have not been requested yet: they show whether the site or the pages refuse.
	sampleInterval = time.Second
	// maxRetries is how many pages wait to be requested again. Further ones are finished
	// as they are.
	maxRetries = 5000

	// When nothing else is left, the crawl waits a tenth of its time, but at least
	// minRetryTime and at most maxRetryTime, for pages that are not to be requested yet.
	retryShare   = 10
	minRetryTime = time.Second
	maxRetryTime = time.Minute
)

// retryQueue holds pages that are requested once more, ordered by when they are due. The
// zero value is empty.
type retryQueue struct {
	pages   []*unansweredPage
	last    []*unansweredPage // pages for when nothing else is left
	sampled time.Time         // when one was taken while other pages were left
	until   time.Time         // nothing else is left, and no page is waited for after; zero before that
}

// push adds a page. It reports false when the queue is full.
func (q *retryQueue) push(page *unansweredPage) bool {
	if q.count() >= maxRetries {
		return false
	}
	q.insert(page)
	return true
}

// pushLast adds a page that is not requested again before nothing else is left. It reports
// false when the queue is full.
func (q *retryQueue) pushLast(page *unansweredPage) bool {
	if !q.until.IsZero() {
		return q.push(page)
	}
	if q.count() >= maxRetries {
		return false
	}
	q.last = append(q.last, page)
	return true
}

func (q *retryQueue) count() int { return len(q.pages) + len(q.last) }

// insert adds a page in the order of when they are due.
func (q *retryQueue) insert(page *unansweredPage) {
	at, _ := slices.BinarySearchFunc(q.pages, page.due, func(p *unansweredPage, due time.Time) int {
		if p.due.After(due) {
			return 1
		}
		return -1
	})
	q.pages = slices.Insert(q.pages, at, page)
}

// begin notes that nothing else is left to request, in a crawl that began some time ago.
func (q *retryQueue) begin(now time.Time, elapsed time.Duration) {
	if q.until.IsZero() {
		q.until = now.Add(min(max(elapsed/retryShare, minRetryTime), maxRetryTime))
		for _, page := range q.last {
			q.insert(page)
		}
		q.last = nil
	}
}

// waits reports whether there are pages to request now that nothing else is left.
func (q *retryQueue) waits() bool { return len(q.pages) > 0 && !q.until.IsZero() }

// wait returns how long the crawl waits for the pages in the queue.
func (q *retryQueue) wait(now time.Time) time.Duration {
	var longest time.Duration
	for _, page := range q.pages {
		if page.due.Before(q.until) {
			longest = max(longest, page.due.Sub(now))
		}
	}
	return longest
}

// take removes the next page to request. While other pages are left, that is one which
// is due, now and then.
func (q *retryQueue) take(now time.Time) (item, bool) {
	if len(q.pages) == 0 {
		return item{}, false
	}
	if q.until.IsZero() {
		if now.Sub(q.sampled) < sampleInterval || q.pages[0].due.After(now) {
			return item{}, false
		}
		q.sampled = now
	}
	first, _ := q.pop()
	next := first.item
	next.moved = false // it is recorded
	next.again, next.refused = true, first.page.isRefused()
	if first.due.Before(q.until) {
		next.due = first.due
	}
	return next, true
}

// pop removes the page that is due first.
func (q *retryQueue) pop() (*unansweredPage, bool) {
	if len(q.pages) == 0 {
		return nil, false
	}
	first := q.pages[0]
	q.pages[0] = nil
	q.pages = q.pages[1:]
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

// retryLocked lets a page be requested again, or finishes it when too many wait for that.
func (s *state) retryLocked(page *unansweredPage) {
	if !s.outage.retries.push(page) {
		s.finishPageLocked(&page.item, &page.page)
	}
}

// beginRetries reports whether the workers have pages to request again, now that nothing
// else is left.
func (s *state) beginRetries() bool {
	wait, some := s.untilRetries()
	if wait > longDelay {
		s.notice(fmt.Sprintf("waiting for %v to request URLs again that were refused", wait.Round(time.Second)))
	}
	return some
}

// untilRetries reports whether there are pages to request again, and, the first time, how
// long they are waited for.
func (s *state) untilRetries() (wait time.Duration, some bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	queue, now := &s.outage.retries, time.Now()
	first := queue.until.IsZero()
	queue.begin(now, now.Sub(s.began))
	if some = !s.stopped && queue.waits(); some && first {
		wait = queue.wait(now)
	}
	return wait, some
}

// endRetries ends the run. After a limit that finishes the crawl, the pages that wait to
// be requested again are finished as they are.
func (s *state) endRetries() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.tally.Limit == LimitPages || s.tally.Limit == LimitBytes {
		s.outage.retries.begin(time.Now(), 0)
		for page, ok := s.outage.retries.pop(); ok; page, ok = s.outage.retries.pop() {
			s.finishPageLocked(&page.item, &page.page)
		}
	}
	s.stopLocked()
}

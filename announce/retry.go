package announce

import (
	"context"
	"math/rand/v2"
	"time"
)

// The waits before the second try. They double with every try.
const (
	serverRetry  = 5 * time.Second
	tooManyRetry = time.Minute
	pendingRetry = 30 * time.Second // IndexNow: 30 to 120 s
	longestRetry = 2 * time.Minute
)

// exchange sends a request until its answer is not a temporary failure, or the wait
// would become too long. judge returns the error for an answer, or nil.
func (s *service) exchange(ctx context.Context, c *call, judge func(*answer) *Error) (*answer, *Error) {
	waited := time.Duration(0)
	for try := 0; ; try++ {
		a, e := s.send(ctx, c)
		if e == nil {
			e = judge(a)
		}
		if e == nil {
			return a, nil
		}
		wait := e.wait(try)
		if e.after > 0 || e.retry > 0 {
			e.Until = time.Now().Add(max(wait, e.after))
		}
		if e.retry == 0 || waited+wait > s.options.Wait {
			return a, e
		}
		if s.options.OnWait != nil {
			s.options.OnWait(s.provider, wait, e)
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, s.failure(ctx, ctx.Err())
		}
		waited += wait
	}
}

// wait returns how long to wait before another try: what the provider asks for, or a
// time that doubles with every try and is up to a quarter longer at random.
func (e *Error) wait(try int) time.Duration {
	wait := min(e.retry<<min(try, 10), max(longestRetry, e.retry))
	wait += rand.N(wait/4 + 1)
	if e.after > 0 {
		return e.after + rand.N(time.Second)
	}
	return wait
}

package fetch

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"
)

// retry asks again after a failure that may pass.
type retry struct {
	next Fetcher
	Retry
}

func (r *retry) Fetch(ctx context.Context, req *Request) (*Response, error) {
	for try := 1; ; try++ {
		res, err := r.next.Fetch(ctx, req)
		if res != nil {
			res.Tries = try
		}
		if try >= r.maxTries(res) || !isTemporary(res, err) {
			return res, err
		}
		wait := r.backoff(try)
		if res != nil && res.RetryAfter > 0 {
			if res.RetryAfter > r.MaxRetryAfter {
				return res, err
			}
			wait = max(wait, res.RetryAfter)
		}
		if sleep(ctx, wait) != nil {
			return res, err
		}
	}
}

// extraTries is how many more tries a 429 is worth: it says that the page is there,
// and the rate is going down meanwhile.
const extraTries = 2

// maxTries is how many tries an answer is worth.
func (r *retry) maxTries(res *Response) int {
	if res != nil && res.Status == http.StatusTooManyRequests && r.Tries > 1 {
		return r.Tries + extraTries
	}
	return r.Tries
}

// isTemporary says whether another try is worth it.
func isTemporary(res *Response, err error) bool {
	if failed, ok := errors.AsType[*Error](err); ok {
		return failed.Kind.isTemporary()
	}
	switch res.Status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// backoff doubles with every try; chance keeps workers that failed together
// from coming back together.
func (r *retry) backoff(try int) time.Duration {
	const longest = time.Minute
	wait := min(r.Backoff, longest) << min(try-1, 16)
	wait = min(wait, longest)
	return wait - rand.N(wait/2+1)
}

// sleep waits, or gives the error of the context that ended first.
func sleep(ctx context.Context, wait time.Duration) error {
	if wait <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

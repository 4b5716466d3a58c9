package fetch

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"
)

// retry repeats requests after temporary failures.
type retry struct {
	next Fetcher
	Retry
}

func (r *retry) Fetch(ctx context.Context, req *Request) (*Response, error) {
	var waited time.Duration // because of Retry-After
	for try := 1; ; try++ {
		res, err := r.next.Fetch(ctx, req)
		if res != nil {
			res.Tries = try
		}
		if try >= r.maxTries(res) || !isTemporary(res, err) ||
			req.RetryLater && err == nil && res.Status != http.StatusRequestTimeout {
			return res, err
		}
		wait := r.backoff(try)
		if res != nil && res.RetryAfter > 0 {
			if waited += res.RetryAfter; waited > r.MaxRetryAfter {
				return res, err
			}
			wait = max(wait, res.RetryAfter)
		}
		if res != nil && r.OnWait != nil {
			r.OnWait(req.URL, res.Status, wait)
		}
		if sleep(ctx, wait) != nil {
			return res, err
		}
		req = again(req, res, err)
		res.Release()
	}
}

// again returns the request for another try. After a failed one it opens a connection: a
// 408 usually answers for one that was open for long, and so does the end of one.
func again(req *Request, res *Response, err error) *Request {
	next := *req
	switch {
	case err != nil || res.Status == http.StatusRequestTimeout:
		next.fresh = true
	case overloaded(res.Status):
		next.Refused = true
	}
	return &next
}

// extraTries is the number of further tries after a 429: the page exists, and the
// rate is reduced in the meantime.
const extraTries = 2

// maxTries returns the maximum number of tries after a response.
func (r *retry) maxTries(res *Response) int {
	if res != nil && res.Status == http.StatusTooManyRequests && r.Tries > 1 {
		return r.Tries + extraTries
	}
	return r.Tries
}

// isTemporary reports whether another try may succeed.
func isTemporary(res *Response, err error) bool {
	if failed, ok := errors.AsType[*Error](err); ok {
		return failed.Kind.isTemporary()
	}
	switch res.Status {
	case http.StatusRequestTimeout, http.StatusTooManyRequests, // 408 usually means that the connection was idle
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// backoff returns the wait after a try, which doubles with every try. It is random,
// so that workers that failed together do not retry together.
func (r *retry) backoff(try int) time.Duration {
	const longest = time.Minute
	wait := min(r.Backoff, longest) << min(try-1, 16)
	wait = min(wait, longest)
	return wait - rand.N(wait/2+1)
}

// sleep waits. It returns the error of the context when that ends first.
func sleep(ctx context.Context, wait time.Duration) error {
	if wait <= 0 {
		return ctx.Err()
	}
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

package fetch

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"
)

// polite keeps to the rate of every host and adapts it to the responses.
type polite struct {
	next  Fetcher
	rate  Rate
	hosts *hostTable
}

func newPolite(next Fetcher, rate Rate) *polite {
	return &polite{next: next, rate: rate, hosts: newHostTable(rate)}
}

func (p *polite) Fetch(ctx context.Context, req *Request) (*Response, error) {
	to, err := parseTarget(req.URL)
	if err != nil {
		return nil, err
	}
	host := p.hosts.acquire(to.host)
	defer p.hosts.release(host)
	if err := host.wait(ctx, req.Delay); err != nil {
		return nil, &Error{URL: req.URL, Kind: KindCanceled, Err: context.Cause(ctx)}
	}
	defer host.release()
	start := time.Now()
	res, err := p.next.Fetch(ctx, req)
	if change := host.learn(req, res, err, time.Since(start), p.rate.Pause); change.Reason != 0 && p.rate.OnChange != nil {
		p.rate.OnChange(change)
	}
	return res, err
}

// admit waits until a request to address may start. Such requests have no burst.
func (p *polite) admit(ctx context.Context, address string, delay time.Duration) error {
	to, err := parseTarget(address)
	if err != nil {
		return err
	}
	host := p.hosts.acquire(to.host)
	defer p.hosts.release(host)
	if err := host.wait(ctx, max(delay, 1)); err != nil {
		return &Error{URL: address, Kind: KindCanceled, Err: context.Cause(ctx)}
	}
	host.release()
	return nil
}

// host is the state of one host.
type host struct {
	name  string
	slots chan struct{} // nil means any number
	users int           // between acquire and release; guarded by hostTable.mu

	mu      sync.Mutex
	limiter limiter
}

// wait takes a slot and returns when the request may start. It returns an error, and
// takes no slot, when the context ends first.
func (h *host) wait(ctx context.Context, delay time.Duration) error {
	if h.slots != nil {
		select {
		case h.slots <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for {
		wait := h.reserve(delay)
		if wait <= 0 {
			return nil
		}
		if err := sleep(ctx, wait); err != nil {
			h.release()
			return err
		}
		if !h.paused() {
			return nil
		}
	}
}

func (h *host) reserve(delay time.Duration) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	return h.limiter.reserve(now, delay).Sub(now)
}

// paused reports whether a pause began during the wait.
func (h *host) paused() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.limiter.paused.After(time.Now())
}

func (h *host) release() {
	if h.slots != nil {
		<-h.slots
	}
}

// A refusal records a 429 or 503, and the number of good responses before it.
type refusal struct {
	url  string
	good int
}

// learn adapts the limiter to the result of a request. took is how long the request
// took, and longest bounds a pause.
func (h *host) learn(req *Request, res *Response, err error, took, longest time.Duration) RateChange {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	change := RateChange{Host: h.name}
	h.limiter.countAnswer(now)
	switch {
	case res != nil && overloaded(res.Status) && h.limiter.refusesPage(req):
	case res != nil && overloaded(res.Status):
		req.refused = refusal{req.URL, h.limiter.good}
		insists := res.Status == http.StatusTooManyRequests || res.RetryAfter > 0
		if h.limiter.overload(now, insists, min(res.RetryAfter, longest)) {
			change.Reason, change.Status = ReasonOverloaded, res.Status
		}
	case res != nil:
		h.limiter.good++
		change.Reason = h.limiter.sample(now, res.Latency)
	case errors.Is(err, KindAnswerTimeout):
		change.Reason = h.limiter.sample(now, took)
	}
	if change.Reason == ReasonSlow {
		change.Latency = h.limiter.latency
	}
	if h.limiter.paused.After(now) {
		change.Until = h.limiter.paused
	}
	change.Rate = h.limiter.rate
	return change
}

package fetch

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/mapatools/mapa/access"
)

// polite keeps to the rate of every host and adapts it to the responses.
type polite struct {
	next  Fetcher
	pace  pace
	hosts *hostTable
}

// A pace limits the requests to every host. A host is a name with its port; http and
// https share it.
type pace struct {
	// rate is the maximum number of requests per second. Without a limit, only 429 and
	// 503 reduce the rate, and not a growing latency.
	rate     access.Rate
	rates    map[string]access.Rate // in its place, by host
	perHost  int                    // concurrent requests to a host; 0 means no limit
	onChange func(RateChange)
}

func newPolite(next Fetcher, pace pace) *polite {
	return &polite{next: next, pace: pace, hosts: newHostTable(pace)}
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
	p.report(host.learn(req, res, err, time.Since(start)))
	return res, err
}

// restore ends the reduction of a host's rate.
func (p *polite) restore(address string) {
	to, err := parseTarget(address)
	if err != nil {
		return
	}
	host := p.hosts.acquire(to.host)
	defer p.hosts.release(host)
	host.mu.Lock()
	change := RateChange{Host: host.name, Reason: host.limiter.restore(), Rate: host.limiter.rate}
	host.mu.Unlock()
	p.report(change)
}

func (p *polite) report(change RateChange) {
	if change.Reason != 0 && p.pace.onChange != nil {
		p.pace.onChange(change)
	}
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
	turn  chan struct{} // held by the request that waits for the limiter
	users int           // between acquire and release; guarded by hostTable.mu

	mu      sync.Mutex
	limiter limiter
	refusal int // the last status 429 or 503
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
	if h.isUnlimited(delay) {
		return nil
	}
	if err := h.takeTurn(ctx, delay); err != nil {
		h.release()
		return err
	}
	return nil
}

// takeTurn waits for the limiter. The requests wait one after the other, so that a
// changed rate applies to all but the first of them.
func (h *host) takeTurn(ctx context.Context, delay time.Duration) error {
	select {
	case h.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-h.turn }()
	return sleep(ctx, h.reserve(delay))
}

func (h *host) isUnlimited(delay time.Duration) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.limiter.rate == 0 && delay <= 0
}

func (h *host) reserve(delay time.Duration) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	return h.limiter.reserve(now, delay).Sub(now)
}

func (h *host) release() {
	if h.slots != nil {
		<-h.slots
	}
}

// learn adapts the limiter to the result of a request. took is how long the request
// took.
func (h *host) learn(req *Request, res *Response, err error, took time.Duration) RateChange {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	change := RateChange{Host: h.name}
	switch {
	case res != nil && overloaded(res.Status):
		h.refusal = res.Status
		change.Reason = h.limiter.refuse(now, req.Refused)
	case res != nil:
		change.Reason = h.limiter.answer(now, res.Latency, req.Refused)
	case errors.Is(err, KindAnswerTimeout):
		change.Reason = h.limiter.sample(now, took)
	}
	switch change.Reason {
	case ReasonOverloaded:
		change.Status = h.refusal
	case ReasonSlow:
		change.Latency = h.limiter.latency
	}
	change.Rate = h.limiter.rate
	return change
}

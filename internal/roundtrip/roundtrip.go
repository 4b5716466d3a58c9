// Package roundtrip sends HTTP requests that end with their context, whatever the
// transport of net/http does.
//
// A server can make a client of HTTP/2 in net/http wait for itself: it then holds the
// lock of its connection pool for ever, and no request, no read of a body and no
// cancellation returns. [Transport] therefore runs each exchange in a goroutine of its
// own. When an exchange does not end soon after its context, Transport abandons it
// together with the [http.Transport] and its connections, and uses a new one.
package roundtrip

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

const (
	// grace is how long an exchange may take to end after its context.
	grace = time.Second
	// maxAbandoned is after how many abandoned exchanges only HTTP/1.1 is spoken, which
	// needs no locks that a server can hold: what they leave in memory may stay there.
	maxAbandoned = 64
)

// ErrAbandoned reports that an exchange was given up because it did not end after its
// context, or because another one on the same [http.Transport] did not. Either of them
// may have made the transport unusable, so the request may be repeated.
var ErrAbandoned = errors.New("the connection is no longer usable")

// Transport is an [http.RoundTripper] that replaces its [http.Transport] when that one
// no longer works. It is safe for concurrent use. Requests must not have a body.
type Transport struct {
	template *http.Transport

	mutex     sync.Mutex
	current   *pool // nil before the first request
	abandoned int   // exchanges
}

// New returns a Transport that sends requests with copies of template. The template
// itself is never used, and must not be changed after the first request.
func New(template *http.Transport) *Transport { return &Transport{template: template} }

// Do calls exchange in a goroutine of its own, and returns when exchange has returned.
// exchange must send its requests with the given RoundTripper and under ctx.
//
// When Do returns an error, exchange may still be running and never end, so the caller
// must not use anything that it uses. The error wraps ErrAbandoned and the cause of ctx.
func (t *Transport) Do(ctx context.Context, exchange func(http.RoundTripper)) error {
	return t.do(ctx, t.pool(), exchange)
}

// DoAlone is like Do on connections that no other request uses and that are closed
// afterwards. A request that shares its connection fails with it.
func (t *Transport) DoAlone(ctx context.Context, exchange func(http.RoundTripper)) error {
	t.mutex.Lock()
	own := t.newPoolLocked()
	t.mutex.Unlock()
	defer own.close()
	return t.do(ctx, own, exchange)
}

func (t *Transport) do(ctx context.Context, p *pool, exchange func(http.RoundTripper)) error {
	done := make(chan struct{})
	go func() {
		defer close(done)
		exchange(p.transport)
	}()
	_, err := await(ctx, t, p, done)
	return err
}

// RoundTrip implements [http.RoundTripper]. The body ends soon after the context too.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	s := &stream{transport: t, pool: t.pool(), ctx: ctx, cancel: cancel, chunks: make(chan chunk)}
	answered := make(chan answer, 1)
	go s.run(r.WithContext(ctx), answered)
	a, err := await(ctx, t, s.pool, answered)
	if err == nil {
		err = a.err
	}
	if err != nil {
		cancel(nil)
		return nil, err
	}
	if a.response.Body == http.NoBody {
		cancel(nil)
		return a.response, nil
	}
	a.response.Body = s
	return a.response, nil
}

// CloseIdleConnections closes the connections that no request uses.
func (t *Transport) CloseIdleConnections() {
	t.mutex.Lock()
	p := t.current
	t.mutex.Unlock()
	if p == nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // only the grace applies
	_ = t.do(ctx, p, func(http.RoundTripper) { p.transport.CloseIdleConnections() })
}

// pool returns the pool for a new request.
func (t *Transport) pool() *pool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.current == nil {
		t.current = t.newPoolLocked()
	}
	return t.current
}

func (t *Transport) newPoolLocked() *pool {
	transport := t.template.Clone()
	if t.abandoned >= maxAbandoned {
		transport.Protocols = &http.Protocols{}
		transport.Protocols.SetHTTP1(true)
	}
	return newPool(transport)
}

// retire makes later requests use a new pool. The requests in the old one may take the
// grace period to end.
func (t *Transport) retire(p *pool) {
	t.mutex.Lock()
	t.abandoned++
	if t.current == p {
		t.current = nil
	}
	t.mutex.Unlock()
	p.retire()
}

// await returns what an exchange sends, or the zero value when it closes the channel.
// It abandons the exchange when it receives nothing soon after the end of ctx, or soon
// after another exchange in the pool was abandoned.
func await[T any](ctx context.Context, t *Transport, p *pool, from <-chan T) (received T, err error) {
	select {
	case received = <-from:
		return received, nil
	case <-ctx.Done():
	case <-p.retired:
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case received = <-from:
		return received, nil
	case <-timer.C:
	}
	t.retire(p)
	if ctx.Err() != nil {
		return received, fmt.Errorf("%w: %w", ErrAbandoned, context.Cause(ctx))
	}
	return received, ErrAbandoned
}

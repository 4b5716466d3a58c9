package fetch

import (
	"context"
	"math"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// exchange is the innermost fetcher: one request, one response.
type exchange struct {
	transport *http.Transport
	given     http.RoundTripper // in place of transport, or nil
	// fresh returns the transport for a request that must not use a connection that was
	// open before.
	fresh func() *http.Transport
	proxy func(*http.Request) (*url.URL, error)
	// fromEnvironment reports that no option names the proxy.
	fromEnvironment bool
	identity        *identity
	media           media
	limit           int64
	timeouts        Timeouts
	admit           func() error // nil admits every request
}

func newExchange(options *Options, transport *http.Transport) (*exchange, error) {
	identity, err := newIdentity(options)
	if err != nil {
		return nil, err
	}
	return &exchange{
		transport: transport,
		given:     options.Transport,
		fresh: sync.OnceValue(func() *http.Transport {
			fresh := transport.Clone()
			fresh.DisableKeepAlives = true
			return fresh
		}),
		proxy: transport.Proxy,

		fromEnvironment: options.Proxy == "",
		identity:        identity,
		media:           newMedia(options.Types),
		limit:           options.Limits.Body,
		timeouts:        options.Timeouts,
		admit:           options.Admit,
	}, nil
}

func (e *exchange) Fetch(ctx context.Context, req *Request) (*Response, error) {
	to, err := parseTarget(req.URL)
	if err != nil {
		return nil, err
	}
	if err := e.refusal(req.URL); err != nil {
		return nil, err
	}
	ctx, watch := e.timeouts.watch(ctx)
	defer watch.stop()
	transport := e.roundTripper()
	switch {
	case e.given != nil:
		transport = handlerTransport{transport, &to}
	case req.fresh:
		transport = e.fresh()
	}
	return e.exchange(ctx, transport, &to, req, watch)
}

// roundTripper returns what sends requests whose URL is in its fields.
func (e *exchange) roundTripper() http.RoundTripper {
	if e.given != nil {
		return e.given
	}
	return e.transport
}

// refusal returns the error of a request that is not admitted.
func (e *exchange) refusal(url string) error {
	if e.admit == nil {
		return nil
	}
	if err := e.admit(); err != nil {
		return &Error{URL: url, Kind: KindCanceled, Err: err}
	}
	return nil
}

// exchange sends the request and reads the response.
func (e *exchange) exchange(
	ctx context.Context, transport http.RoundTripper, to *target, req *Request, watch *watch,
) (*Response, error) {
	answer, err := transport.RoundTrip(e.request(ctx, to, req))
	if err != nil {
		return nil, e.failure(ctx, req.URL, err)
	}
	defer answer.Body.Close()
	res := &Response{
		URL: req.URL, Status: answer.StatusCode, Header: answer.Header, Tries: 1, Latency: watch.answered(),
		lease: &lease{from: req.Large},
	}
	if answer.TLS != nil && len(answer.TLS.PeerCertificates) > 0 {
		res.CertificateEnd = answer.TLS.PeerCertificates[0].NotAfter
	}
	res.RedirectTo = redirectTarget(req.URL, answer)
	res.RetryAfter = RetryAfter(answer.StatusCode, answer.Header, time.Now())
	e.identity.store(to, answer.Header)
	err = e.read(ctx, req, answer, &wireBody{body: answer.Body, watch: watch, limit: math.MaxInt64}, res)
	res.Duration = time.Since(watch.start)
	if err != nil {
		return res, newError(ctx, req.URL, err)
	}
	return res, nil
}

func (e *exchange) request(ctx context.Context, to *target, req *Request) *http.Request {
	method := http.MethodGet
	if req.Head {
		method = http.MethodHead
	}
	r := (&http.Request{
		Method:     method,
		URL:        to.url(),
		Host:       to.host,
		Header:     e.identity.header(to, req),
		Proto:      "HTTP/1.1",
		ProtoMajor: 1,
		ProtoMinor: 1,
	}).WithContext(ctx)
	addressProxy(e.proxy, r)
	return r
}

// read reads the body into res, or records that it was skipped.
func (e *exchange) read(ctx context.Context, req *Request, answer *http.Response, body *wireBody, res *Response) error {
	defer func() { res.Transferred = body.bytes }()
	res.Body = req.Buffer[:0]
	if req.Head {
		return nil
	}
	res.Skipped = readsBody(answer.StatusCode) && !req.AnyType && !e.media.accepts(answer.Header.Get("Content-Type"))
	if res.Skipped || !readsBody(answer.StatusCode) {
		drain(body, answer.ContentLength)
		return nil
	}
	var err error
	most := limit(req.Limit, e.limit)
	length := answer.ContentLength
	if answer.Header.Get("Content-Encoding") != "" {
		length = -1
	}
	grow := func(buffer []byte) ([]byte, error) { return res.lease.grow(ctx, body.watch, buffer, length, most) }
	res.Body, res.Truncated, err = e.decode(req, answer, body, most, grow)
	return err
}

func (e *exchange) decode(
	req *Request, answer *http.Response, body *wireBody, most int64, grow func([]byte) ([]byte, error),
) ([]byte, bool, error) {
	decoder, err := newDecoder(strings.Join(answer.Header["Content-Encoding"], ","), body)
	if err != nil {
		return req.Buffer[:0], false, err
	}
	if decoder == nil {
		return readBody(body, req.Buffer, most, answer.ContentLength, grow)
	}
	defer decoder.release()
	const overhead = 64 << 10 // no real coding makes a body longer by more
	body.limit = min(most, math.MaxInt64-overhead) + overhead
	read, truncated, err := readBody(decoder, req.Buffer, most, -1, grow)
	switch body.err {
	case nil:
		return read, truncated, err
	case errWireLimit:
		return read, true, nil
	}
	return read, truncated, body.err
}

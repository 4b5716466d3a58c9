package fetch

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/mapatools/mapa/access"
)

// A Stream sends requests whose bodies are read as streams, such as sitemaps. It has the
// connections of a [Client], and the headers for each origin, also after redirects. The user
// information of a URL is not sent. It has no retries, and of the timeouts only Answer.
type Stream interface {
	// RoundTrip sends a request at once.
	http.RoundTripper
	// Admit waits until a request may be sent, which may take longer than the request
	// itself.
	Admit(*http.Request) error
}

// NewStream returns the stream of a new client. An Access whose Transport is a Stream shares
// that one, with its rate, its headers and its connections.
func NewStream(a *access.Access) (Stream, error) {
	if shared, ok := a.Transport.(Stream); ok {
		return shared, nil
	}
	client, err := New(&Options{Access: *a})
	if err != nil {
		return nil, err
	}
	return client.Stream(nil), nil
}

// Stream returns a stream that keeps to the rates of c, and obeys robots unless it is nil.
func (c *Client) Stream(robots *Robots) Stream { return &stream{c, robots} }

// Admit waits until the rate limit of the host allows a request to url that the caller
// sends. Delay is that of [Request].
func (c *Client) Admit(ctx context.Context, url string, delay time.Duration) error {
	if c.local.serves(url) {
		return ctx.Err()
	}
	return c.polite.admit(ctx, url, delay)
}

// anonymousKey marks the contexts of requests that do not say who sends them.
type anonymousKey struct{}

// Anonymous returns a context in which a [Stream] sends neither the headers for an origin nor cookies, and stores none.
func Anonymous(ctx context.Context) context.Context {
	return context.WithValue(ctx, anonymousKey{}, true)
}

type stream struct {
	client *Client
	robots *Robots // nil allows every URL
}

// Admit implements [Stream].
func (s *stream) Admit(r *http.Request) (err error) {
	var delay time.Duration
	if s.robots != nil {
		if delay, err = s.robots.Admit(r.Context(), addressOf(r.URL)); err != nil {
			return err
		}
	}
	return s.client.Admit(r.Context(), addressOf(r.URL), delay)
}

// addressOf is u.String, which percent-encodes a host that is not ASCII, without that.
func addressOf(u *url.URL) string { return u.Scheme + "://" + u.Host + u.RequestURI() }

// RoundTrip implements [http.RoundTripper].
func (s *stream) RoundTrip(r *http.Request) (*http.Response, error) {
	if s.client.local.serves(r.URL.String()) {
		return s.client.local.Transport.RoundTrip(r)
	}
	to, err := parseTarget(addressOf(r.URL))
	if err != nil {
		return nil, err
	}
	exchange := s.client.exchange
	if err := exchange.refusal(to.origin()); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(r.Context())
	own := r.Clone(ctx)
	if own.URL.User != nil { // net/http has made a header of it
		own.URL.User = nil
		own.Header.Del("Authorization")
	}
	header := exchange.identity.common
	isNamed := r.Context().Value(anonymousKey{}) == nil
	if isNamed {
		header = exchange.identity.header(&to, &Request{})
	}
	for name, values := range header {
		if name != "Accept" && name != "Accept-Encoding" {
			own.Header[name] = values
		}
	}
	waiting := time.AfterFunc(exchange.timeouts.Answer, func() { cancel(KindAnswerTimeout) })
	answer, err := exchange.roundTripper().RoundTrip(own)
	waiting.Stop()
	if err != nil {
		defer cancel(nil)
		return nil, exchange.failure(ctx, to.origin(), err)
	}
	if isNamed {
		exchange.identity.store(&to, answer.Header)
	}
	answer.Body = &streamBody{answer.Body, cancel}
	return answer, nil
}

// A streamBody cancels the context of its request when it is closed.
type streamBody struct {
	io.ReadCloser
	cancel context.CancelCauseFunc
}

func (b *streamBody) Close() error {
	defer b.cancel(nil)
	return b.ReadCloser.Close()
}

// Waiting is a transport that waits before each request, until its Stream admits it.
type Waiting struct{ Stream }

// RoundTrip implements [http.RoundTripper].
func (w Waiting) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := w.Admit(r); err != nil {
		if r.Body != nil {
			r.Body.Close()
		}
		return nil, err
	}
	return w.Stream.RoundTrip(r)
}

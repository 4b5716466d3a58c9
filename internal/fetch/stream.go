package fetch

import (
	"context"
	"io"
	"net/http"
	"time"
)

// HTTP returns a client of net/http for bodies that are read as streams, such as
// sitemaps. It has the proxy, the guard, and the headers for each origin of c, also
// after redirects. The user information of a URL is not sent. It has neither the rate
// limit of c (see Admit) nor the retries, and of the timeouts only Answer. It is safe for
// concurrent use.
func (c *Client) HTTP() *http.Client {
	if c.local != nil {
		return &http.Client{Transport: &localStream{c.local, &stream{c.exchange}}}
	}
	return &http.Client{Transport: &stream{c.exchange}}
}

// Admit waits until the rate limit of the host allows a request to url, by the client
// that HTTP returns. Delay is that of [Request].
func (c *Client) Admit(ctx context.Context, url string, delay time.Duration) error {
	if c.local.serves(url) {
		return ctx.Err()
	}
	return c.polite.admit(ctx, url, delay)
}

// A stream adds the headers of an exchange to requests.
type stream struct{ exchange *exchange }

// RoundTrip implements [http.RoundTripper].
func (s *stream) RoundTrip(r *http.Request) (*http.Response, error) {
	// URL.String percent-encodes a host that is not ASCII.
	to, err := parseTarget(r.URL.Scheme + "://" + r.URL.Host + r.URL.RequestURI())
	if err != nil {
		return nil, err
	}
	if err := s.exchange.refusal(to.origin()); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(r.Context())
	own := r.Clone(ctx)
	if own.URL.User != nil { // net/http has made a header of it
		own.URL.User = nil
		own.Header.Del("Authorization")
	}
	for name, values := range s.exchange.identity.header(&to, &Request{}) {
		if name != "Accept" && name != "Accept-Encoding" {
			own.Header[name] = values
		}
	}
	waiting := time.AfterFunc(s.exchange.timeouts.Answer, func() { cancel(KindAnswerTimeout) })
	answer, err := s.exchange.transport.RoundTrip(own)
	waiting.Stop()
	if err != nil {
		defer cancel(nil)
		return nil, newError(ctx, to.origin(), err)
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

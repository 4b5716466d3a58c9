// Package fetch asks web servers for pages, politely and without trusting a
// byte of what comes back.
//
// [New] builds a [Client], a stack of small [Fetcher]s: retry over polite over
// one exchange, whose connections pass the [Guard]. A redirect is an answer
// like any other ([Response.RedirectTo]); where it must be followed, wrap the
// client with [Follow].
package fetch

import (
	"context"
	"net/http"
	"time"
)

// A Fetcher gets one URL.
//
// The error is an [*Error] and says by its Kind what failed. A response comes
// together with an error when the header had arrived before the failure; its
// Body then holds what could be read. Any status is an answer, not an error.
type Fetcher interface {
	Fetch(ctx context.Context, req *Request) (*Response, error)
}

// A Request says what to get. Only URL is needed. A Fetcher does not change it
// and keeps no reference to it.
type Request struct {
	// URL is absolute, http or https. Its path and query go out as they
	// are: no escape is added, dropped or repaired, save that octets no
	// request line may hold are escaped. User information and fragment are
	// not sent.
	URL string
	// Head asks for the header alone.
	Head bool
	// IfNoneMatch and IfModifiedSince are the ETag and Last-Modified of an
	// earlier answer, sent where not empty (RFC 9110 section 13.1). An
	// unchanged page answers 304.
	IfNoneMatch, IfModifiedSince string
	// Buffer receives the body, from its start; it grows where it is too
	// small. It must not be used until Fetch has returned.
	Buffer []byte
	// Limit is the most bytes of decoded body to keep; 0 means the limit
	// of the client's Options.
	Limit int64
	// AnyType reads the body whatever its Content-Type.
	AnyType bool
	// Delay is the least time between the starts of two requests to this
	// host: the Crawl-delay of its robots.txt, bounded by the caller.
	Delay time.Duration

	refused refusal // of an earlier try
}

// A Response is the answer of a server. It belongs to the caller.
type Response struct {
	// URL is the one asked, after redirects where they were followed.
	URL string
	// Status is the HTTP status code.
	Status int
	// Header is the header as it came.
	Header http.Header
	// Body is the decoded body of a 2xx answer, in Request.Buffer where
	// that was large enough.
	Body []byte
	// Truncated says that the body went on after the limit.
	Truncated bool
	// Skipped says that the body was not read for its Content-Type.
	Skipped bool
	// RedirectTo is the absolute target of a 301, 302, 303, 307 or 308,
	// without regard to its scheme; empty where Location is missing or
	// cannot be read.
	RedirectTo string
	// Hops are the URLs that redirected, first to last, where redirects
	// were followed.
	Hops []string
	// RetryAfter is how long a 429 or 503 asks to stay away (RFC 9110
	// section 10.2.3); 0 where it does not.
	RetryAfter time.Duration
	// Tries counts the requests made, the successful one included.
	Tries int
	// Wire counts the bytes of the body as they came, before decoding.
	Wire int64
	// Latency is the time from sending to the header; Duration, to the end
	// of the body. Both are of the last try and without waiting for a turn.
	Latency, Duration time.Duration
}

// A Client is the whole stack. It is safe for concurrent use.
type Client struct {
	stack     Fetcher
	exchange  *exchange
	transport *http.Transport
}

// New returns a client; a nil options means the defaults. It fails when an option is
// invalid or two of them contradict each other.
func New(options *Options) (*Client, error) {
	complete := options.withDefaults()
	transport, err := newTransport(complete)
	if err != nil {
		return nil, err
	}
	exchange, err := newExchange(complete, transport)
	if err != nil {
		return nil, err
	}
	polite := newPolite(exchange, complete.Rate)
	return &Client{
		stack:     &retry{next: polite, Retry: complete.Retry},
		exchange:  exchange,
		transport: transport,
	}, nil
}

// Fetch implements [Fetcher]. It waits its turn at the host, asks, and asks
// again after a passing failure.
func (c *Client) Fetch(ctx context.Context, req *Request) (*Response, error) {
	return c.stack.Fetch(ctx, req)
}

// Close closes the connections that wait for another request. The client may
// still be used.
func (c *Client) Close() {
	c.transport.CloseIdleConnections()
}

// Package fetch requests pages from web servers. It limits the rate for each host,
// obeys robots.txt, and bounds the time and the memory that a response can take.
//
// [New] returns a [Client], a stack of small [Fetcher]s: retries, on top of a rate
// limit for each host, on top of one exchange, whose connections are checked by the
// [Guard]. A redirect is a response like any other ([Response.RedirectTo]); [Follow]
// wraps a fetcher that follows redirects. [Robots] wraps a fetcher that obeys
// robots.txt.
package fetch

import (
	"context"
	"net/http"
	"time"
)

// A Fetcher requests one URL. It is safe for concurrent use.
//
// The error is an [*Error], and its Kind says what failed. A response is returned
// together with an error when the header arrived before the failure; its Body then
// has what could be read. No status is an error.
type Fetcher interface {
	// Fetch requests req.URL until it has the response or ctx ends.
	Fetch(ctx context.Context, req *Request) (*Response, error)
}

// A Request describes one request. Only URL is required. A Fetcher changes none of
// its exported fields and keeps no reference to it.
type Request struct {
	// URL is an absolute http or https URL. Its path and query are sent as
	// they are, except that octets that a request line does not allow are
	// percent-encoded. User information and fragment are not sent.
	URL string
	// UserAgent, when not empty, is sent in place of the User-Agent of the Access.
	UserAgent string
	// Head requests only the header.
	Head bool
	// IfNoneMatch and IfModifiedSince are the ETag and Last-Modified of an
	// earlier response, sent when not empty (RFC 9110 section 13.1). The
	// status of an unchanged page is 304.
	IfNoneMatch, IfModifiedSince string
	// Buffer is overwritten with the body. A larger one is allocated when it
	// is too small. It must not be used until Fetch returns.
	Buffer []byte
	// Large, when set, bounds the memory of large bodies. The caller must call
	// Release of every response.
	Large *LargeBodies
	// Limit is the maximum number of bytes of the decoded body; 0 means
	// Limits.Body of the client.
	Limit int64
	// AnyType reads the body of every Content-Type.
	AnyType bool
	// Delay is the minimum time between the starts of two requests to the
	// host, such as the Crawl-delay of its robots.txt.
	Delay time.Duration
	// RetryLater returns a 429, 502, 503 or 504 without another try: the caller
	// requests the URL again later.
	RetryLater bool
	// Refused reports that an earlier request for the URL was answered 429 or
	// 503. The response then shows whether the host is overloaded, or the URL
	// is at fault.
	Refused bool

	fresh bool // on a connection that is opened for it
}

// A Response is the response of a server. The caller owns it.
type Response struct {
	// URL is the URL that was requested, the last one after redirects.
	URL string
	// Status is the HTTP status code.
	Status int
	// Header is the header as received.
	Header http.Header
	// Body is the decoded body of a 2xx response, in Request.Buffer when that
	// was large enough.
	Body []byte
	// Truncated reports that the body was longer than the limit.
	Truncated bool
	// Skipped reports that the body was not read because of its Content-Type.
	Skipped bool
	// RedirectTo is the absolute target of a 301, 302, 303, 307 or 308, of any
	// scheme. It is empty when Location is missing or invalid.
	RedirectTo string
	// Hops are the URLs of the redirects that were followed, in order, and Permanent says that all of them were of
	// status 301 or 308.
	Hops      []string
	Permanent bool
	// RetryAfter is how long a 429 or 503 asks to wait, at most 24 hours (RFC
	// 9110 section 10.2.3); 0 when it does not ask.
	RetryAfter time.Duration
	// Tries is the number of requests, including the last one.
	Tries int
	// CertificateEnd is when the certificate of the server ends; zero without TLS.
	CertificateEnd time.Time
	// Transferred is the number of bytes of the body before decoding.
	Transferred int64
	// Latency is the time from sending the request to the header, and Duration
	// to the end of the body. Both are of the last try, without the wait for
	// the rate limit.
	Latency, Duration time.Duration

	lease *lease
}

// A Client is a [Fetcher] with rate limits and retries. It is safe for concurrent
// use.
type Client struct {
	stack    Fetcher
	polite   *polite
	exchange *exchange
	local    *Local // nil without one
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
	rates, err := ratesByHost(complete.Rates)
	if err != nil {
		return nil, err
	}
	polite := newPolite(exchange, pace{complete.Rate, rates, complete.PerHost, complete.OnRateChange})
	return &Client{
		stack:    &retry{next: polite, Retry: complete.Retry},
		polite:   polite,
		exchange: exchange,
		local:    complete.Local,
	}, nil
}

// Fetch implements [Fetcher]. It waits for the rate limit of the host, sends the
// request, and repeats it after a temporary failure.
func (c *Client) Fetch(ctx context.Context, req *Request) (*Response, error) {
	if c.local.serves(req.URL) {
		return c.exchange.fetchLocal(ctx, c.local.Transport, req)
	}
	return c.stack.Fetch(ctx, req)
}

// Restore ends the reduction of the rate of a URL's host, where the caller has found
// that the host is not overloaded and the refused URLs are at fault.
func (c *Client) Restore(url string) { c.polite.restore(url) }

// Close closes idle connections. The client may still be used.
func (c *Client) Close() {
	c.exchange.transport.CloseIdleConnections()
}

package fetch

import (
	"cmp"
	"context"
	"math"
	"net"
	"net/http"
	"time"

	"github.com/mapatools/mapa/access"
)

// Options configure a [Client]. The zero value, like nil, suits a command line. For
// every number and duration, 0 means the default in parentheses, and a negative
// value means no limit unless documented otherwise.
type Options struct {
	// Access is what the user of a public package says. Its Timeout is the default of
	// Timeouts.Total and Timeouts.Answer.
	access.Access

	// Guard, when set, is in place of the one that PublicOnly means. It excludes proxies,
	// including those of the environment, because a proxy resolves names itself.
	Guard *Guard
	// Dial, when set, opens all connections, without Guard and proxy. It is for tests in
	// a synctest bubble, where nothing may wait for the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Local, when set, answers the requests for one origin instead of its server,
	// without rate limit and retries.
	Local *Local
	// Rates are in place of Rate for the hosts of some origins, each given by a URL.
	Rates map[string]access.Rate
	// Types are media types to read in addition to the default ones: HTML,
	// XHTML, XML, plain text and PDF.
	Types []string
	// PerHost is the maximum number of concurrent requests to a host (8).
	PerHost int
	// OnRateChange, when set, is called when the rate of a host is reduced or recovers. It
	// is called from several goroutines at once and should return fast.
	OnRateChange func(RateChange)

	Limits   Limits
	Timeouts Timeouts
	Retry    Retry
}

// Local answers the requests for an origin in this process.
type Local struct {
	// Origin is a URL; everything after the port is ignored.
	Origin string
	// Transport answers the requests. Several goroutines call it.
	Transport http.RoundTripper
}

// Limits bound the size of one response.
type Limits struct {
	// Body is the maximum number of bytes of a decoded body (10 MiB).
	Body int64
	// Header is the maximum number of bytes of a header (256 KiB, as in
	// browsers).
	Header int64
}

// Timeouts bound the time of one exchange, without the wait for the rate limit.
type Timeouts struct {
	// Connect bounds the DNS lookup and the connection (10 s).
	Connect time.Duration
	// Handshake bounds the TLS handshake (10 s).
	Handshake time.Duration
	// Answer bounds the time to the response header, including Connect (30 s).
	Answer time.Duration
	// Idle bounds the time between two reads of the body (15 s).
	Idle time.Duration
	// Total bounds the whole exchange (2 min).
	Total time.Duration
	// Speed is the minimum average number of bytes per second over every 20 s
	// of a body (128).
	Speed int64
}

// Retry configures how temporary failures are retried: a dropped or refused
// connection, a failing DNS server, and the statuses 408, 429, 502, 503 and 504.
type Retry struct {
	// Tries is the maximum number of requests, including the first (3);
	// negative means 1. A 429 is tried twice more, unless Tries is 1.
	Tries int
	// Backoff is the wait before the second try (500 ms); negative means none.
	// It doubles with every try, up to a minute, and is reduced at random by
	// up to a half.
	Backoff time.Duration
	// MaxRetryAfter is how long one Fetch waits because of Retry-After, all
	// tries together (1 min). A longer one ends the tries.
	MaxRetryAfter time.Duration
	// OnWait, when set, is called before the wait for another try after a response, with
	// its URL and status. Several goroutines call it.
	OnWait func(url string, status int, wait time.Duration)
}

// withDefaults returns a copy with every default filled in. o may be nil.
func (o *Options) withDefaults() *Options {
	var c Options
	if o != nil {
		c = *o
	}
	c.UserAgent = cmp.Or(c.UserAgent, UserAgent(""))
	c.Limits.Body = limit(c.Limits.Body, 10<<20)
	c.Limits.Header = limit(c.Limits.Header, 256<<10)
	c.Timeouts.Connect = limit(c.Timeouts.Connect, 10*time.Second)
	c.Timeouts.Handshake = limit(c.Timeouts.Handshake, 10*time.Second)
	c.Timeouts.Answer = limit(cmp.Or(c.Timeouts.Answer, c.Timeout), 30*time.Second)
	c.Timeouts.Idle = limit(c.Timeouts.Idle, 15*time.Second)
	c.Timeouts.Total = limit(cmp.Or(c.Timeouts.Total, c.Timeout), 2*time.Minute)
	c.Timeouts.Speed = cmp.Or(c.Timeouts.Speed, 128)
	c.Retry.Tries = max(cmp.Or(c.Retry.Tries, 3), 1)
	c.Retry.Backoff = max(cmp.Or(c.Retry.Backoff, 500*time.Millisecond), 0)
	c.Retry.MaxRetryAfter = limit(c.Retry.MaxRetryAfter, time.Minute)
	c.PerHost = max(cmp.Or(c.PerHost, 8), 0)
	if c.PublicOnly && c.Guard == nil {
		c.Guard = &Guard{}
	}
	return &c
}

// limit returns value, or standard when it is 0, or the maximum when it is negative.
func limit[T ~int64](value, standard T) T {
	if value < 0 {
		return math.MaxInt64
	}
	return cmp.Or(value, standard)
}

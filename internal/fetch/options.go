package fetch

import (
	"cmp"
	"math"
	"net/http"
	"time"
)

// Options configure a client. The zero value is right for a command line. In
// every number and duration 0 means the default named with it; a negative
// value means no limit, unless it says otherwise.
type Options struct {
	// UserAgent is sent with every request; by default [UserAgent]("").
	UserAgent string
	// Headers are sent to the origin each is bound to, and nowhere else.
	Headers []OriginHeader
	// Cookies keeps the cookies of each origin and sends them back to it.
	// A search engine's crawler has none, and that is the default.
	Cookies bool
	// Proxy is the URL of an http, https or socks5 proxy. Where empty, the
	// environment decides as in [http.ProxyFromEnvironment].
	Proxy string
	// Guard refuses addresses that are not public. It must be set where
	// others choose the URLs. It rules out proxies, the environment's too,
	// because a proxy looks names up where no guard sees it.
	Guard *Guard
	// Types are media types worth reading beside the usual ones: HTML,
	// XHTML, XML, plain text and PDF.
	Types []string

	Limits   Limits
	Timeouts Timeouts
	Retry    Retry
	Rate     Rate
}

// OriginHeader is a header for one origin: scheme, host and port, all three. It holds
// after redirects too, and replaces what would be sent otherwise.
type OriginHeader struct {
	// Origin is a URL; all after its port is ignored.
	Origin string
	// Header holds Authorization, Cookie or any other field.
	Header http.Header
}

// Limits bound what one answer may bring.
type Limits struct {
	// Body is the most bytes of a decoded body that are kept (10 MiB).
	Body int64
	// Header is the most bytes of a header (256 KiB, as in browsers).
	Header int64
}

// Timeouts bound how long one exchange may take, not counting the wait for
// its turn.
type Timeouts struct {
	// Connect bounds the look-up of the name and the connection (10 s).
	Connect time.Duration
	// Handshake bounds the TLS handshake (10 s).
	Handshake time.Duration
	// Answer bounds the time to the header, connecting included (30 s).
	Answer time.Duration
	// Idle bounds the time between two reads of the body (15 s).
	Idle time.Duration
	// Total bounds the whole exchange (2 min).
	Total time.Duration
	// Speed is the least number of bytes a second on average, held over
	// every 20 s of a body (128).
	Speed int64
}

// Retry says how often a passing failure is tried again: a dropped or refused
// connection, a name server in trouble, the statuses 429, 502, 503 and 504.
type Retry struct {
	// Tries counts the first one too (3); negative is 1. A 429 is worth two
	// more, where it is worth any.
	Tries int
	// Backoff is the wait before the second try (500 ms). It doubles every
	// time, up to a minute, less up to a half by chance; negative is none.
	Backoff time.Duration
	// MaxRetryAfter is the longest Retry-After that is waited for (1 min); a
	// longer one ends the tries.
	MaxRetryAfter time.Duration
}

// Rate is what a host is spared. A host is a name with its port, whatever the
// scheme.
type Rate struct {
	// PerSecond is the most requests a second to a host (20). Without a limit a
	// host is slowed down for by its refusals only, not by its latency.
	PerSecond float64
	// PerHost is the most requests under way at one host (8).
	PerHost int
	// Pause is the longest time that a Retry-After keeps all requests from
	// a host (1 min).
	Pause time.Duration
	// OnChange, where set, hears that a host's rate goes down or up again.
	// It is called from the fetching goroutines, several at once, and
	// should return fast.
	OnChange func(RateChange)
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
	c.Timeouts.Answer = limit(c.Timeouts.Answer, 30*time.Second)
	c.Timeouts.Idle = limit(c.Timeouts.Idle, 15*time.Second)
	c.Timeouts.Total = limit(c.Timeouts.Total, 2*time.Minute)
	c.Timeouts.Speed = cmp.Or(c.Timeouts.Speed, 128)
	c.Retry.Tries = max(cmp.Or(c.Retry.Tries, 3), 1)
	c.Retry.Backoff = max(cmp.Or(c.Retry.Backoff, 500*time.Millisecond), 0)
	c.Retry.MaxRetryAfter = limit(c.Retry.MaxRetryAfter, time.Minute)
	c.Rate.PerSecond = max(cmp.Or(c.Rate.PerSecond, 20), 0)
	c.Rate.PerHost = max(cmp.Or(c.Rate.PerHost, 8), 0)
	c.Rate.Pause = limit(c.Rate.Pause, time.Minute)
	return &c
}

// limit gives the value, or the standard for 0, or the highest for less.
func limit[T ~int64](value, standard T) T {
	if value < 0 {
		return math.MaxInt64
	}
	return cmp.Or(value, standard)
}

package announce

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/http1"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// Options are common to all providers. The zero value, like nil, is usable.
type Options struct {
	// HTTP makes the requests. nil means a client with timeouts and without HTTP/2. Its
	// CheckRedirect and Jar are not used: redirects of providers are never followed.
	HTTP *http.Client
	// Ledger records what is sent. nil means a new one in memory.
	Ledger Ledger
	// Endpoint replaces scheme and host of every provider, for tests. It must be the
	// URL of a loopback address; see [CheckEndpoint].
	Endpoint string
	// UserAgent is sent with every request.
	UserAgent string
	// Secrets are texts that no result and no planned request shows, besides the secrets
	// of its own provider, such as those of the other providers.
	Secrets []string
	// Wait is how long to wait for one provider in all, between tries of a request. 0
	// means 10 minutes, and negative not at all.
	Wait time.Duration
	// OnWait, when set, is called before every wait with the reason.
	OnWait func(p Provider, wait time.Duration, why *Error)
}

const (
	defaultWait = 10 * time.Minute
	// requestTime limits one request with its answer.
	requestTime = time.Minute
)

func (o *Options) withDefaults() *Options {
	var c Options
	if o != nil {
		c = *o
	}
	if c.HTTP == nil {
		c.HTTP = newClient()
	}
	if c.Ledger == nil {
		c.Ledger = NewMemory()
	}
	switch {
	case c.Wait == 0:
		c.Wait = defaultWait
	case c.Wait < 0:
		c.Wait = 0
	}
	return &c
}

func newClient() *http.Client {
	transport := http1.NewTransport(nil)
	transport.DialContext = (&net.Dialer{Timeout: 10 * time.Second}).DialContext
	transport.ResponseHeaderTimeout = 45 * time.Second
	transport.MaxResponseHeaderBytes = 64 << 10
	return &http.Client{Transport: transport}
}

// client returns an HTTP client that follows no redirect and keeps no cookies. With an
// endpoint, every request goes there.
func (o *Options) client(endpoint string) (*http.Client, error) {
	own := *o.HTTP
	own.Jar = nil
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if endpoint == "" {
		return &own, nil
	}
	to, err := CheckEndpoint(endpoint)
	if err != nil {
		return nil, err
	}
	next := own.Transport
	if next == nil {
		next = http.DefaultTransport
	}
	own.Transport = &redirector{next, to}
	return &own, nil
}

// errEndpoint keeps tokens and keys on this machine.
var errEndpoint = errors.New("must be an http or https URL of a loopback address, such as http://127.0.0.1:8080")

// CheckEndpoint parses an endpoint. It returns an error unless it is the URL of a
// loopback address, because secrets are sent there.
func CheckEndpoint(endpoint string) (*url.URL, error) {
	u, err := url.Parse(endpoint)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, errEndpoint
	case !urlnorm.IsLoopback(u.Host):
		return nil, errEndpoint
	}
	return u, nil
}

// A redirector sends every request to an endpoint.
type redirector struct {
	next http.RoundTripper
	to   *url.URL
}

// RoundTrip implements [http.RoundTripper].
func (t *redirector) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	escaped := strings.TrimSuffix(t.to.EscapedPath(), "/") + r.URL.EscapedPath()
	path, err := url.PathUnescape(escaped)
	if err != nil {
		return nil, fmt.Errorf("path of the request: %w", err)
	}
	r.URL.Scheme, r.URL.Host, r.URL.Path, r.URL.RawPath = t.to.Scheme, t.to.Host, path, escaped
	r.Host = ""
	return t.next.RoundTrip(r)
}

// sleep waits, unless ctx ends before.
func sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

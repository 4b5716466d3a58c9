package announce

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// Options are common to all providers. The zero value, like nil, is usable.
type Options struct {
	// Access says how requests are sent. Redirects of providers are never followed.
	Access access.Access
	// Ledger records what is sent. nil means a new one in memory.
	Ledger Ledger
	// Endpoint replaces scheme and host of every provider, for tests. It must be the
	// URL of a loopback address; see [CheckEndpoint].
	Endpoint string
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
	c.Access.Timeout = cmp.Or(c.Access.Timeout, requestTime)
	if c.Ledger == nil {
		c.Ledger = NewMemoryLedger()
	}
	switch {
	case c.Wait == 0:
		c.Wait = defaultWait
	case c.Wait < 0:
		c.Wait = 0
	}
	return &c
}

// clients returns HTTP clients for the provider and for the site, which follow no redirect.
// With an endpoint, every request to the provider goes there.
func (o *Options) clients() (provider, site *http.Client, err error) {
	stream, err := fetch.NewStream(&o.Access)
	if err != nil {
		return nil, nil, err
	}
	site = &http.Client{
		Transport:     fetch.Waiting{Stream: stream},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	if o.Endpoint == "" {
		return site, site, nil
	}
	to, err := CheckEndpoint(o.Endpoint)
	if err != nil {
		return nil, nil, err
	}
	return &http.Client{Transport: &redirector{site.Transport, to}, CheckRedirect: site.CheckRedirect}, site, nil
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

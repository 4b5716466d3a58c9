// Package access says how web sites are requested: at which rate, by which name, with which
// credentials and over which connections. An [Access] is one of the options of every package
// of this module that sends requests. Its zero value is as polite as a search engine.
package access

import (
	"crypto/tls"
	"encoding/base64"
	"maps"
	"net/http"
	"time"
)

// An Access configures requests. Those to one host share its rate within one crawl, check,
// watcher, or iteration over sources.
type Access struct {
	// Rate is the maximum number of requests per second to one host.
	Rate Rate
	// UserAgent is the User-Agent header; empty means Mapa's own.
	UserAgent string
	// Headers are sent to one origin each, such as https://example.com, and to no other,
	// also after redirects. See [Access.SetBasicAuth].
	Headers map[string]http.Header
	// Cookies keeps cookies and sends them back to the origin that has set them.
	Cookies bool
	// Proxy is the URL of an http, https or socks5 proxy; empty means that of the
	// environment.
	Proxy string
	// Timeout bounds one request, from the connection to the end of the body; 0 means
	// 2 minutes, and 30 seconds to the header. The body of a sitemap that is read as a
	// stream may take longer: see the package that reads it.
	Timeout time.Duration
	// TLS configures connections by https. It may be nil.
	TLS *tls.Config
	// PublicOnly refuses hosts that are not on the public internet, after each redirect
	// too. Servers that request URLs of strangers need it. It cannot be combined with
	// Proxy.
	PublicOnly bool
	// Transport, when set, sends the requests in place of Mapa's own connections, for
	// example to a handler in this process. Proxy, TLS and PublicOnly do not apply to it,
	// everything else does. Several goroutines call it.
	Transport http.RoundTripper
	// Admit, when set, is called just before every request, which is not sent if it
	// returns an error. Several goroutines call it.
	Admit func() error
}

// SetBasicAuth adds a name and a password for an origin to Headers (RFC 7617).
func (a *Access) SetBasicAuth(origin, name, password string) {
	header := a.Headers[origin].Clone()
	if header == nil {
		header = http.Header{}
	}
	header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(name+":"+password)))
	a.Headers = maps.Clone(a.Headers) // copies of a share the map
	if a.Headers == nil {
		a.Headers = map[string]http.Header{}
	}
	a.Headers[origin] = header
}

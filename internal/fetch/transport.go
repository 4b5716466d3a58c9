package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// readBuffer is large enough for most pages with their headers, so that one system
// call reads them.
const readBuffer = 32 << 10

// newTransport returns the transport: HTTP/1.1 and 2, with encoded bodies, and with
// connections that the guard checks.
func newTransport(options *Options) (*http.Transport, error) {
	proxy, err := chooseProxy(options)
	if err != nil {
		return nil, err
	}
	dialer := &net.Dialer{Timeout: options.Timeouts.Connect}
	if options.Guard != nil {
		dialer.Control = options.Guard.control
	}
	const kept = 256 // idle connections to one host, when PerHost does not bound them
	idle := options.Rate.PerHost
	if idle == 0 {
		idle = kept
	}
	return &http.Transport{
		Proxy:                  proxy,
		OnProxyConnectResponse: proxyAnswer,
		DialContext:            dialer.DialContext,
		TLSClientConfig:        options.TLS.Clone(),
		TLSHandshakeTimeout:    options.Timeouts.Handshake,
		DisableCompression:     true,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           4 * kept,
		MaxIdleConnsPerHost:    idle,
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: options.Limits.Header,
		ReadBufferSize:         readBuffer,
	}, nil
}

func chooseProxy(options *Options) (func(*http.Request) (*url.URL, error), error) {
	switch {
	case options.Guard != nil && options.Proxy != "":
		return nil, errors.New("a proxy cannot be combined with the guard, which cannot check its connections")
	case options.Guard != nil:
		return nil, nil
	case options.Proxy == "":
		return http.ProxyFromEnvironment, nil
	}
	proxy, err := url.Parse(options.Proxy)
	if err != nil {
		return nil, errors.New("the proxy is not a URL") // the cause would contain the password
	}
	switch proxy.Scheme {
	case "http", "https", "socks5", "socks5h":
	default:
		return nil, fmt.Errorf("proxy %s: its scheme is not http, https or socks5", proxy.Redacted())
	}
	if proxy.Host == "" {
		return nil, fmt.Errorf("proxy %s: it names no host", proxy.Redacted())
	}
	return http.ProxyURL(proxy), nil
}

// proxyAnswer marks the refusal of a proxy, so that it is not taken for that of a
// site.
func proxyAnswer(_ context.Context, _ *url.URL, _ *http.Request, answer *http.Response) error {
	if answer.StatusCode != http.StatusOK {
		return &kindError{fmt.Errorf("it answered %s", answer.Status), KindProxy}
	}
	return nil
}

// addressProxy changes the URL of a request to the absolute form if a proxy will read
// it (RFC 9112 section 3.2.2). With TLS or SOCKS a proxy only forwards bytes.
func addressProxy(proxy func(*http.Request) (*url.URL, error), r *http.Request) {
	if proxy == nil || r.URL.Scheme != "http" ||
		!strings.HasPrefix(r.URL.Opaque, "/") || strings.HasPrefix(r.URL.Opaque, "//") {
		return
	}
	through, err := proxy(r)
	if err == nil && through != nil && strings.HasPrefix(through.Scheme, "http") {
		r.URL.Opaque = "//" + r.URL.Host + r.URL.Opaque
	}
}

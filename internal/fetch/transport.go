package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/mapatools/mapa/internal/http1"
)

// readBuffer is large enough for most pages with their headers, so that one system
// call reads them.
const readBuffer = 32 << 10

// newTransport returns the transport, with encoded bodies, and with connections that the
// guard checks.
func newTransport(options *Options) (*http.Transport, error) {
	proxy, err := chooseProxy(options)
	if err != nil {
		return nil, err
	}
	dialer := &net.Dialer{Timeout: options.Timeouts.Connect}
	if options.Guard != nil {
		dialer.Control = options.Guard.control
	}
	const kept = 256 // idle connections of all hosts, which take 50 KB each with their goroutines
	idle := options.PerHost
	if idle == 0 {
		idle = kept
	}
	t := http1.NewTransport(options.TLS)
	t.Proxy = proxy
	t.OnProxyConnectResponse = proxyAnswer
	t.DialContext = dialer.DialContext
	if options.Dial != nil {
		t.DialContext, t.Proxy = options.Dial, nil
	}
	t.TLSHandshakeTimeout = options.Timeouts.Handshake
	t.DisableCompression = true
	t.MaxIdleConns = max(kept, idle)
	t.MaxIdleConnsPerHost = idle
	t.MaxResponseHeaderBytes = options.Limits.Header
	t.ReadBufferSize = readBuffer
	return t, nil
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

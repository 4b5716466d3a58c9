// Package http1 has what every client of servers that strangers may run needs: the transport,
// and the reading of Retry-After.
package http1

import (
	"crypto/tls"
	"net"
	"net/http"
	"time"
)

// NewTransport returns a transport with the connection timeouts and the proxy of
// [http.DefaultTransport]. It speaks HTTP/1.1 only, and offers nothing else by ALPN. A
// client with a rate for each host gains nothing from HTTP/2, and a server can make the
// HTTP/2 client of net/http wait for itself, or read empty frames, beyond any deadline.
// Measured over TLS with pages of 15 KB and round trips of 0, 50 and 200 ms, both took the
// same time at 20 requests a second and without a limit, and the same processor time (0.37 s
// for 1,000 pages). HTTP/1.1 opens up to 8 connections to a host, and sends 0.45 KB more of
// headers for each page.
// config may be nil; it is not changed.
func NewTransport(config *tls.Config) *http.Transport {
	if config = config.Clone(); config == nil {
		config = &tls.Config{}
	}
	config.NextProtos = []string{"http/1.1"}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 30 * time.Second}).DialContext,
		TLSClientConfig:     config,
		TLSHandshakeTimeout: 10 * time.Second,
		IdleConnTimeout:     90 * time.Second,
		MaxIdleConns:        100,
		Protocols:           protocols,
	}
}

package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
)

// Error says which URL failed, in which way, and what the network said.
// errors.Is finds its Kind and everything below Err.
type Error struct {
	URL  string
	Kind Kind
	Err  error // nil where the kind says it all
}

func (e *Error) Error() string {
	text := "fetch " + e.URL + ": " + e.Kind.Error()
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap gives the kind and the cause.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// A Kind is a way to fail, itself an error for errors.Is.
type Kind int

// The ways to fail.
const (
	Invalid          Kind = iota + 1 // the URL cannot be asked: not absolute, not http or https
	Canceled                         // the caller's context ended
	Blocked                          // the guard refused the address
	NoHost                           // the name does not exist
	NoNames                          // the name servers failed
	Refused                          // the host refuses connections
	Unreachable                      // there is no way to the host
	BadProxy                         // the proxy failed
	BadTLS                           // no trusted TLS connection
	ConnectTimeout                   // no connection in time
	HandshakeTimeout                 // no TLS handshake in time
	AnswerTimeout                    // no header in time
	IdleTimeout                      // the body stopped
	TotalTimeout                     // the whole took too long
	Slow                             // the body came slower than the least speed
	Dropped                          // the connection broke
	HeaderTooLarge                   // the header passed its limit
	Malformed                        // the answer is not HTTP
	BadEncoding                      // the Content-Encoding is unknown or broken
	RedirectLoop                     // redirects lead back to where they were
	TooManyRedirects                 // redirects never end
	BadRedirect                      // a redirect leads to no http or https URL
	Disallowed                       // robots.txt disallows the URL; nothing was requested
	DelayTooLong                     // robots.txt asks for a delay longer than the limit; nothing was requested
)

var kinds = [...]string{
	Invalid:          "not a URL to fetch",
	Canceled:         "canceled",
	Blocked:          "address not allowed",
	NoHost:           "no such host",
	NoNames:          "name server failed",
	Refused:          "connection refused",
	Unreachable:      "host unreachable",
	BadProxy:         "proxy failed",
	BadTLS:           "TLS failed",
	ConnectTimeout:   "no connection in time",
	HandshakeTimeout: "no TLS handshake in time",
	AnswerTimeout:    "no answer in time",
	IdleTimeout:      "body stopped",
	TotalTimeout:     "took too long",
	Slow:             "body too slow",
	Dropped:          "connection dropped",
	HeaderTooLarge:   "header too large",
	Malformed:        "malformed answer",
	BadEncoding:      "content encoding unknown or broken",
	RedirectLoop:     "redirect loop",
	TooManyRedirects: "too many redirects",
	BadRedirect:      "redirect to no web address",
	Disallowed:       "blocked by robots.txt",
	DelayTooLong:     "not requested",
}

// Error gives the kind in words.
func (k Kind) Error() string {
	if k <= 0 || int(k) >= len(kinds) {
		return "unknown failure"
	}
	return kinds[k]
}

// marked is an error whose kind its maker knows; the [Error] around it will
// have the kind's words.
type marked struct {
	error
	kind Kind
}

func (m *marked) Unwrap() []error { return []error{m.kind, m.error} }

// passing says that the same request may succeed soon and that the failure
// came fast: a time limit that was used up is not spent again.
func (k Kind) passing() bool {
	return k == Dropped || k == Refused || k == NoNames
}

// failure names the way in which an exchange under ctx failed.
func failure(ctx context.Context, url string, err error) *Error {
	if overdue, ok := errors.AsType[Kind](context.Cause(ctx)); ok {
		return &Error{URL: url, Kind: overdue}
	}
	if ctx.Err() != nil {
		return &Error{URL: url, Kind: Canceled, Err: context.Cause(ctx)}
	}
	return &Error{URL: url, Kind: kindOf(err), Err: err}
}

func kindOf(err error) Kind {
	for _, known := range []func(error) Kind{ownKind, proxyKind, nameKind, tlsKind, dialKind, brokenKind} {
		if kind := known(err); kind != 0 {
			return kind
		}
	}
	return Malformed
}

func ownKind(err error) Kind {
	kind, _ := errors.AsType[Kind](err)
	return kind
}

// proxyKind comes before the kinds of failure that a proxy's own address has.
func proxyKind(err error) Kind {
	failed, ok := errors.AsType[*net.OpError](err)
	if ok && (failed.Op == "proxyconnect" || failed.Op == "socks connect") {
		return BadProxy
	}
	return 0
}

func nameKind(err error) Kind {
	failed, ok := errors.AsType[*net.DNSError](err)
	switch {
	case !ok:
		return 0
	case failed.IsNotFound:
		return NoHost
	}
	return NoNames
}

func tlsKind(err error) Kind {
	if strings.Contains(err.Error(), "TLS handshake timeout") { // net/http has no type for it
		return HandshakeTimeout
	}
	_, record := errors.AsType[tls.RecordHeaderError](err)
	_, certificate := errors.AsType[*tls.CertificateVerificationError](err)
	_, name := errors.AsType[x509.HostnameError](err)
	_, alert := errors.AsType[tls.AlertError](err)
	if record || certificate || name || alert || errors.Is(err, http.ErrSchemeMismatch) ||
		strings.Contains(err.Error(), "tls: ") { // crypto/tls has no type for the rest
		return BadTLS
	}
	return 0
}

func dialKind(err error) Kind {
	failed, ok := errors.AsType[*net.OpError](err)
	switch {
	case !ok, failed.Op != "dial":
		return 0
	case failed.Timeout():
		return ConnectTimeout
	case errors.Is(err, syscall.ECONNREFUSED):
		return Refused
	}
	return Unreachable
}

func brokenKind(err error) Kind {
	text := err.Error()
	switch {
	case strings.Contains(text, "response headers exceeded"), // HTTP/1
		strings.Contains(text, "header list larger than"), // HTTP/2
		strings.Contains(text, "COMPRESSION_ERROR"):       // HTTP/2, a single field
		return HeaderTooLarge
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed),
		errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE),
		strings.Contains(text, "server closed"), strings.Contains(text, "GOAWAY"),
		strings.Contains(text, "stream error"), strings.Contains(text, "connection lost"):
		return Dropped
	}
	return 0
}

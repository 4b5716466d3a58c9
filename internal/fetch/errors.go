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

// An Error reports why a request failed. errors.Is finds its Kind and every error
// that Err wraps.
type Error struct {
	URL  string
	Kind Kind
	Err  error // the cause; may be nil
}

// Error returns the URL, the kind and the cause.
func (e *Error) Error() string {
	text := "fetch " + e.URL + ": " + e.Kind.Error()
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the kind and the cause.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// Why returns why a request has no response in a few words, without the addresses and the
// system calls that an error of a connection names.
func Why(err error) string {
	if explained := Explanation(err); explained != "" {
		return explained
	}
	if failed, is := errors.AsType[*Error](err); is {
		return failed.Kind.Error()
	}
	return err.Error()
}

// Explanation returns the text of the [TLSError] or the [ProxyError] that an error wraps, or "".
func Explanation(err error) string {
	if failed, is := errors.AsType[*TLSError](err); is {
		return failed.Error()
	}
	if failed, is := errors.AsType[*ProxyError](err); is {
		return failed.Error()
	}
	return ""
}

// A Kind classifies failures. It is an error itself, for errors.Is.
type Kind int

// The kinds of failures.
const (
	KindInvalid          Kind = iota + 1 // the URL is not absolute, or not http or https
	KindCanceled                         // the caller's context ended
	KindBlocked                          // the guard refused the address
	KindNoHost                           // the name does not exist
	KindDNS                              // the DNS servers failed
	KindRefused                          // the host refuses connections
	KindUnreachable                      // there is no route to the host
	KindProxy                            // the proxy failed
	KindTLS                              // there is no trusted TLS connection
	KindConnectTimeout                   // no connection in time
	KindHandshakeTimeout                 // no TLS handshake in time
	KindAnswerTimeout                    // no response header in time
	KindIdleTimeout                      // the body stalled
	KindTotalTimeout                     // the whole exchange took too long
	KindTooSlow                          // the body was slower than the minimum speed
	KindDropped                          // the connection was closed early
	KindHeaderTooLarge                   // the header exceeded its limit
	KindMalformed                        // the response is not HTTP
	KindEncoding                         // the Content-Encoding is unknown or invalid
	KindRedirectLoop                     // redirects lead back to an earlier URL
	KindTooManyRedirects                 // more redirects than the limit
	KindBadRedirect                      // a redirect leads to a URL that is not http or https
	KindDisallowed                       // robots.txt disallows the URL; nothing was requested
	KindDelayTooLong                     // robots.txt asks for a delay longer than the limit; nothing was requested
)

// kinds are the codes of the kinds, and their texts.
var kinds = [...]struct{ code, text string }{
	KindInvalid:          {"invalid", "not a URL to fetch"},
	KindCanceled:         {"canceled", "canceled"},
	KindBlocked:          {"blocked", "address not allowed"},
	KindNoHost:           {"no-host", "no such host"},
	KindDNS:              {"dns", "name server failed"},
	KindRefused:          {"refused", "connection refused"},
	KindUnreachable:      {"unreachable", "host unreachable"},
	KindProxy:            {"proxy", "proxy failed"},
	KindTLS:              {"tls", "TLS failed"},
	KindConnectTimeout:   {"connect-timeout", "no connection in time"},
	KindHandshakeTimeout: {"handshake-timeout", "no TLS handshake in time"},
	KindAnswerTimeout:    {"answer-timeout", "no answer in time"},
	KindIdleTimeout:      {"idle-timeout", "body stopped"},
	KindTotalTimeout:     {"total-timeout", "took too long"},
	KindTooSlow:          {"too-slow", "body too slow"},
	KindDropped:          {"dropped", "connection dropped"},
	KindHeaderTooLarge:   {"header-too-large", "header too large"},
	KindMalformed:        {"malformed", "malformed answer"},
	KindEncoding:         {"encoding", "content encoding unknown or broken"},
	KindRedirectLoop:     {"redirect-loop", "redirect loop"},
	KindTooManyRedirects: {"too-many-redirects", "too many redirects"},
	KindBadRedirect:      {"bad-redirect", "redirect to no web address"},
	KindDisallowed:       {"disallowed", "blocked by robots.txt"},
	KindDelayTooLong:     {"delay-too-long", "not requested"},
}

// Error returns the kind in words.
func (k Kind) Error() string {
	if k <= 0 || int(k) >= len(kinds) {
		return "unknown failure"
	}
	return kinds[k].text
}

// Code returns the name of the kind for programs, such as "total-timeout", or "" for
// an unknown kind. Codes are stable.
func (k Kind) Code() string {
	if k <= 0 || int(k) >= len(kinds) {
		return ""
	}
	return kinds[k].code
}

// A kindError is an error with a known kind, for the [Error] that will wrap it.
type kindError struct {
	error
	kind Kind
}

func (m *kindError) Unwrap() []error { return []error{m.kind, m.error} }

// isTemporary reports whether the same request may succeed soon. Timeouts are not
// temporary: another try would take as long.
func (k Kind) isTemporary() bool {
	return k == KindDropped || k == KindRefused || k == KindDNS
}

// newError classifies the error of an exchange under ctx.
func newError(ctx context.Context, url string, err error) *Error {
	if overdue, ok := errors.AsType[Kind](context.Cause(ctx)); ok {
		return &Error{URL: url, Kind: overdue}
	}
	if ctx.Err() != nil {
		return &Error{URL: url, Kind: KindCanceled, Err: context.Cause(ctx)}
	}
	if refused, ok := errors.AsType[*GuardError](err); ok {
		err = &kindError{refused, KindBlocked} // without the address, which the dialer names
	}
	kind := KindOf(err)
	if kind == KindTLS {
		err = explainTLS(err)
	}
	return &Error{URL: url, Kind: kind, Err: err}
}

// KindOf classifies the error of a request that was made without a [Fetcher]. What it does not
// know is KindMalformed.
func KindOf(err error) Kind {
	for _, known := range []func(error) Kind{ownKind, proxyKind, nameKind, tlsKind, dialKind, connectionKind} {
		if kind := known(err); kind != 0 {
			return kind
		}
	}
	return KindMalformed
}

func ownKind(err error) Kind {
	kind, _ := errors.AsType[Kind](err)
	return kind
}

// proxyKind is checked before the kinds that the address of the proxy may cause.
func proxyKind(err error) Kind {
	failed, ok := errors.AsType[*net.OpError](err)
	if ok && (failed.Op == "proxyconnect" || failed.Op == "socks connect") {
		return KindProxy
	}
	return 0
}

func nameKind(err error) Kind {
	failed, ok := errors.AsType[*net.DNSError](err)
	switch {
	case !ok:
		return 0
	case failed.IsNotFound:
		return KindNoHost
	}
	return KindDNS
}

func tlsKind(err error) Kind {
	if strings.Contains(err.Error(), "TLS handshake timeout") { // net/http has no type for it
		return KindHandshakeTimeout
	}
	_, record := errors.AsType[tls.RecordHeaderError](err)
	_, certificate := errors.AsType[*tls.CertificateVerificationError](err)
	_, name := errors.AsType[x509.HostnameError](err)
	_, alert := errors.AsType[tls.AlertError](err)
	if record || certificate || name || alert || errors.Is(err, http.ErrSchemeMismatch) ||
		strings.Contains(err.Error(), "tls: ") { // crypto/tls has no type for the rest
		return KindTLS
	}
	return 0
}

func dialKind(err error) Kind {
	failed, ok := errors.AsType[*net.OpError](err)
	switch {
	case !ok, failed.Op != "dial":
		return 0
	case failed.Timeout():
		return KindConnectTimeout
	case errors.Is(err, syscall.ECONNREFUSED):
		return KindRefused
	}
	return KindUnreachable
}

func connectionKind(err error) Kind {
	text := err.Error()
	switch {
	case strings.Contains(text, "response headers exceeded"): // net/http has no type for it
		return KindHeaderTooLarge
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed),
		errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), strings.Contains(text, "server closed"):
		return KindDropped
	}
	return 0
}

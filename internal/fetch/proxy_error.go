package fetch

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"syscall"
)

// A ProxyError says which proxy failed, and why.
type ProxyError struct {
	Host string // of the proxy, with its port
	// FromEnvironment reports that the environment names it, as in HTTP_PROXY, and no option.
	FromEnvironment bool

	err error
}

// Error names the proxy and the reason.
func (e *ProxyError) Error() string {
	text := "the proxy " + e.Host
	if e.FromEnvironment {
		text += ", which the environment names"
	}
	number, isCall := errors.AsType[syscall.Errno](e.err)
	lookup, isName := errors.AsType[*net.DNSError](e.err)
	answer, isAnswer := errors.AsType[*kindError](e.err)
	switch {
	case isAnswer:
		return text + ": " + answer.Error()
	case isCall:
		return text + ": " + number.Error()
	case isName && lookup.IsNotFound:
		return text + ": " + KindNoHost.Error()
	}
	return text + ": " + e.err.Error()
}

// Unwrap returns the error of the connection.
func (e *ProxyError) Unwrap() error { return e.err }

// failure is newError with the proxy that failed.
func (e *exchange) failure(ctx context.Context, address string, err error) *Error {
	failed := newError(ctx, address, err)
	to, invalid := url.Parse(address)
	if failed.Kind != KindProxy || e.proxy == nil || invalid != nil {
		return failed
	}
	if proxy, err := e.proxy(&http.Request{URL: to}); err == nil && proxy != nil {
		failed.Err = &ProxyError{Host: proxy.Host, FromEnvironment: e.fromEnvironment, err: failed.Err}
	}
	return failed
}

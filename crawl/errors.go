package crawl

import "errors"

// Errors that Run returns, wrapped together with what the network or the site said.
var (
	ErrStart       = errors.New("the start page cannot be fetched")
	ErrForbidden   = errors.New("robots.txt forbids the start page")
	ErrStopped     = errors.New("the crawl was stopped before its end")
	ErrOutage      = errors.New("the site stopped answering")
	errStartScheme = errors.New("not an http or https address")
)

// MovedError reports that the start URL redirects to another site.
type MovedError struct{ To string }

// Error names the URL on the other site.
func (e *MovedError) Error() string { return "the start page redirects to another site: " + e.To }

// startScopeError reports that the options leave out the start URL. It wraps ErrStart.
type startScopeError struct {
	start  string
	reason Reason
	detail string
}

func (e *startScopeError) Error() string {
	if e.reason == ReasonOutOfScope {
		return "the start page " + e.start + " is " + e.detail
	}
	return "the start page " + e.start + " matches " + e.detail + ", so it is not fetched"
}

func (e *startScopeError) Unwrap() error { return ErrStart }

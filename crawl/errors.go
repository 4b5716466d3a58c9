package crawl

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Errors that Run returns, wrapped together with what the network or the site said.
var (
	ErrStart       = errors.New("the start page cannot be fetched")
	ErrForbidden   = errors.New("robots.txt forbids the start page")
	ErrStopped     = errors.New("the crawl was stopped before its end")
	ErrOutage      = errors.New("the site stopped answering")
	ErrBaseURL     = errors.New("base URL") // Options.BaseURL is not a URL
	errStartScheme = errors.New("not an http or https address")
	errNoStart     = errors.New("Options.Start is empty")
)

// RefusedError reports that the site answers every request with a status that refuses
// it, such as 429. It wraps [ErrOutage].
type RefusedError struct{ Status int }

// Error gives the status.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("the site refuses requests: it answers %d %s", e.Status, http.StatusText(e.Status))
}

// Unwrap returns ErrOutage.
func (e *RefusedError) Unwrap() error { return ErrOutage }

// UnrenderedError reports that pages wait for the next run because they could not be rendered.
type UnrenderedError struct {
	// Detail is DetailNoBrowser, after which nothing more was requested, or the DetailRenderFailed of a page
	// that had no content because a request of its own site failed.
	Detail Detail
}

// Error gives the cause.
func (e *UnrenderedError) Error() string { return "pages could not be rendered: " + e.Detail.String() }

// LacksBrowser reports whether the browser failed, so that pages to which only waiting pages link are unknown.
func (e *UnrenderedError) LacksBrowser() bool { return e.Detail.Code() == DetailNoBrowser }

// MovedError reports that the start URL redirects to another site.
type MovedError struct{ To string }

// Error names the URL on the other site.
func (e *MovedError) Error() string { return "the start page redirects to another site: " + e.To }

// StartError reports why the start page cannot be crawled. It wraps [ErrStart].
type StartError struct {
	URL       string // of the start page
	Status    int    // HTTP status; 0 without a response
	MediaType string // of the response, or empty
	Err       error  // why there is no response, or nil
	Detail    string // what happened, in words
	// RetryAfter is how long a 429 or 503 asks to wait; 0 when it does not.
	RetryAfter time.Duration
}

// Error names the page and the reason.
func (e *StartError) Error() string {
	if e.URL == "" {
		return ErrStart.Error() + ": " + e.Detail
	}
	return ErrStart.Error() + ": " + e.URL + ": " + e.Detail
}

// Unwrap returns ErrStart and the failure of the network.
func (e *StartError) Unwrap() []error {
	if e.Err == nil {
		return []error{ErrStart}
	}
	return []error{ErrStart, e.Err}
}

// ForbiddenError reports that robots.txt blocks the start page. It wraps
// [ErrForbidden].
type ForbiddenError struct {
	Line   int    // of the rule in robots.txt; 0 if robots.txt cannot be fetched
	Detail string // the rule or the reason, in words
}

// Error gives the rule or the reason.
func (e *ForbiddenError) Error() string { return ErrForbidden.Error() + ": " + e.Detail }

// Unwrap returns ErrForbidden.
func (e *ForbiddenError) Unwrap() error { return ErrForbidden }

// StartScopeError reports that the options leave out the start page. It wraps [ErrStart].
type StartScopeError struct {
	URL    string // of the start page
	Reason Reason
	Detail Detail // the option that leaves it out
}

// Error names the page and the option.
func (e *StartScopeError) Error() string {
	if e.Reason == ReasonOutOfScope {
		return "the start page " + e.URL + " is " + e.Detail.String()
	}
	return "the start page " + e.URL + " matches " + e.Detail.String() + ", so it is not fetched"
}

// Unwrap returns ErrStart.
func (e *StartScopeError) Unwrap() error { return ErrStart }

// Package render has what a crawl and a browser say to each other. A program that only crawls
// needs nothing of it; one that brings a browser of its own implements [Renderer].
package render

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// MaxHTML is how many bytes of a rendered document are read.
const MaxHTML = 10 << 20

// ErrNoRenderer reports that the browser fails, whatever the page.
var ErrNoRenderer = errors.New("the browser cannot render pages")

// A Renderer runs the scripts of pages in a browser. Several goroutines use it at once.
type Renderer interface {
	// Render gives the browser a page as its site sent it, and returns what the scripts of the
	// page made of it. Whatever else the browser asks for is sent by transport, which refuses
	// what the crawl may not request with an error. An error of Render means that the page
	// cannot be rendered; one that wraps [ErrNoRenderer], that the browser or the machine fails and
	// the page may be rendered by another one. The crawl ends then.
	Render(ctx context.Context, page Page, transport Transport) (*Result, error)
}

// A Transport sends the requests of a browser. Several goroutines use it at once.
type Transport interface {
	// Admit waits until the rate of the host allows a request, or returns why the crawl does not
	// send it, which wraps a [*Refusal]. The time is not that of the page. RoundTrip is called
	// only after it.
	Admit(*http.Request) error
	// RoundTrip sends a request. What the user gives for an origin is only sent with [WithCredentials].
	http.RoundTripper
}

// A Page is an HTML page with status 200 as its site sent it. The browser does not request it
// again.
type Page struct {
	URL    string
	Header http.Header
	Body   []byte // decoded
	// HasCredentials says that a password, a cookie or header fields are sent to the origin of the page.
	HasCredentials bool
}

// A Result is what the scripts of a page made of it.
type Result struct {
	HTML []byte // the document in UTF-8, at most [MaxHTML] bytes
	// URL is the address of the document in the end, or the first one that scripts went to. Addresses that
	// scripts added by history.pushState do not count, unless it is only one.
	URL    string
	Routes []string // absolute URLs that scripts passed to history, at most 1,000
	// Partial reports that the page still changed, or waited for an answer, when its time was over,
	// or that its document was too long.
	Partial bool
	// Failures are the requests that failed or were refused, at most 500. That the machine gave the browser too
	// little time to render the page counts as a failure of the page's own URL.
	Failures []*Error
	// ScriptError is the first error of a script that nothing handled, or empty. It is a text of the site.
	ScriptError string
	// Duration is the time from the start of the page until it was settled.
	Duration time.Duration
	Requests int   // that were sent for the page
	Bytes    int64 // of their answers
}

// frameKey and credentialsKey mark the contexts of requests: for the document of a frame, and of a page that may
// send what the user gives for its origin.
type (
	frameKey       struct{}
	credentialsKey struct{}
)

// WithFrame returns a context for a request of a [Renderer] for the document of a frame.
func WithFrame(ctx context.Context) context.Context { return context.WithValue(ctx, frameKey{}, true) }

// IsFrame reports whether a [Renderer] sends a request with this context for the document of a
// frame. All its other requests are for what scripts and styles need.
func IsFrame(ctx context.Context) bool { return ctx.Value(frameKey{}) != nil }

// WithCredentials returns a context for a request of a [Renderer] that carries the password, cookies and header
// fields which the user gives for its origin. A Renderer may use it only for a page of that origin, and only while
// no document of another origin can see the answer.
func WithCredentials(ctx context.Context) context.Context {
	return context.WithValue(ctx, credentialsKey{}, true)
}

// HasCredentials reports whether a request with this context may carry what the user gives for its origin.
func HasCredentials(ctx context.Context) bool { return ctx.Value(credentialsKey{}) != nil }

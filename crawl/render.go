package crawl

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// MaxRendered is how many bytes of a rendered document are read.
const MaxRendered = 10 << 20

// ErrNoRenderer reports that no more pages can be rendered.
var ErrNoRenderer = errors.New("the browser cannot render any more pages")

// A Renderer runs the scripts of pages in a browser. Several goroutines use it at once.
type Renderer interface {
	// Render gives the browser a page as its site sent it, and returns what the scripts of the
	// page made of it. Whatever else the browser asks for is sent by transport, which refuses
	// what the crawl may not request with an error. An error of Render means that the page
	// could not be rendered; one that wraps [ErrNoRenderer] that no page can be any more.
	Render(ctx context.Context, page RawPage, transport RenderTransport) (*Rendering, error)
}

// A RenderTransport sends the requests of a browser. Several goroutines use it at once.
type RenderTransport interface {
	// Admit waits until the rate of the host allows a request, or returns why the crawl does not
	// send it. The time is not that of the page. RoundTrip is called only after it.
	Admit(*http.Request) error
	http.RoundTripper
}

// A RawPage is an HTML page with status 200 as its site sent it. The browser does not request it
// again.
type RawPage struct {
	URL    string
	Header http.Header
	Body   []byte // decoded
}

// A RenderError reports a request of a page that failed or was refused.
type RenderError struct {
	URL string
	Err error
}

// Error names the URL and the cause.
func (e *RenderError) Error() string { return e.URL + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *RenderError) Unwrap() error { return e.Err }

// A Rendering is what the scripts of a page made of it.
type Rendering struct {
	HTML   []byte   // the document in UTF-8, at most [MaxRendered] bytes
	URL    string   // of the document in the end, or the first one that scripts went to
	Routes []string // absolute URLs that scripts passed to history.pushState, at most 1,000
	// Partial reports that the page still changed, or waited for an answer, when its time was over,
	// or that its document was too long.
	Partial bool
	// Failed is the first script, style sheet or answer for a script that failed or was refused, one of
	// the page's own host if there is one, and nil when all of them arrived.
	Failed *RenderError
	// Duration is the time from the start of the page until it was settled.
	Duration time.Duration
	Requests int   // that were sent for the page
	Bytes    int64 // of their answers
}

// frameKey marks the contexts of requests for the documents of frames.
type frameKey struct{}

// WithFrame returns a context for a request of a [Renderer] for the document of a frame.
func WithFrame(ctx context.Context) context.Context { return context.WithValue(ctx, frameKey{}, true) }

// IsFrame reports whether a [Renderer] sends a request with this context for the document of a
// frame. All its other requests are for what scripts and styles need.
func IsFrame(ctx context.Context) bool { return ctx.Value(frameKey{}) != nil }

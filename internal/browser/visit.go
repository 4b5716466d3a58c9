package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/mapatools/mapa/crawl"
)

// maxOpen is how long a request without an answer keeps a page from being settled.
const maxOpen = 2 * time.Second

// A visit is a page in a tab, with the requests that the browser makes for it.
type visit struct {
	ctx       context.Context // ends with the page
	stop      context.CancelCauseFunc
	begun     chan struct{} // closed when the browser shows the document
	page      crawl.RawPage
	host      string
	origin    string
	transport http.RoundTripper

	mu       sync.Mutex
	served   bool
	framed   bool // a frame was asked for: it may have stored something
	open     map[*exchange]bool
	idle     time.Time // when the last request ended
	began    int       // requests
	requests int       // that were answered by the transport
	bytes    int64
	failed   error
	routes   []string
	known    map[string]bool // routes
}

// An exchange is a request that waits for its answer.
type exchange struct {
	began time.Time
	moved bool // bytes of the body arrived
	event bool // the answer is a stream of events, which may never end
}

func newVisit(ctx context.Context, page crawl.RawPage, transport http.RoundTripper) (*visit, error) {
	u, err := url.Parse(page.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%q cannot be rendered: %w", page.URL, errors.Join(err, errors.ErrUnsupported))
	}
	ctx, stop := context.WithCancelCause(ctx)
	return &visit{
		ctx: ctx, stop: stop, begun: make(chan struct{}), transport: transport,
		page: page, host: u.Hostname(), origin: u.Scheme + "://" + u.Host,
		open: map[*exchange]bool{}, idle: time.Now(), known: map[string]bool{page.URL: true},
	}, nil
}

// commit notes that the browser shows a document. After that of the page, there must be no other.
func (v *visit) commit(address string) {
	select {
	case <-v.begun:
		v.stop(errLeft)
	default:
		if address != "about:blank" {
			close(v.begun)
		}
	}
}

// begin notes a request. It returns nil for one too many.
func (v *visit) begin() *exchange {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.began++; v.began > maxRequests {
		return nil
	}
	e := &exchange{began: time.Now()}
	v.open[e] = true
	return e
}

func (v *visit) end(e *exchange) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.open, e)
	v.idle = time.Now()
}

// quietSince returns since when no request is open that may change the page. A stream of events, and
// one that is open for long without an answer, may stay open forever.
func (v *visit) quietSince() (since time.Time, quiet bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	since = v.idle
	for e := range v.open {
		if !e.event && (e.moved || time.Since(e.began) < maxOpen) {
			return time.Time{}, false
		}
	}
	return since, true
}

// fail records the first failure.
func (v *visit) fail(err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.failed == nil {
		v.failed = err
	}
}

// maxRoutes is how many routes of a page are recorded.
const maxRoutes = 1000

// maxRoute is how many bytes a route may have.
const maxRoute = 4 << 10

// addRoute records where a script wanted the page to go.
func (v *visit) addRoute(address string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || len(address) > maxRoute || len(v.routes) >= maxRoutes ||
		v.known[address] {
		return
	}
	v.known[address] = true
	v.routes = append(v.routes, address)
}

// rendering returns the result of the visit.
func (v *visit) rendering(address, text string, partial bool, took time.Duration) *crawl.Rendering {
	v.mu.Lock()
	defer v.mu.Unlock()
	html := []byte(text)
	if len(html) > crawl.MaxRendered {
		html, partial = bytes.ToValidUTF8(html[:crawl.MaxRendered], nil), true
	}
	return &crawl.Rendering{
		HTML: html, URL: address, Routes: v.routes, Partial: partial, Failed: v.failed, Duration: took,
		Requests: v.requests, Bytes: v.bytes,
	}
}

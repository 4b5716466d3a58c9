package browser

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/mapatools/mapa/crawl"
)

const (
	maxOpen = 4 * time.Second // that a request without an answer keeps a page from being settled
	maxWait = time.Minute     // that the requests of a page wait for their turn, beyond the time of the page
)

// errNoAnswer reports a request that was not answered while the page was open.
var errNoAnswer = errors.New("no answer arrived in time")

// A visit is a page in a tab, with the requests that the browser makes for it.
type visit struct {
	ctx       context.Context // ends with the page
	stop      context.CancelCauseFunc
	begun     chan struct{} // closed when the browser shows the document
	page      crawl.RawPage
	host      string
	origin    string
	transport crawl.RenderTransport

	mu        sync.Mutex
	served    bool
	framed    bool // a frame was asked for: it may have stored something
	open      map[*exchange]bool
	idle      time.Time // when the last request ended
	began     int       // requests
	requests  int       // that were answered by the transport
	bytes     int64
	waiting   int           // requests that wait for their turn
	waits     time.Time     // since when there are some
	waited    time.Duration // before
	failed    *crawl.RenderError
	hasFailed bool   // failed is of the page's own host
	left      string // where a script went first
	routes    []string
	known     map[string]bool // routes
}

// An exchange is a request that waits for its answer.
type exchange struct {
	began time.Time // when it was sent; zero while it waits for its turn
	moved bool      // bytes of the body arrived
	event bool      // the answer is a stream of events, which may never end
	to    *url.URL
}

func newVisit(ctx context.Context, page crawl.RawPage, transport crawl.RenderTransport) (*visit, error) {
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
func (v *visit) begin(to *url.URL) *exchange {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.began++; v.began > maxRequests {
		return nil
	}
	e := &exchange{to: to}
	v.open[e] = true
	return e
}

// leavesTraces reports whether the next page in the tab may notice the page: frames may have stored something,
// and a page that made too many requests may still make some.
func (v *visit) leavesTraces() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.framed || v.began > maxRequests
}

// admit waits for the turn of a request, which is not time of the page.
func (v *visit) admit(r *http.Request, e *exchange) error {
	v.mu.Lock()
	if v.waiting++; v.waiting == 1 {
		v.waits = time.Now()
	}
	v.mu.Unlock()
	err := v.transport.Admit(r)
	v.mu.Lock()
	defer v.mu.Unlock()
	e.began = time.Now()
	if v.waiting--; v.waiting == 0 {
		v.waited += time.Since(v.waits)
	}
	return err
}

// deadline returns when the time of a page that began is over.
func (v *visit) deadline(began time.Time) time.Time {
	v.mu.Lock()
	defer v.mu.Unlock()
	waited := v.waited
	if v.waiting > 0 {
		waited += time.Since(v.waits)
	}
	return began.Add(settleTime + min(waited, maxWait))
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
		if !e.event && (e.moved || e.began.IsZero() || time.Since(e.began) < maxOpen) {
			return time.Time{}, false
		}
	}
	return since, true
}

// fail records the first failure of a request, or the first one of the page's own host.
func (v *visit) fail(to *url.URL, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.failed == nil || !v.hasFailed && to.Hostname() == v.host {
		v.failed, v.hasFailed = &crawl.RenderError{URL: to.String(), Err: err}, to.Hostname() == v.host
	}
}

// leave records where a script wants a visitor to go. The page stays.
func (v *visit) leave(address string) {
	v.addRoute(address)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.left == "" && strings.HasPrefix(address, "http") {
		v.left = address
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
	for e := range v.open {
		if !e.event && !e.moved && v.failed == nil {
			v.failed = &crawl.RenderError{URL: e.to.String(), Err: errNoAnswer}
		}
	}
	html := []byte(text)
	if len(html) > crawl.MaxRendered {
		html, partial = bytes.ToValidUTF8(html[:crawl.MaxRendered], nil), true
	}
	return &crawl.Rendering{
		HTML: html, URL: cmp.Or(v.left, address), Routes: v.routes, Partial: partial, Failed: v.failed, Duration: took,
		Requests: v.requests, Bytes: v.bytes,
	}
}

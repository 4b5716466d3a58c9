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

	"github.com/mapatools/mapa/crawl/render"
	"github.com/mapatools/mapa/internal/urlnorm"
)

const (
	maxOpen = 4 * time.Second // that a request without an answer keeps a page from being settled
	maxWait = time.Minute     // that the requests of a page wait for their turn, beyond the time of the page
)

var (
	// errNoAnswer reports a request that was not answered while the page was open.
	errNoAnswer = errors.New("no answer arrived in time")
	// errStarved reports a page whose time ended because other programs, or other pages, took the processors.
	errStarved = errors.New("the machine gave the browser too little time")
)

// A visit is a page in a tab, with the requests that the browser makes for it.
type visit struct {
	ctx       context.Context // ends with the page
	stop      context.CancelCauseFunc
	begun     chan struct{} // closed when the browser shows the document
	page      render.Page
	host      string
	origin    string
	transport render.Transport
	clock     *clock // of the browser

	// Only render uses these.
	slow   bool // the machine gave the browser too little time
	isLate bool // the page waited for an answer, or for its scripts, when it was asked last

	mu       sync.Mutex
	served   bool
	framed   bool // a frame was asked for: it may have stored something
	shared   bool // a document of another origin may see what the page gets
	open     map[*exchange]bool
	idle     time.Time // when the last request ended
	began    int       // requests
	requests int       // that were answered by the transport
	bytes    int64
	waiting  int           // requests that wait for their turn
	waits    time.Time     // since when there are some
	waited   time.Duration // before
	failures []*render.Error
	left     string // where a script went first
	routes   []string
	known    map[string]bool // routes
}

// eventStream is the media type of a stream of events.
const eventStream = "text/event-stream"

// An exchange is a request that waits for its answer.
type exchange struct {
	began moment // when it was sent; zero while it waits for its turn
	moved bool   // bytes of the body arrived
	event bool   // the answer is, or is to be, a stream of events, which may never begin nor end
	to    *url.URL
}

func newVisit(ctx context.Context, page render.Page, transport render.Transport) (*visit, error) {
	u, err := url.Parse(page.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%q cannot be rendered: %w", page.URL, errors.Join(err, errors.ErrUnsupported))
	}
	ctx, stop := context.WithCancelCause(ctx)
	return &visit{
		ctx: ctx, stop: stop, begun: make(chan struct{}), transport: transport,
		page: page, host: u.Hostname(), origin: originOf(u),
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

// begin notes a request. It returns nil after maxRequests, and the first request after them counts as failed.
func (v *visit) begin(r *http.Request) *exchange {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.began++; v.began > maxRequests {
		if v.began == maxRequests+1 {
			v.failLocked(r.URL.String(), errRequests)
		}
		return nil
	}
	e := &exchange{to: r.URL, event: r.Header.Get("Accept") == eventStream}
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
	e.began = v.clock.now()
	if v.waiting--; v.waiting == 0 {
		v.waited += time.Since(v.waits)
	}
	return err
}

// deadline returns when the time of a page that began is over.
func (v *visit) deadline(began moment) time.Time {
	v.mu.Lock()
	defer v.mu.Unlock()
	waited := v.waited
	if v.waiting > 0 {
		waited += time.Since(v.waits)
	}
	return v.clock.after(began, settleTime+min(waited, maxWait))
}

// isSlow reports whether the machine gave the browser too little time since the page began.
func (v *visit) isSlow(began moment) bool {
	return v.slow || 2*(v.clock.total()-began.lost) > time.Since(began.at)
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
		if !e.event && (e.moved || e.began.IsZero() || v.clock.since(e.began) < maxOpen) {
			return time.Time{}, false
		}
	}
	return since, true
}

// fail records a request that failed or was refused.
func (v *visit) fail(to *url.URL, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.failLocked(to.String(), err)
}

func (v *visit) failLocked(to string, err error) {
	if len(v.failures) < maxRequests {
		v.failures = append(v.failures, &render.Error{URL: to, Err: err})
	}
}

// isPrivate reports whether the answers of a URL may depend on what the user gives for the origin of the page.
func (v *visit) isPrivate(to *url.URL) bool { return v.page.HasCredentials && originOf(to) == v.origin }

// noteFrame notes a request for the document of a frame that is sent.
func (v *visit) noteFrame(to *url.URL) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.framed = true
	v.shared = v.shared || originOf(to) != v.origin
}

// noteRedirectLocked notes an answer of another origin that leads to the origin of the page: it may ask for what
// only the page may see.
func (v *visit) noteRedirectLocked(to *http.Request, answer *http.Response) {
	if answer.StatusCode/100 != 3 || originOf(to.URL) == v.origin {
		return
	}
	base, err := urlnorm.NewBase([]byte(to.URL.String()))
	if err != nil {
		v.shared = true
		return
	}
	location, err := base.AppendResolve(nil, []byte(answer.Header.Get("Location")))
	v.shared = v.shared || err != nil || urlnorm.Origin(string(location)) == v.origin
}

// isOwn reports whether the page itself asks for something of its own origin, which may then carry what the user
// gives for the origin. A document of another origin must not be able to see the answer.
func (v *visit) isOwn(r *http.Request) bool {
	is := v.isPrivate(r.URL) && r.Method != http.MethodOptions
	for name, isOwn := range map[string]func(string) bool{
		"Origin":         func(value string) bool { return value == v.origin },
		"Sec-Fetch-Site": func(value string) bool { return value == "same-origin" },
		"Referer": func(value string) bool {
			from, err := url.Parse(value)
			return err == nil && originOf(from) == v.origin
		},
	} {
		value := r.Header.Get(name)
		is = is && (value == "" || isOwn(value))
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	return is && !v.shared
}

// originOf returns the origin of a URL as browsers write it, or no origin for a URL that they do not open.
func originOf(u *url.URL) string { return u.Scheme + "://" + urlnorm.Host(u.Scheme+"://"+u.Host) }

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

// A document is what a page is in the end, in the words of documentScript.
type document struct {
	URL, HTML, Error string
	Left             []string
}

// rendering returns the result of the visit. Requests that are open without an answer have failed, and after the
// time of the page also those whose answers still arrive.
func (v *visit) rendering(found *document, partial bool, began moment) *render.Result {
	v.mu.Lock()
	defer v.mu.Unlock()
	for e := range v.open {
		if !e.event && (partial || !e.moved) {
			v.failLocked(e.to.String(), errNoAnswer)
		}
	}
	if partial && v.isLate && v.isSlow(began) {
		v.failLocked(v.page.URL, errStarved)
	}
	html := []byte(found.HTML)
	if len(html) > render.MaxHTML {
		html, partial = bytes.ToValidUTF8(html[:render.MaxHTML], nil), true
	}
	return &render.Result{
		HTML: html, URL: cmp.Or(v.left, found.URL), Routes: v.routes, Partial: partial, Failures: v.failures,
		ScriptError: found.Error, Duration: time.Since(began.at), Requests: v.requests, Bytes: v.bytes,
	}
}

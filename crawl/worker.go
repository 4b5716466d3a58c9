package crawl

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// textBlock is how many bytes of link texts share one allocation.
const textBlock = 8 << 10

// longestField is how many bytes of a field of a header are kept: pages wait in
// memory to be committed.
const longestField = 1024

// largestBuffer is what a worker keeps from one page to the next.
const largestBuffer = 1 << 20

// A worker has one request under way and buffers of its own; it shares nothing
// but the crawler.
type worker struct {
	*crawler
	scanner extract.Scanner
	body    []byte
	own     []byte // the address of the page at hand
	base    *urlnorm.Base
	baseURL string
	arena   []byte // addresses and keys of the links of one page
	met     []met
	edges   []Edge
	texts   strings.Builder // of the edges of some pages
	form    [2][]byte
	before  PreviousPage // the page at hand in an earlier crawl; zero without one
	answer  answer       // the last one with a Last-Modified
	cause   error        // why the present page has no answer, or may not be fetched
}

// A met is a link of the page at hand, resolved and judged, before anybody knows
// whether it is new.
type met struct {
	address  span // in the arena
	key      fingerprint
	role     Role
	reason   Reason
	detail   string
	nofollow bool
	session  bool
	given    SeedSource
	hops     int
	edge     int  // of edges; -1 when no edge is kept
	target   bool // the page's own target: a redirect or a canonical address
}

type span struct{ from, to int }

func newWorker(c *crawler) *worker { return &worker{crawler: c} }

// work fetches from a queue until there is nothing more.
func (w *worker) work(ctx context.Context, queue *frontier) {
	for {
		next, ok := w.take(queue)
		if !ok {
			return
		}
		page, done := w.visit(ctx, &next)
		if page.Reason == ReasonListed {
			w.listPlain(&next)
		}
		w.settle(next, page, done)
		w.hand(false)
		w.probe(ctx, longestSilence)
	}
}

// listPlain lists a page that was asked for with parameters that make no
// difference, since the site may need them, without those, so that the sitemap
// does not hang on which session met it.
func (w *worker) listPlain(next *item) {
	if plain := w.plain(next.url); plain != next.url {
		next.asked, next.url, next.moved = next.url, plain, true
	}
}

// plain is an address without the parameters that make no difference.
func (w *worker) plain(address string) string {
	if !strings.ContainsAny(address, "?;") {
		return address
	}
	w.form[1] = urlnorm.AppendKey(w.form[1][:0], []byte(address), urlnorm.KeyOptions{Strip: w.strip})
	if string(w.form[1]) == address {
		return address
	}
	return string(w.form[1])
}

// visit fetches one address and learns what it holds. It is not done when the
// crawl was interrupted.
func (w *worker) visit(ctx context.Context, next *item) (page Page, done bool) {
	w.arena, w.met, w.edges = w.arena[:0], w.met[:0], w.edges[:0]
	page = Page{ID: next.id, Time: time.Now()}
	w.cause = nil
	origin, _ := urlnorm.CutOrigin(next.url)
	rules := w.hosts.rules(ctx, origin)
	if ctx.Err() != nil {
		return page, false
	}
	if verdict := rules.Verdict(next.url); !verdict.Allowed {
		if rules.Err != nil {
			page.Reason, page.Detail, w.cause = ReasonUnreachable, robotsFailure(rules.Err), rules.Err
			return page, true
		}
		page.Reason, page.Detail = ReasonRobots, verdict.String()
		if next.id == 1 {
			w.cause = &ForbiddenError{Line: verdict.Line, Detail: page.Detail}
		}
		return page, true
	}
	if next.role != RolePage {
		w.check(ctx, *next, rules, &page)
		return page, ctx.Err() == nil
	}
	if trap := w.spent(next.url); trap != "" {
		page.Reason, page.Detail = ReasonTrap, trap
		return page, true
	}
	request := fetch.Request{URL: next.url, Buffer: w.body, Delay: rules.Delay}
	var known bool
	w.before, known = w.recall(next.url, &request)
	response, err := w.ask(ctx, next, &request)
	if ctx.Err() != nil {
		return page, false
	}
	w.cause = err
	if response == nil {
		page.Reason, page.Detail = ReasonUnreachable, failure(err)
		return page, true
	}
	w.keep(response.Body)
	w.describe(&page, response)
	if known && response.Status == http.StatusNotModified {
		w.repeat(*next, &page, &w.before)
		return page, true
	}
	w.judge(ctx, *next, &page, response, err)
	return page, true
}

// spent is [trapper.spent].
func (w *worker) spent(address string) string {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.trapper.spent(address)
}

// ask fetches an address. A redirect to another spelling of the same key, such as
// one without its session, is no other page: it is followed at once and becomes
// the item's address.
func (w *worker) ask(ctx context.Context, next *item, request *fetch.Request) (*fetch.Response, error) {
	for tries := 0; ; tries++ {
		response, err := w.client.Fetch(ctx, request)
		if response == nil || response.RedirectTo == "" || tries == w.options.Traps.Redirects {
			return response, err
		}
		base, ok := w.baseOf([]byte(next.url))
		if !ok {
			return response, err
		}
		to, resolveErr := base.AppendResolve(nil, []byte(response.RedirectTo))
		if resolveErr != nil || string(to) == next.url || w.key(to) != w.key([]byte(next.url)) {
			return response, err
		}
		next.url, next.moved = string(to), true
		request.URL, request.IfNoneMatch, request.IfModifiedSince = next.url, "", ""
	}
}

// recall makes a request conditional when an earlier crawl knows the page, as it
// is asked for or as it is listed.
func (w *worker) recall(address string, request *fetch.Request) (PreviousPage, bool) {
	if w.options.Previous == nil {
		return PreviousPage{}, false
	}
	page, ok := w.options.Previous.Lookup(address)
	if plain := w.plain(address); !ok && plain != address {
		page, ok = w.options.Previous.Lookup(plain)
	}
	if ok && page.Status == http.StatusOK {
		request.IfNoneMatch, request.IfModifiedSince = page.ETag, page.LastModified
		return page, page.ETag != "" || page.LastModified != ""
	}
	return PreviousPage{}, false
}

// keep takes the buffer back that a fetch may have grown.
func (w *worker) keep(body []byte) {
	if cap(body) <= largestBuffer {
		w.body = body[:0]
	}
}

func (w *worker) describe(page *Page, response *fetch.Response) {
	page.Status = response.Status
	page.Size, page.Wire = int64(len(response.Body)), response.Wire
	page.Took = response.Duration
	media, _, _ := strings.Cut(response.Header.Get("Content-Type"), ";")
	media = media[:min(len(media), longestField)]
	page.MediaType = strings.ToLower(strings.TrimSpace(media))
	page.ETag, page.LastModified = field(response.Header, "ETag"), field(response.Header, "Last-Modified")
}

// field returns a field of a header that is sent back as it is, or nothing where
// that would be too much.
func field(header http.Header, name string) string {
	value := header.Get(name)
	if len(value) > longestField {
		return ""
	}
	return value
}

// judge decides by the answer; a page is read for its links.
func (w *worker) judge(ctx context.Context, next item, page *Page, response *fetch.Response, err error) {
	switch {
	case response.RedirectTo != "":
		w.redirected(next, page, response.RedirectTo)
	case response.Status >= 300:
		page.Reason, page.Detail = refusal(response)
	case err != nil:
		page.Reason, page.Detail = ReasonUnreachable, failure(err)
	case response.Status != http.StatusOK: // no content, or not yet: a success, and no dead link
		page.Reason, page.Detail = ReasonNotAPage, http.StatusText(response.Status)
	case isHTML(page.MediaType):
		w.read(ctx, next, page, response)
	case isDocument(page.MediaType):
		w.document(next, page, response)
	default:
		page.Reason, page.Detail = ReasonNotAPage, page.MediaType
	}
}

// refusal tells what is broken from what is only refused to a program: for 403,
// 429 and 999, and where a wall against robots stands, a person may see a page.
func refusal(response *fetch.Response) (Reason, string) {
	text := http.StatusText(response.Status)
	switch status := response.Status; {
	case status == 401 || status == 403 || status == 429 || status == 999,
		response.Header.Get("cf-mitigated") != "":
		return ReasonInconclusive, text
	case status >= 500:
		return ReasonServerError, text
	case status > 300 && status < 400 && status != http.StatusNotModified:
		return ReasonClientError, "redirect that names no address"
	}
	return ReasonClientError, text
}

func failure(err error) string {
	var failed *fetch.Error
	if errors.As(err, &failed) {
		return failed.Kind.Error()
	}
	return err.Error()
}

// robotsFailure tells why robots.txt could not be asked for; what is wrong with
// the host is not blamed on that file.
func robotsFailure(err error) string {
	for _, whole := range []fetch.Kind{fetch.KindNoHost, fetch.KindDNS, fetch.KindRefused, fetch.KindUnreachable, fetch.KindProxy, fetch.KindTLS, fetch.KindConnectTimeout, fetch.KindHandshakeTimeout} {
		if errors.Is(err, whole) {
			return whole.Error()
		}
	}
	return "robots.txt: " + failure(err)
}

func isHTML(media string) bool {
	return media == "text/html" || media == "application/xhtml+xml" || media == ""
}

// isDocument reports whether search engines list a file of this type as they do
// pages (https://developers.google.com/search/docs/crawling-indexing/indexable-file-types).
func isDocument(media string) bool {
	switch media {
	case "application/pdf", "application/postscript", "application/rtf", "application/epub+zip", "application/msword",
		"application/vnd.ms-excel", "application/vnd.ms-powerpoint", "text/plain":
		return true
	}
	return strings.HasPrefix(media, "application/vnd.openxmlformats-officedocument.") ||
		strings.HasPrefix(media, "application/vnd.oasis.opendocument.")
}

// redirected makes the target of a redirect known.
func (w *worker) redirected(next item, page *Page, to string) {
	page.Reason, page.Detail = ReasonRedirect, to[:min(len(to), urlnorm.MaxLength)]
	if next.hops+1 > w.options.Traps.Redirects {
		page.Reason, page.Detail = ReasonTrap, trapRedirects
		return
	}
	w.meet([]byte(next.url), []byte(to), met{edge: -1, target: true, hops: next.hops + 1})
}

// check asks whether an asset or a page of another site is there: by HEAD, and by
// GET where the answer to that cannot be believed.
func (w *worker) check(ctx context.Context, next item, rules *fetch.Rules, page *Page) {
	request := fetch.Request{URL: next.url, Head: true, Delay: rules.Delay, Buffer: w.body}
	follower := fetch.Follow(w.client, w.options.Traps.Redirects)
	response, err := follower.Fetch(ctx, &request)
	if response == nil || response.Status >= 400 {
		request.Head, request.Limit = false, 1
		response, err = follower.Fetch(ctx, &request)
	}
	if response == nil {
		page.Reason, page.Detail = ReasonUnreachable, failure(err)
		return
	}
	w.describe(page, response)
	switch {
	case errors.Is(err, fetch.KindRedirectLoop) || errors.Is(err, fetch.KindTooManyRedirects):
		page.Reason, page.Detail = ReasonRedirectLoop, failure(err)
	case response.Status >= 400:
		page.Reason, page.Detail = refusal(response)
	case next.role == RoleExternal:
		page.Reason = ReasonOutOfScope
	default:
		page.Reason, page.Detail = ReasonNotAPage, page.MediaType
	}
}

func basicAuthorization(user string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user))
}

package crawl

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/robots"
)

// maxHeaderField is how many bytes of a header field are kept: pages wait in memory
// to be written.
const maxHeaderField = 1024

const (
	// maxBuffer is the largest buffer that a worker keeps for the next page.
	maxBuffer = 1 << 20
	// maxKeptBody is the largest buffer that a requester keeps for the next body.
	maxKeptBody = 128 << 10
)

// fetched is what the fetch step returns.
type fetched struct {
	item           item            // at the URL that answered
	page           Page            // ID, Time, and what the response says without its body
	response       *fetch.Response // nil without a response
	err            error           // of the request; or why robots.txt does not allow it
	previous       Page            // the page in an earlier crawl; zero if unknown
	previousTarget string          // the URL of its target
	unchanged      bool            // the page has not changed since then
	recalled       bool            // not requested: an earlier crawl knows the answer
	instead        string          // the URL to fetch instead of one that is not requested; mostly empty
	// isRendered says that the body of response is the document that the scripts made.
	isRendered bool
}

// body returns the body of the response, if there is one.
func (f *fetched) body() []byte {
	if f.response == nil {
		return nil
	}
	return f.response.Body
}

// skip notes why a URL is not requested.
func (f *fetched) skip(reason Reason, detail Detail) {
	f.page.Reason, f.page.Detail = reason, detail
}

// fetch asks robots.txt and the trap bounds, then requests the URL, unless an earlier crawl
// knows the answer of another site. It reports false if the crawl was interrupted.
func (r *requester) fetch(ctx context.Context, next item) (fetched, bool) {
	if !next.due.IsZero() && !r.sleep(ctx, time.Until(next.due)) {
		return fetched{}, false
	}
	f := fetched{item: next, page: Page{ID: next.id, Time: time.Now()}}
	if r.recallAnswer(&f) {
		return f, true
	}
	address := r.address.toCrawled(next.url)
	rules := r.hosts.rules(ctx, urlnorm.Origin(address))
	if ctx.Err() != nil {
		return f, false
	}
	if verdict := rules.Verdict(address); !verdict.Allowed {
		f.block(rules, verdict)
		return f, true
	}
	if next.role != RolePage {
		r.check(ctx, &f)
		return f, ctx.Err() == nil
	}
	if r.isExhausted(&f) {
		return f, true
	}
	r.request(ctx, &f, rules.Delay)
	return f, ctx.Err() == nil
}

// isExhausted reports whether the URL is like so many that led to nothing new that it is
// not requested. Without the parameter that is to blame, it may still be new.
func (r *requester) isExhausted(f *fetched) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	trap := r.trapCounts.exhausted(f.item.url)
	if rest, exhausted := r.parameters.exhausted(f.item.url, f.item.isFirst); exhausted {
		trap, f.instead = TrapCanonical, rest
	}
	if trap != TrapNone {
		f.skip(ReasonTrap, trap.Detail())
	}
	return trap != TrapNone
}

// request fetches a page. The request is conditional if an earlier crawl knows it.
func (r *requester) request(ctx context.Context, f *fetched, delay time.Duration) {
	request := fetch.Request{
		URL: f.item.url, Buffer: r.body, Large: r.largeBodies, Delay: delay,
		RetryLater: !r.isLanding(&f.item), Refused: f.item.refused,
	}
	conditional := r.recall(f, &request)
	f.response, f.err = r.followSameKey(ctx, f, &request)
	if f.response == nil || ctx.Err() != nil {
		return
	}
	if body := f.response.Body; cap(body) <= maxKeptBody {
		r.body = body[:0] // the request may have replaced the buffer by a larger one
	}
	f.describe()
	if r.address == nil { // the certificate of a preview says nothing about the public host
		f.page.CertificateEnd = dayOf(f.response.CertificateEnd)
	}
	f.unchanged = conditional && f.response.Status == http.StatusNotModified
}

// isLanding reports whether an item is the start page, or the page that it redirects to.
func (r *requester) isLanding(i *item) bool {
	if i.id == startID || i.redirects == 0 {
		return i.id == startID
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return i.id == r.landing
}

// recall makes a request conditional if an earlier crawl knows all about the page: by
// the URL to request, or by the one that it is listed under.
func (r *requester) recall(f *fetched, request *fetch.Request) bool {
	if r.options.Previous == nil {
		return false
	}
	page, target, ok := r.options.Previous.Lookup(request.URL)
	if stripped := r.normalizer.stripped(request.URL); !ok && stripped != request.URL {
		page, target, ok = r.options.Previous.Lookup(stripped)
	}
	if !ok || !hasContent(page.Status) {
		return false
	}
	f.previous, f.previousTarget = page, target
	if r.options.Shingles && len(page.Shingles) == 0 && page.Words > 0 {
		return false // that crawl did not record them
	}
	if r.mayRender(request.URL, &page) {
		return false
	}
	request.IfNoneMatch, request.IfModifiedSince = page.ETag, page.LastModified
	return page.ETag != "" || page.LastModified != ""
}

// followSameKey sends a request. A redirect to another spelling of the same key, for
// example without a session, is not another page: it is followed at once, and its
// target becomes the URL of the item.
func (r *requester) followSameKey(ctx context.Context, f *fetched, request *fetch.Request) (*fetch.Response, error) {
	for tries := 0; ; tries++ {
		response, err := r.client.Fetch(ctx, request)
		if response == nil || response.RedirectTo == "" || tries == r.options.Traps.Redirects {
			return response, err
		}
		from := []byte(f.item.url)
		to := r.normalizer.absolute(from, []byte(response.RedirectTo))
		if to == nil || string(to) == f.item.url || r.normalizer.key(to) != r.normalizer.key(from) {
			return response, err
		}
		f.item.url, f.item.moved = string(to), true
		address := r.address.toCrawled(f.item.url)
		rules := r.hosts.rules(ctx, urlnorm.Origin(address))
		if verdict := rules.Verdict(address); !verdict.Allowed {
			f.block(rules, verdict)
			return nil, f.err
		}
		request.Delay = rules.Delay
		request.URL, request.IfNoneMatch, request.IfModifiedSince = f.item.url, "", ""
	}
}

// check asks whether an asset or a URL of another site exists: by HEAD, and by GET
// if the response to HEAD is not reliable. The robots.txt of every redirect's target
// is obeyed.
func (r *requester) check(ctx context.Context, f *fetched) {
	follower := fetch.Follow(&mappedFetcher{r.hosts.robots, r.address}, r.options.Traps.Redirects)
	request := fetch.Request{URL: f.item.url, Head: true, RetryLater: true, Refused: f.item.refused}
	f.response, f.err = follower.Fetch(ctx, &request)
	if refused, ok := errors.AsType[*fetch.RobotsError](f.err); ok {
		f.skip(ReasonRobots, refusalDetail(refused))
		return
	}
	if f.response == nil || f.response.Status >= 400 && !isRefusal(f.response.Status) {
		request.Head, request.Limit = false, 1
		f.response, f.err = follower.Fetch(ctx, &request)
	}
	if f.response == nil {
		return
	}
	f.describe()
	if request.Head {
		f.page.Size = announcedSize(f.response.Header)
	}
}

// announcedSize returns the bytes of the body that a response to HEAD announces, or 0 where
// they are not known, as of a body that would be sent compressed.
func announcedSize(header http.Header) int64 {
	size, err := strconv.ParseInt(header.Get("Content-Length"), 10, 64)
	if err != nil || size < 0 || header.Get("Content-Encoding") != "" {
		return 0
	}
	return size
}

// dayOf returns the beginning of the day of a time, in UTC.
func dayOf(at time.Time) time.Time {
	if at.IsZero() {
		return at
	}
	return at.UTC().Truncate(24 * time.Hour)
}

// describe copies what the response says without its body.
func (f *fetched) describe() {
	response, page := f.response, &f.page
	page.Status = response.Status
	page.Size, page.Transferred = int64(len(response.Body)), response.Transferred
	page.Duration = response.Duration
	media, _, _ := strings.Cut(response.Header.Get("Content-Type"), ";")
	media = media[:min(len(media), maxHeaderField)]
	page.MediaType = strings.ToLower(strings.TrimSpace(media))
	page.ETag, page.LastModified = headerField(response.Header, "ETag"), headerField(response.Header, "Last-Modified")
}

// headerField returns a field that is sent back unchanged, or "" if it is too long.
func headerField(header http.Header, name string) string {
	value := header.Get(name)
	if len(value) > maxHeaderField {
		return ""
	}
	return value
}

// callOnPage calls the hook with the response for a page.
func (r *requester) callOnPage(f *fetched) {
	if response := f.response; response != nil && f.item.role == RolePage {
		r.options.OnPage(Response{
			URL:       f.item.url,
			Status:    response.Status,
			Header:    response.Header,
			Body:      response.Body,
			Truncated: response.Truncated,
		})
	}
}

// block notes why robots.txt does not allow a URL. If the host itself cannot be
// reached, that is the reason.
func (f *fetched) block(rules *fetch.Rules, verdict robots.Verdict) {
	if rules.Err != nil {
		f.skip(ReasonUnreachable, robotsFailure(rules.Err))
		f.err = rules.Err
		return
	}
	f.skip(ReasonRobots, robotsDetail(verdict))
	if f.item.id == startID {
		f.err = &ForbiddenError{Line: verdict.Line, Detail: f.page.Detail.String()}
	}
}

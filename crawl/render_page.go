package crawl

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"runtime"
	"strings"

	"github.com/mapatools/mapa/crawl/render"
	"github.com/mapatools/mapa/internal/content"
	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/internal/fetch"
)

// rendersAtOnce returns how many pages are in the browser at once. A page mostly waits until it is settled.
func rendersAtOnce() int { return min(4*runtime.GOMAXPROCS(0), 8) }

// renderPlan is why a page may be rendered, and what it is without its scripts.
type renderPlan struct {
	reason    render.Reason
	isCertain bool // do not ask whether the scripts of pages like it add anything
	isNeeded  bool // the page shows that it needs its scripts
	raw       PageState
	phrase    string // by which the raw page says that it is missing
}

// renderResult is what became of a plan.
type renderResult struct {
	reason   render.Reason
	isTrial  bool
	rendered *Rendered      // nil if the page is not rendered
	document *render.Result // nil if the browser has returned none
	isLeft   bool           // the browser failed: the page waits for the next run
	notFound uint64         // the digest of the rendered page for missing ones, or 0
}

// planRender decides by the response alone whether a page is rendered. It returns nil for a page
// that is not, with the reason in it.
func (w *worker) planRender(f *fetched, x *extracted) *renderPlan {
	if w.options.Renderer == nil {
		return nil
	}
	if x.kind == contentUnchanged {
		x.page.RenderReason = f.previous.RenderReason
		return nil
	}
	if x.kind != contentHTML || f.page.Status != http.StatusOK {
		return nil
	}
	reason, isCertain := w.renderReason(f, x)
	if !isCertain && reason != render.ReasonNoWords && reason != render.ReasonNoLinks {
		x.page.RenderReason = reason
		return nil
	}
	isNeeded := reason != render.ReasonAlways && reason != render.ReasonPattern
	if !isNeeded {
		_, isNeeded = w.renderSignal(x, f.response.Body)
	}
	return &renderPlan{reason, isCertain, isNeeded, w.pageState(x), notFoundPhrase(&x.page)}
}

// renderReason returns why a page is rendered, or why not. It reports false if pages like it
// decide.
func (w *worker) renderReason(f *fetched, x *extracted) (reason render.Reason, isCertain bool) {
	switch {
	case len(x.html.Refresh.URL) > 0 && x.html.Refresh.Delay == 0:
		return render.ReasonRedirect, false
	case forbidsIndex(x.metaRobots, x.page.Time), forbidsIndex(x.headerRobots, x.page.Time):
		return render.ReasonNoIndex, false
	case f.response.Truncated:
		return render.ReasonTooLarge, false
	}
	if pattern := w.options.RenderPattern; pattern != nil {
		switch {
		case pattern.String() == "":
			return render.ReasonAlways, true
		case !matchesAddress(pattern, f.item.url):
			return render.ReasonNoMatch, false
		}
		return render.ReasonPattern, true
	}
	reason, isCertain = w.renderSignal(x, f.response.Body)
	if isCertain || reason == render.ReasonNoSignal {
		return reason, isCertain
	}
	// What an earlier crawl decided about the same page does not depend on others.
	switch before := &f.previous; {
	case before.RenderReason == reason && before.Rendered != nil:
		return reason, true
	case before.RenderReason == render.ReasonAddsNothing && before.Body == x.page.Body:
		return render.ReasonAddsNothing, false
	}
	return reason, false
}

// render carries out a plan. It waits for the pages that decide, and for a place in the browser.
func (r *requester) render(ctx context.Context, f *fetched, plan *renderPlan) (result renderResult) {
	result.reason = plan.reason
	if !plan.isCertain {
		decision := r.trials.begin(ctx, renderPattern(f.item.url), r.progress().Pages)
		if !decision.renders {
			result.reason = decision.why
			return result
		}
		result.isTrial = decision.isTrial
	}
	result.rendered = &Rendered{}
	select {
	case r.renders <- struct{}{}:
		defer func() { <-r.renders }()
	case <-ctx.Done():
		return result
	}
	isLeft, isLimited := r.reserveRender()
	switch {
	case isLeft:
		result.isLeft = true
		return result
	case isLimited:
		if result.rendered.Failure = DetailMaxRender; !plan.isNeeded {
			result.reason, result.rendered = render.ReasonMaxRender, nil
		}
		return result
	}
	document, err := r.runScripts(ctx, r.rawPage(r.address.toCrawled(f.item.url), f.response))
	if err != nil {
		result.rendered.Failure = NewDetail(DetailRenderError, err.Error())
		result.isLeft = errors.Is(err, render.ErrNoRenderer)
		return result
	}
	result.document = document
	result.rendered.Duration, result.rendered.Requests, result.rendered.Bytes =
		document.Duration, document.Requests, document.Bytes
	if f.item.id != startID {
		folder := r.siteFolder(f.item.url)
		result.notFound = r.renderedMissing.digest(folder, func() uint64 { return r.renderMissing(ctx, folder) })
	}
	return result
}

// rawPage returns a page for a browser, as its site sent it.
func (s *state) rawPage(address string, response *fetch.Response) render.Page {
	return render.Page{
		URL: address, Header: response.Header, Body: response.Body,
		HasCredentials: s.renderTransport.hasCredentials(address),
	}
}

// reserveRender counts a page that is rendered, unless the browser has failed or Limits.Render is reached.
func (s *state) reserveRender() (isLeft, isLimited bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	limit := s.options.Limits.Render
	isLeft = s.unrendered != nil && s.unrendered.LacksBrowser()
	isLimited = limit > 0 && s.tally.Rendered >= limit
	if !isLeft && !isLimited {
		s.tally.Rendered++
	}
	return isLeft, isLimited
}

// runScripts gives a page to the browser. Where that fails whatever the page, the crawl ends: the pages that it could
// not render may lead to any number of others.
func (s *state) runScripts(ctx context.Context, page render.Page) (*render.Result, error) {
	document, err := s.options.Renderer.Render(ctx, page, s.renderTransport)
	if errors.Is(err, render.ErrNoRenderer) && ctx.Err() == nil {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		s.unrendered = &UnrenderedError{NewDetail(DetailNoBrowser, err.Error())}
		s.stopLocked()
	}
	return document, err
}

// leaveLocked leaves a page to the next run.
func (s *state) leaveLocked(r *result) {
	s.left++
	if s.unrendered == nil {
		s.unrendered = &UnrenderedError{r.page.Detail}
	}
	s.recordLinkLocked(Link{
		ID: r.item.id, URL: r.item.url, RequestedURL: r.item.asked, From: r.item.from,
		Depth: r.item.depth, Hops: r.item.redirects, Role: r.item.role, Detail: r.page.Detail,
	})
}

// abandonRender gives back a page whose rendering was interrupted. The next run fetches it.
func (r *requester) abandonRender(f *fetched, result *renderResult) {
	if result.isTrial {
		r.trials.end(renderPattern(f.item.url), false, false)
	}
	r.abandonItem(&f.item)
}

// renderMissing requests a page that cannot exist and returns the digest of what its scripts
// show, or 0 if the host answers as it should, or if they lead elsewhere.
func (r *requester) renderMissing(ctx context.Context, folder string) uint64 {
	response := r.hosts.requestMissing(ctx, folder)
	if response == nil || response.Status != http.StatusOK || response.Truncated {
		return 0
	}
	document, err := r.runScripts(ctx, r.rawPage(response.URL, response))
	if err != nil || document.URL != response.URL {
		return 0
	}
	if lack := r.findLack(document); lack.passes() {
		return 0
	}
	return digestOf(document.HTML, renderedType)
}

// renderedType is the media type of a rendered document.
const renderedType = "text/html; charset=utf-8"

// extractResult reads a page again: as its scripts made it, or else as it was sent.
func (w *worker) extractResult(f *fetched, plan *renderPlan, result *renderResult) extracted {
	x, isDone := w.extractRendered(f, plan, result)
	if !isDone {
		x = w.extract(f)
		if result.rendered != nil { // nothing is known of what people see
			x.page.Digest, x.page.Body, x.page.Shingles, x.page.Content = 0, 0, nil, content.Sums{}
		}
	}
	x.page.RenderReason, x.page.Rendered = result.reason, result.rendered
	if result.isTrial {
		after := result.rendered.After
		w.trials.end(renderPattern(f.item.url), isDone && after != nil && after.addsTo(&plan.raw), isDone)
	}
	return x
}

// extractRendered reads a rendered page. It reports false if the page says nothing.
func (w *worker) extractRendered(f *fetched, plan *renderPlan, result *renderResult) (extracted, bool) {
	if result.rendered == nil || result.rendered.Failure != "" {
		return extracted{}, false
	}
	document := result.document
	response := *f.response
	response.Body, response.Header = document.HTML, maps.Clone(f.response.Header)
	response.Header.Set("Content-Type", renderedType)
	made := *f
	made.response, made.isRendered = &response, true
	x := w.extract(&made)
	after, phrase := w.pageState(&x), notFoundPhrase(&x.page)
	lack := w.findLack(document)
	showsMore, stays := after.showsMore(&plan.raw), document.URL == w.address.toCrawled(f.item.url)
	isTolerated := lack.counts() && w.tolerates(lack.failed, x.html.HasContent && phrase == "" && showsMore)
	if lack.counts() && stays && plan.isNeeded && (plan.isCertain || showsMore) {
		x.isKnown = f.item.isLeft || f.previous.Rendered.lacks(requestDetail(lack.failed))
		if !x.html.HasContent && lack.hidesContent(isTolerated, x.isKnown) ||
			x.html.HasContent && phrase != "" && lack.passes() && !isTolerated {
			x.unrendered = requestDetail(lack.failed)
		}
	}
	isEmpty := !x.html.HasText || lack.counts() && !isTolerated
	if x.unrendered == "" && plan.isNeeded && stays && !showsMore && isEmpty {
		result.rendered.Failure = lack.inconclusiveDetail(document)
		w.reset()
		return extracted{}, false
	}
	x.page.Facts.NeedsScript = false
	x.notFound, x.routes = result.notFound, document.Routes
	if phrase != plan.phrase {
		x.phrase = phrase
	}
	if strings.HasPrefix(document.URL, "http") {
		x.scriptTarget = document.URL
	}
	if lack.failed != nil {
		result.rendered.Lacking, result.rendered.Passing = requestDetail(lack.failed), lack.passes()
	}
	if lack.passes() {
		x.page.Digest, x.page.Body, x.page.Shingles, x.page.Content = 0, 0, nil, content.Sums{}
		if before := &f.previous; before.Rendered.Done() { // what the next crawl is compared with
			x.page.Content = before.Content
			x.page.setDates(datesOf(before))
		}
	}
	if after != plan.raw {
		result.rendered.Before, result.rendered.After = &plan.raw, &after
	}
	return x, true
}

// mayRender reports whether a page that an earlier crawl knows may be rendered. That its server
// sends it unchanged says nothing about what its scripts show.
func (s *site) mayRender(address string, before *Page) bool {
	if before.Rendered != nil || !extract.IsHTML(before.MediaType) {
		return before.Rendered != nil
	}
	if pattern := s.options.RenderPattern; pattern != nil {
		return s.options.Renderer != nil && matchesAddress(pattern, address)
	}
	return s.options.Renderer != nil && (before.RenderReason == "" || before.RenderReason == render.ReasonNoMatch)
}

package crawl

import (
	"cmp"
	"context"
	"iter"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/urlnorm"
)

const (
	// pagesPerLook is how many pages there are for each request that only confirms a fault.
	pagesPerLook = 10
	// maxLooks and maxLookBytes bound what waits for such a request.
	maxLooks     = 1000
	maxLookBytes = 4 << 20
	// maxHTTPSTime is how long it may take to ask a host of http for https, which it may not
	// have.
	maxHTTPSTime = 10 * time.Second
	// looksPerTemplate is how many pages of a template are requested again to see whether a change is one.
	looksPerTemplate = 3
)

// A secondLook is a page that is recorded again if one more request confirms a fault of it.
type secondLook struct {
	page   Page   // without links, anchors and shingles
	url    string // to request
	phrase string // by which the page says that it is missing; empty to ask for https
	// isChange asks whether a difference to an earlier crawl is one between any two answers.
	isChange bool
	rank     int // of the page among those of its template that wait
}

// lookList has the pages that wait for a second look. The zero value is empty.
type lookList struct {
	https, missing, changed []secondLook
	asked                   map[string]bool // origins of http
	templates               map[uint32]int  // pages of changed, by their template
	bytes                   int
}

// add adds a look, unless too many wait.
func (l *lookList) add(list *[]secondLook, look secondLook) {
	look.page.Links, look.page.Anchors, look.page.Shingles = nil, nil, nil
	weight := look.page.weight()
	if len(l.https)+len(l.missing)+len(l.changed) < maxLooks && l.bytes+weight <= maxLookBytes {
		l.bytes += weight
		*list = append(*list, look)
	}
}

// noteLooksLocked notes what of a page has to be confirmed by another request: that it is missing,
// as a phrase on it says, and that its host has no https.
func (s *state) noteLooksLocked(address string, page *Page, phrase string) {
	if page.Reason != ReasonListed || page.Facts == nil {
		return
	}
	if phrase != "" {
		s.looks.add(&s.looks.missing, secondLook{page: *page, url: address, phrase: phrase})
	}
	if secure, found := strings.CutPrefix(address, "http:"); found && s.asksHTTPSLocked(urlnorm.Origin(address)) {
		s.looks.add(&s.looks.https, secondLook{page: *page, url: "https:" + secure})
	}
	if d := page.Difference; d != nil && d.IsDoubtful() && s.options.Local.Transport == nil {
		s.looks.addChange(secondLook{page: *page, url: address, isChange: true})
	}
}

// addChange adds a page that may differ in each answer, unless enough of its template wait.
func (l *lookList) addChange(look secondLook) {
	template := urlnorm.Template(look.url)
	if l.templates[template] >= looksPerTemplate {
		return
	}
	if l.templates == nil {
		l.templates = map[uint32]int{}
	}
	look.rank = l.templates[template]
	before := len(l.changed)
	l.add(&l.changed, look)
	l.templates[template] += len(l.changed) - before
}

// replayLooks notes what of the pages of earlier runs has to be confirmed, as far as the store can
// be read.
func (c *crawler) replayLooks(ctx context.Context) error {
	reader, ok := c.store.(interface {
		Pages(context.Context, ...Reason) iter.Seq2[Record, error]
	})
	if !ok || !c.seeded {
		return nil
	}
	for record, err := range reader.Pages(ctx, ReasonListed) {
		if err != nil {
			return err
		}
		page := &record.Page
		page.Facts = page.Facts.withoutLooks()
		c.mutex.Lock()
		c.noteLooksLocked(record.Link.asked(), page, notFoundPhrase(page))
		c.mutex.Unlock()
	}
	return nil
}

// asksHTTPSLocked reports whether the host of an origin of http is to be asked for https,
// which is once.
func (s *state) asksHTTPSLocked(origin string) bool {
	if s.looks.asked[origin] || len(s.looks.asked) >= maxHosts {
		return false
	}
	if s.looks.asked == nil {
		s.looks.asked = map[string]bool{}
	}
	s.looks.asked[origin] = true
	isOwn := s.address != nil || s.options.Local.Transport != nil || urlnorm.IsLoopback(urlnorm.Host(origin))
	return !isOwn && hasDefaultPort(origin)
}

// hasDefaultPort reports whether a normalized origin names no port.
func hasDefaultPort(origin string) bool {
	return !strings.Contains(origin[strings.Index(origin, "//")+2:], ":")
}

// withoutLooks returns facts of an earlier crawl without what a second look has confirmed then.
func (f *Facts) withoutLooks() *Facts {
	isLook := func(fault Fault) bool { return fault.Rule == ruleSoft404Text || fault.Rule == ruleHTTPPage }
	if f == nil || !slices.ContainsFunc(f.Faults, isLook) {
		return f
	}
	kept := *f
	kept.Faults = slices.DeleteFunc(slices.Clone(f.Faults), isLook)
	return &kept
}

// lookAgain confirms faults by further requests, when all pages are done: at most one for ten
// pages, as fast as robots.txt and the rate of the host allow.
func (c *crawler) lookAgain(ctx context.Context) {
	r := newRequester(c.state)
	for _, look := range c.takeLooks() {
		if ctx.Err() != nil || !c.mayLook() {
			return
		}
		if look.isChange {
			c.recordNoise(ctx, r, &look)
		} else if rule, text := r.look(ctx, &look); rule != "" {
			c.recordLook(&look, rule, text)
		}
	}
}

// takeLooks returns the looks that the crawl may take: the same, whatever the order of the pages.
func (c *crawler) takeLooks() []secondLook {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	slices.SortFunc(c.looks.missing, func(a, b secondLook) int { return strings.Compare(a.url, b.url) })
	slices.SortFunc(c.looks.changed, func(a, b secondLook) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), strings.Compare(a.url, b.url))
	})
	looks := slices.Concat(c.looks.https, c.looks.missing, c.looks.changed)
	c.looks = lookList{asked: c.looks.asked}
	return looks[:min(len(looks), (c.tally.Pages+pagesPerLook-1)/pagesPerLook)]
}

// mayLook reports whether nothing but a number of pages has ended the crawl.
func (c *crawler) mayLook() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.failed == nil && !c.outage.detected && (c.tally.Limit == LimitNone || c.tally.Limit == LimitPages)
}

// look requests a page once more. It returns the rule that is broken, and its text, or "".
func (r *requester) look(ctx context.Context, look *secondLook) (rule, text string) {
	isMissing := look.phrase != ""
	if !isMissing {
		limited, cancel := context.WithTimeout(ctx, maxHTTPSTime)
		defer cancel()
		ctx = limited
	}
	response := r.requestAgain(ctx, look.url)
	defer response.Release()
	switch {
	case response == nil:
	case !isMissing:
		return ruleHTTPPage, look.url
	case saysMissing(response) == look.phrase:
		return ruleSoft404Text, look.phrase
	}
	return "", ""
}

// requestAgain requests a page once more. It returns nil unless the site sends it.
func (r *requester) requestAgain(ctx context.Context, url string) *fetch.Response {
	address := r.address.toCrawled(url)
	rules := r.hosts.rules(ctx, urlnorm.Origin(address))
	if !rules.Verdict(address).Allowed {
		return nil
	}
	response, err := r.client.Fetch(ctx, &fetch.Request{
		URL: url, Buffer: r.body, Large: r.largeBodies, Delay: rules.Delay, RetryLater: true,
	})
	if err != nil || response.Status != http.StatusOK || response.Skipped {
		response.Release()
		return nil
	}
	return response
}

// readAgain requests an HTML page once more, and returns what it says now and what it shows: rendered, if it was the
// first time. It reports false where nothing can be compared.
func (r *requester) readAgain(
	ctx context.Context, id ID, url string, isRendered bool,
) (page Page, shown uint64, ok bool) {
	f := fetched{item: item{id: id, url: url}, page: Page{ID: id, Time: time.Now()}}
	if f.response = r.requestAgain(ctx, url); f.response == nil {
		return page, 0, false
	}
	defer f.response.Release()
	f.describe()
	w := r.workers.take()
	x := w.extract(&f)
	if plan := w.planRender(&f, &x); isRendered && plan != nil {
		w.reset()
		r.workers.give(w)
		rendered := r.render(ctx, &f, plan)
		w = r.workers.take()
		if ctx.Err() == nil && !rendered.isLeft {
			x = w.extractResult(&f, plan, &rendered)
		}
	}
	if ok = x.kind == contentHTML && x.page.Rendered.Done() == isRendered && !x.page.Rendered.InDoubt(); ok {
		w.resolveLinks(&x)
		w.sumLinks(&x, &x.page)
	}
	page, shown = x.page, x.page.Content.Shown()
	w.reset()
	r.workers.give(w)
	return page, shown, ok
}

// needsAnswer reports whether a second answer has to tell whether the pictures of a page are random. Those of files are
// not.
func (w *worker) needsAnswer(f *fetched, x *extracted) bool {
	if w.options.Local.Transport != nil || x.page.Rendered.Ran() {
		return false
	}
	content := shownContentOf(f, x)
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.trapCounts.needsAnswer(&content)
}

// askAgain requests a page once more, and notes whether it shows the same. It returns what a worker, which may be
// another one, reads from the first answer.
func (r *requester) askAgain(ctx context.Context, w *worker, f *fetched, x *extracted) (*worker, extracted) {
	content := shownContentOf(f, x)
	w.reset()
	r.workers.give(w)
	if _, shown, ok := r.readAgain(ctx, f.item.id, f.item.url, false); ctx.Err() == nil {
		r.mutex.Lock()
		r.trapCounts.recordAnswer(&content, !ok || shown == content.shown)
		r.mutex.Unlock()
	}
	w = r.workers.take()
	return w, w.extract(f)
}

// saysMissing returns the phrase by which a response says that its page is missing, or "".
func saysMissing(response *fetch.Response) string {
	var scanner extract.Scanner
	html := scanner.Scan(response.Body, response.Header.Get("Content-Type"), extract.Options{})
	return notFoundPhrase(&Page{Title: string(html.Title), Words: html.Words, Facts: &Facts{H1: string(html.H1)}})
}

// recordLook records a page again, with a fault that was confirmed.
func (c *crawler) recordLook(look *secondLook, rule, text string) {
	page := look.page
	facts := *page.Facts
	facts.Faults = slices.Clone(facts.Faults)
	facts.addFault(rule, "", text, 1)
	page.Facts = &facts
	c.recordAgain(page)
}

// recordNoise records a changed page again, if a further answer differs from the first in what changed.
func (c *crawler) recordNoise(ctx context.Context, r *requester, look *secondLook) {
	again, _, ok := r.readAgain(ctx, look.page.ID, look.url, look.page.Rendered.Done())
	if noise := again.Content.Differs(&look.page.Content); ok && noise != 0 {
		page, difference := look.page, *look.page.Difference
		difference.Noise = noise
		page.Difference = &difference
		c.recordAgain(page)
	}
}

// recordAgain records a page in place of what was recorded before.
func (c *crawler) recordAgain(page Page) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.pending.Done = append(c.pending.Done, page)
	c.pending.size += page.weight()
}

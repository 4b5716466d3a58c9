package crawl

import (
	"cmp"
	"context"
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
)

// A secondLook is a page that is recorded again if one more request confirms a fault of it.
type secondLook struct {
	page   Page   // without links, anchors and shingles
	url    string // to request
	phrase string // by which the page says that it is missing; empty to ask for https
}

// lookList has the pages that wait for a second look. The zero value is empty.
type lookList struct {
	https, missing []secondLook
	asked          map[string]bool // origins of http
	bytes          int
}

// add adds a look, unless too many wait.
func (l *lookList) add(list *[]secondLook, look secondLook) {
	look.page.Links, look.page.Anchors, look.page.Shingles = nil, nil, nil
	weight := look.page.weight()
	if len(l.https)+len(l.missing) < maxLooks && l.bytes+weight <= maxLookBytes {
		l.bytes += weight
		*list = append(*list, look)
	}
}

// noteLooksLocked notes what of a page has to be confirmed by another request.
func (s *state) noteLooksLocked(r *result) {
	page := &r.page
	if page.Reason != ReasonListed || page.Facts == nil {
		return
	}
	address := cmp.Or(r.item.asked, r.item.url)
	if r.missing != "" {
		s.looks.add(&s.looks.missing, secondLook{page: *page, url: address, phrase: r.missing})
	}
	if secure, found := strings.CutPrefix(address, "http:"); found && s.asksHTTPSLocked(urlnorm.Origin(address)) {
		s.looks.add(&s.looks.https, secondLook{page: *page, url: "https:" + secure})
	}
}

// asksHTTPSLocked reports whether the host of an origin of http is to be asked for https,
// which is once.
func (s *state) asksHTTPSLocked(origin string) bool {
	isOwn := s.address != nil || s.options.Local.Transport != nil || urlnorm.IsLoopback(urlnorm.Host(origin))
	if isOwn || !hasDefaultPort(origin) || s.looks.asked[origin] || len(s.looks.asked) >= maxHosts {
		return false
	}
	if s.looks.asked == nil {
		s.looks.asked = map[string]bool{}
	}
	s.looks.asked[origin] = true
	return true
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
		if rule, text := r.look(ctx, &look); rule != "" {
			c.recordLook(&look, rule, text)
		}
	}
}

// takeLooks returns the looks that the crawl may take.
func (c *crawler) takeLooks() []secondLook {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	looks := slices.Concat(c.looks.https, c.looks.missing)
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
	address := r.address.toCrawled(look.url)
	rules := r.hosts.rules(ctx, urlnorm.Origin(address))
	if !rules.Verdict(address).Allowed {
		return "", ""
	}
	response, err := r.client.Fetch(ctx, &fetch.Request{
		URL: look.url, Buffer: r.body, Large: r.largeBodies, Delay: rules.Delay, RetryLater: true,
	})
	defer response.Release()
	switch {
	case err != nil || response.Status != http.StatusOK || response.Skipped:
	case !isMissing:
		return ruleHTTPPage, look.url
	case saysMissing(response) == look.phrase:
		return ruleSoft404Text, look.phrase
	}
	return "", ""
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
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.pending.Done = append(c.pending.Done, page)
	c.pending.size += page.weight()
}

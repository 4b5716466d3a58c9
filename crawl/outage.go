package crawl

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/urlnorm"
)

const (
	// outageThreshold is how many URLs in a row may get no answer before the crawl asks
	// whether the site still answers. During refusalTime, refusalThreshold are enough: a
	// site that refuses requests makes them slow.
	outageThreshold  = 20
	refusalThreshold = 3
	refusalTime      = 2 * time.Minute

	// firstProbeWait is the wait after a probe without an answer, which doubles every
	// time. The waits together are at most maxOutageTime, since a server restarts in some
	// seconds, or maxRefusalTime for a site that refuses requests: many count them by the
	// minute.
	firstProbeWait = time.Second
	maxOutageTime  = 8 * time.Second
	maxRefusalTime = time.Minute
)

// outage holds the pages without an answer until it is known whether the pages or the
// site are at fault. During an outage of the site they wait for the next run.
type outage struct {
	unanswered []*unansweredPage // in the order in which they were given up
	retries    retryQueue        // requested once more, since an outage that is over may be the reason
	answered   time.Time         // when the last request with an answer was sent
	probing    bool              // a worker asks whether the site still answers
	detected   bool              // the site does not answer
	refused    int               // the status by which it refuses requests, or 0
}

type unansweredPage struct {
	item  item
	page  Page
	since time.Time // when it was given up
	due   time.Time // not to be requested again before
	final bool      // not to be requested again
}

// isUnanswered reports whether an outage may be the reason of a page.
func (p *Page) isUnanswered() bool {
	return p.Reason == ReasonUnreachable && p.Status == 0 || p.isRefused() ||
		p.Reason == ReasonServerError && isGatewayError(p.Status)
}

// isRefused reports whether the response for a page was to come back later (RFC 6585
// section 4, RFC 9110 section 15.6.4).
func (p *Page) isRefused() bool {
	return p.Reason == ReasonInconclusive && p.Status == http.StatusTooManyRequests ||
		p.Reason == ReasonServerError && p.Status == http.StatusServiceUnavailable
}

// isGatewayError reports whether a status comes from a gateway whose server does not
// answer (RFC 9110, sections 15.6.3 to 15.6.5).
func isGatewayError(status int) bool {
	switch status {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// recordPageLocked finishes the page of a result, or holds it back if it got no answer.
func (s *state) recordPageLocked(r *result) {
	page := &r.page
	switch {
	case page.isUnanswered() && r.item.role != RoleExternal && !r.recalled:
		s.outage.unanswered = append(s.outage.unanswered, s.unansweredLocked(r))
		return
	case page.isRefused() && !r.item.again && LevelOf(s.options.Checks.Policy, r.item.url, page) != LinkSkip:
		// An outage of another site is not one of this site.
		s.retryLocked(s.unansweredLocked(r))
		return
	case r.isUnrendered && !r.item.again:
		now := time.Now()
		s.retryLocked(&unansweredPage{item: r.item, page: *page, since: now, due: now.Add(minRetryWait)})
		return
	case r.isUnrendered && !r.item.isEarlier:
		s.leaveLocked(r)
		return
	case r.item.role == RolePage && page.Status > 0:
		s.outage.answered = page.Time
		s.endOutageLocked(page.Time)
	}
	asksAgain := r.wasGood && page.Reason == ReasonServerError && !r.item.again
	if !asksAgain || !s.outage.retries.pushLast(s.unansweredLocked(r)) {
		s.finishPageLocked(&r.item, page)
	}
}

func (s *state) unansweredLocked(r *result) *unansweredPage {
	hung := isTimeout(r.err) && s.outage.answered.After(r.page.Time) // while the site answered others
	now := time.Now()
	return &unansweredPage{
		item: r.item, page: r.page, since: now, due: now.Add(max(r.retryAfter, minRetryWait)),
		final: hung && !r.wasGood || r.item.again,
	}
}

// isTimeout reports whether a request timed out.
func isTimeout(err error) bool {
	kind, ok := errors.AsType[fetch.Kind](err)
	switch kind {
	case fetch.KindConnectTimeout, fetch.KindHandshakeTimeout, fetch.KindAnswerTimeout, fetch.KindIdleTimeout,
		fetch.KindTotalTimeout, fetch.KindTooSlow:
		return ok
	}
	return false
}

// endOutageLocked takes the pages that were given up before the site answered a request
// sent at the given time. They are requested once more. Those that were are at fault
// themselves, and are finished.
func (s *state) endOutageLocked(answered time.Time) {
	for len(s.outage.unanswered) > 0 && !s.outage.unanswered[0].since.After(answered) {
		first := s.outage.unanswered[0]
		s.outage.unanswered = s.outage.unanswered[1:]
		if first.final {
			s.finishPageLocked(&first.item, &first.page)
		} else {
			s.retryLocked(first)
		}
	}
}

// probe asks whether the site still answers if at least threshold URLs in a row got no
// answer, and ends the crawl if it does not.
func (s *state) probe(ctx context.Context, threshold int) {
	if !s.beginProbe(threshold) {
		return
	}
	asked, refused := s.askSite(ctx)
	var still int
	if !asked.IsZero() {
		still = s.probeRefused(ctx)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.outage.probing = false
	if still != 0 && s.answersOnlyStartLocked() {
		asked, refused = time.Time{}, still
	}
	switch {
	case !asked.IsZero():
		s.endOutageLocked(asked)
		s.wake.Broadcast()
	case ctx.Err() == nil:
		s.outage.refused = refused
		s.reportOutageLocked()
	default:
		s.wake.Broadcast()
	}
}

// askSite requests the start page until the site answers, or has not for some time. It
// returns when the request with the answer was sent, or the zero time and the status by
// which the site refuses requests.
func (s *state) askSite(ctx context.Context) (asked time.Time, refused int) {
	var waited time.Duration
	for wait := firstProbeWait; ; wait *= 2 {
		asked = time.Now()
		answers, response := s.siteAnswers(ctx)
		if answers {
			return asked, 0
		}
		pause, longest := wait, maxOutageTime
		if response != nil && isRefusal(response.Status) {
			refused, longest = response.Status, maxRefusalTime
			pause = max(wait, response.RetryAfter)
		}
		if waited += pause; waited > longest {
			return time.Time{}, refused
		}
		if refused != 0 {
			s.notice(fmt.Sprintf("the site answers %d %s to everything: waiting for %v",
				refused, http.StatusText(refused), pause))
		}
		if !s.sleep(ctx, pause) {
			return time.Time{}, refused
		}
	}
}

// isRefusal reports whether a status refuses requests for a while.
func isRefusal(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

// probeRefused requests one of the refused pages again, while nothing else is requested.
// A second refusal means that the URL is refused, not that the site is overloaded, which
// need not be asked more slowly then. probeRefused returns its status.
func (s *state) probeRefused(ctx context.Context) (status int) {
	refused, ok := s.refusedItem()
	if !ok {
		return 0
	}
	address := s.address.toCrawled(refused.url)
	rules := s.hosts.rules(ctx, urlnorm.Origin(address))
	if !rules.Verdict(address).Allowed {
		return 0
	}
	response, _ := s.client.Fetch(ctx, &fetch.Request{
		URL: refused.url, Limit: 1, Delay: rules.Delay, RetryLater: true, Refused: true,
	})
	if response == nil || !isRefusal(response.Status) {
		return 0
	}
	s.client.Restore(address)
	return response.Status
}

// refusedItem returns the first of the pages that were refused once, if these are many.
func (s *state) refusedItem() (item, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if len(s.outage.unanswered) < refusalThreshold {
		return item{}, false
	}
	at := slices.IndexFunc(s.outage.unanswered, func(p *unansweredPage) bool { return p.page.isRefused() && !p.final })
	if at < 0 {
		return item{}, false
	}
	return s.outage.unanswered[at].item, true
}

// answersOnlyStartLocked reports whether the site refuses every page but the start page,
// and the one that it redirects to.
func (s *state) answersOnlyStartLocked() bool {
	return s.tally.Pages <= 2
}

// beginProbe reports whether a probe is due. Only one runs at a time.
func (s *state) beginProbe(threshold int) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	o := &s.outage
	due := len(o.unanswered) >= threshold ||
		len(o.unanswered) >= refusalThreshold && time.Since(o.unanswered[0].since) >= refusalTime
	due = due && !o.probing && !o.detected && s.failed == nil
	o.probing = o.probing || due
	return due
}

func (s *state) reportOutageLocked() {
	s.outage.detected = true
	s.stopLocked()
}

// siteAnswers requests the start page again and reports whether the site answers well.
// The response is nil when nothing was received.
func (s *state) siteAnswers(ctx context.Context) (bool, *fetch.Response) {
	start := s.address.toCrawled(s.start)
	rules := s.hosts.rules(ctx, urlnorm.Origin(start))
	if !rules.Verdict(start).Allowed {
		return !rules.Failed, nil
	}
	response, _ := s.client.Fetch(ctx, &fetch.Request{URL: s.start, Limit: 1, Delay: rules.Delay, RetryLater: true})
	return response != nil && !isRefusal(response.Status) && !isGatewayError(response.Status), response
}

// checkRobots ends a continued crawl if the site does not deliver its robots.txt.
// Nothing may be requested without it, so every waiting page would count as blocked.
func (s *state) checkRobots(ctx context.Context) {
	start := s.address.toCrawled(s.start)
	rules := s.hosts.rules(ctx, urlnorm.Origin(start))
	s.noticeDelay(rules.AskedDelay, 0)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	cut := ctx.Err() != nil // the limit of time is why there is no robots.txt
	if !cut && rules.Failed && !rules.Verdict(start).Allowed {
		s.reportOutageLocked()
	}
}

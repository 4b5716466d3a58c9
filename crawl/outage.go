package crawl

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/mapatools/mapa/internal/fetch"
)

const (
	// outageThreshold is how many URLs in a row may get no answer before the crawl asks
	// whether the site still answers. During refusalTime, refusalThreshold are enough: a
	// site that refuses requests makes them slow.
	outageThreshold  = 20
	refusalThreshold = 3
	refusalTime      = 2 * time.Minute

	// firstProbeWait is the wait after a probe without an answer. It doubles up to
	// lastProbeWait: a server restarts in some seconds.
	firstProbeWait = time.Second
	lastProbeWait  = 4 * time.Second
)

// outage holds the pages without an answer until it is known whether the pages or the
// site are at fault. During an outage of the site they wait for the next run.
type outage struct {
	unanswered []unansweredPage // in the order in which they were given up
	retries    retryQueue       // requested once more, since an outage that is over may be the reason
	answered   time.Time        // when the last request with an answer was sent
	probing    bool             // a worker asks whether the site still answers
	detected   bool             // the site does not answer
	refused    int              // the status by which it refuses requests, or 0
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
	return p.Reason == ReasonUnreachable && p.Status == 0 || p.Status == http.StatusTooManyRequests ||
		p.Reason == ReasonServerError && isGatewayError(p.Status)
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
	if r.item.role != RoleExternal && page.isUnanswered() {
		now := time.Now()
		hung := isTimeout(r.err) && s.outage.answered.After(page.Time) // while the site answered others
		s.outage.unanswered = append(s.outage.unanswered, unansweredPage{
			item: r.item, page: *page, since: now, due: now.Add(r.retryAfter),
			final: hung || !r.item.retryAt.IsZero(),
		})
		return
	}
	if r.item.role == RolePage && page.Status > 0 {
		s.outage.answered = page.Time
		s.endOutageLocked(page.Time)
	}
	s.finishPageLocked(r.item.role, page)
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
			s.finishPageLocked(first.item.role, &first.page)
			continue
		}
		s.outage.retries.push(first)
	}
}

// finishRetriesLocked finishes the pages that wait to be requested once more.
func (s *state) finishRetriesLocked() {
	for {
		next, ok := s.outage.retries.pop()
		if !ok {
			return
		}
		s.finishPageLocked(next.item.role, &next.page)
	}
}

// probe asks whether the site still answers if at least threshold URLs in a row got no
// answer, and ends the crawl if it does not.
func (s *state) probe(ctx context.Context, threshold int) {
	if !s.beginProbe(threshold) {
		return
	}
	asked, refused := s.askSite(ctx)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.outage.probing = false
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

// askSite requests the start page until the site answers, or has not for some seconds.
// It returns when the request with the answer was sent, or the zero time and the status
// by which the site refuses requests.
func (s *state) askSite(ctx context.Context) (asked time.Time, refused int) {
	for wait := firstProbeWait; ; wait *= 2 {
		asked = time.Now()
		answers, refused := s.siteAnswers(ctx)
		switch {
		case answers:
			return asked, 0
		case refused != 0, wait > lastProbeWait, !s.sleep(ctx, wait):
			return time.Time{}, refused
		}
	}
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

// siteAnswers requests the start page again. It returns the status by which the site
// refuses requests, or 0.
func (s *state) siteAnswers(ctx context.Context) (answers bool, refused int) {
	start := s.address.toCrawled(s.start)
	rules := s.hosts.rules(ctx, originOf(start))
	if !rules.Verdict(start).Allowed {
		return !rules.Failed, 0
	}
	response, _ := s.client.Fetch(ctx, &fetch.Request{
		URL: s.start, Limit: 1, Delay: rules.Delay, MaxRetryAfter: maxRetryWait,
	})
	switch {
	case response == nil:
		return false, 0
	case response.Status == http.StatusTooManyRequests:
		return false, response.Status
	}
	return !isGatewayError(response.Status), 0
}

// checkRobots ends a continued crawl if the site does not deliver its robots.txt.
// Nothing may be requested without it, so every waiting page would count as blocked.
func (s *state) checkRobots(ctx context.Context) {
	start := s.address.toCrawled(s.start)
	rules := s.hosts.rules(ctx, originOf(start))
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if rules.Failed && !rules.Verdict(start).Allowed {
		s.reportOutageLocked()
	}
}

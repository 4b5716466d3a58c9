package crawl

import (
	"context"
	"net/http"
	"time"

	"github.com/mapatools/mapa/internal/fetch"
)

// outageThreshold is how many URLs in a row may get no answer before the crawl asks
// whether the site still answers.
const outageThreshold = 20

// outage holds the pages without an answer until it is known whether the pages or the
// site are at fault. During an outage of the site they wait for the next run.
type outage struct {
	unanswered []unansweredPage // in the order in which they were given up
	probing    bool             // a worker asks whether the site still answers
	detected   bool             // the site does not answer
}

type unansweredPage struct {
	role  Role
	page  Page
	since time.Time // when it was given up
}

// isUnanswered reports whether an outage may be the reason of a page.
func (p *Page) isUnanswered() bool {
	return p.Reason == ReasonUnreachable && p.Status == 0 ||
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

// recordPageLocked finishes a page, or holds it back if it got no answer.
func (s *state) recordPageLocked(role Role, page *Page) {
	if role != RoleExternal && page.isUnanswered() {
		s.outage.unanswered = append(s.outage.unanswered, unansweredPage{role, *page, time.Now()})
		return
	}
	if role == RolePage && page.Status > 0 {
		s.endOutageLocked(page.Time)
	}
	s.finishPageLocked(role, page)
}

// endOutageLocked finishes the pages that were given up before the site answered a
// request sent at the given time: they are at fault themselves.
func (s *state) endOutageLocked(answered time.Time) {
	for len(s.outage.unanswered) > 0 && !s.outage.unanswered[0].since.After(answered) {
		first := &s.outage.unanswered[0]
		s.finishPageLocked(first.role, &first.page)
		s.outage.unanswered = s.outage.unanswered[1:]
	}
}

// probe asks whether the site still answers if at least threshold URLs in a row got no
// answer, and ends the crawl if it does not.
func (s *state) probe(ctx context.Context, threshold int) {
	if !s.beginProbe(threshold) {
		return
	}
	asked := time.Now()
	answers := s.siteAnswers(ctx)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.outage.probing = false
	switch {
	case answers:
		s.endOutageLocked(asked)
		s.wake.Broadcast()
	case ctx.Err() == nil:
		s.reportOutageLocked()
	default:
		s.wake.Broadcast()
	}
}

// beginProbe reports whether a probe is due. Only one runs at a time.
func (s *state) beginProbe(threshold int) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	o := &s.outage
	due := len(o.unanswered) >= threshold && !o.probing && !o.detected && s.failed == nil
	o.probing = o.probing || due
	return due
}

func (s *state) reportOutageLocked() {
	s.outage.detected = true
	s.stopLocked()
}

// siteAnswers requests the start page again.
func (s *state) siteAnswers(ctx context.Context) bool {
	rules := s.hosts.rules(ctx, originOf(s.start))
	if !rules.Verdict(s.start).Allowed {
		return !rules.Failed
	}
	response, _ := s.client.Fetch(ctx, &fetch.Request{URL: s.start, Limit: 1, Delay: rules.Delay})
	return response != nil && !isGatewayError(response.Status)
}

// checkRobots ends a continued crawl if the site does not deliver its robots.txt.
// Nothing may be requested without it, so every waiting page would count as blocked.
func (s *state) checkRobots(ctx context.Context) {
	rules := s.hosts.rules(ctx, originOf(s.start))
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if rules.Failed && !rules.Verdict(s.start).Allowed {
		s.reportOutageLocked()
	}
}

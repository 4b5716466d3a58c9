package crawl

import (
	"context"
	"net/http"
	"time"

	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// longestSilence is how many addresses in a row may go without an answer before
// the site is asked whether it is still there.
const longestSilence = 20

// A silence is what went without an answer since the site was last known to be
// there. Nothing is decided about that until it is known whether the pages are at
// fault: where the site itself has gone, they wait for the next run.
type silence struct {
	missed  []missed // in the order in which they were given up
	probing bool     // a worker asks whether the site is still there
	gone    bool     // it is not
}

type missed struct {
	role  Role
	page  Page
	since time.Time // when it was given up
}

// unanswered reports whether a page may lack an answer because the site gives
// none.
func (p *Page) unanswered() bool {
	return p.Reason == ReasonUnreachable && p.Status == 0 || p.Reason == ReasonServerError && isGateway(p.Status)
}

// isGateway reports whether a status is that of a server in front of one that
// does not answer (RFC 9110, sections 15.6.3 to 15.6.5).
func isGateway(status int) bool {
	return status == http.StatusBadGateway || status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout
}

// note takes in what became of an address: at once, unless it went without an
// answer. The caller holds the lock.
func (c *crawler) note(role Role, page *Page) {
	if role != RoleExternal && page.unanswered() {
		c.silence.missed = append(c.silence.missed, missed{role, *page, time.Now()})
		return
	}
	if role == RolePage && page.Status > 0 {
		c.endSilence(page.Time)
	}
	c.finish(role, page)
}

// endSilence finds the pages at fault that had been given up when something was
// asked for that was answered. The caller holds the lock.
func (c *crawler) endSilence(asked time.Time) {
	for len(c.silence.missed) > 0 && !c.silence.missed[0].since.After(asked) {
		c.finish(c.silence.missed[0].role, &c.silence.missed[0].page)
		c.silence.missed = c.silence.missed[1:]
	}
}

// probe asks whether the site is still there when so many addresses in a row
// went without an answer, and ends the crawl when it is not.
func (c *crawler) probe(ctx context.Context, least int) {
	c.mutex.Lock()
	s := &c.silence
	due := len(s.missed) >= least && !s.probing && !s.gone && c.failed == nil
	s.probing = s.probing || due
	c.mutex.Unlock()
	if !due {
		return
	}
	asked := time.Now()
	answers := c.answers(ctx)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	s.probing = false
	switch {
	case answers:
		c.endSilence(asked)
	case ctx.Err() == nil:
		s.gone, c.stopped = true, true
	}
	c.wake.Broadcast()
}

// answers asks for the first page of the site once more.
func (c *crawler) answers(ctx context.Context) bool {
	origin, _ := urlnorm.CutOrigin(c.start)
	rules := c.hosts.rules(ctx, origin)
	if !rules.Verdict(c.start).Allowed {
		return !rules.Failed
	}
	response, _ := c.client.Fetch(ctx, &fetch.Request{URL: c.start, Limit: 1, Delay: rules.Delay})
	return response != nil && !isGateway(response.Status)
}

// resume ends a crawl that is to go on while the site does not even deliver its
// robots.txt: without that nothing may be asked for, and every page that waits
// would be found forbidden.
func (c *crawler) resume(ctx context.Context) {
	origin, _ := urlnorm.CutOrigin(c.start)
	rules := c.hosts.rules(ctx, origin)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if rules.Failed && !rules.Verdict(c.start).Allowed {
		c.silence.gone, c.stopped = true, true
	}
}

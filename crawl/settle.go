package crawl

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
)

// settle makes what a worker learnt part of the crawl: new addresses get IDs and
// places in the queues, and the page enters the pending commit together with
// them. It is the one critical section of a page.
func (w *worker) settle(next item, page Page, done bool) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.working--
	if !done {
		w.wake.Broadcast()
		return
	}
	if next.id == 1 {
		w.checkStart(&page)
	}
	if next.moved {
		w.pending.Found = append(w.pending.Found, Link{
			ID: next.id, URL: next.url, Asked: next.asked, From: next.from, Depth: next.depth, Hops: next.hops, Role: next.role,
		})
	}
	for i := range w.met {
		m := &w.met[i]
		id := w.admit(next, m)
		if m.target && page.Target == 0 {
			page.Target = id
		}
		if m.edge >= 0 {
			w.edges[m.edge].To = id
		}
	}
	if len(w.edges) > 0 {
		page.Links = append([]Edge(nil), w.edges...)
	}
	if page.Reason == ReasonRedirect && page.Status/100 == 3 {
		w.closeLoop(&page)
	}
	w.note(next.role, &page)
	w.wake.Broadcast()
}

// finish enters a page into the pending commit.
func (c *crawler) finish(role Role, page *Page) {
	c.count(page)
	if role == RolePage && !page.unasked() {
		c.tally.Pages++
	}
	c.pending.Done = append(c.pending.Done, *page)
	if limit := c.options.Limits.Bytes; limit > 0 && c.tally.Bytes >= limit {
		c.limit(LimitBytes)
	}
}

// A hop is a redirect that was seen.
type hop struct {
	target ID
	status int
}

const longestLoop = 100

// closeLoop takes a redirect in. When it is the last of a loop, every page of the
// loop is done once more, with that as its reason.
func (c *crawler) closeLoop(page *Page) {
	c.redirects[page.ID] = hop{page.Target, page.Status}
	members := []ID{}
	for at := page.Target; at != page.ID; {
		next, ok := c.redirects[at]
		if !ok || len(members) == longestLoop {
			return
		}
		members = append(members, at)
		at = next.target
	}
	const detail = "leads back to itself"
	for _, id := range members {
		was := c.redirects[id]
		c.pending.Done = append(c.pending.Done, Page{
			ID: id, Time: page.Time, Status: was.status, Reason: ReasonRedirectLoop, Detail: detail, Target: was.target,
		})
		c.tally.Redirects--
		c.tally.Broken++
	}
	page.Reason, page.Detail = ReasonRedirectLoop, detail
	if c.failed == nil && (page.ID == 1 || slices.Contains(members, 1)) {
		c.failed = fmt.Errorf("%w: %s: it %s", ErrStart, c.start, detail)
		c.stopped = true
	}
}

// admit returns the ID of an address, and takes it in when it is new.
func (w *worker) admit(next item, m *met) ID {
	id, added := w.seen.add(m.key, w.last+1)
	if m.session {
		w.tally.Sessions++
	}
	if !added {
		if m.detail == TrapLinks {
			w.tally.Crowded++
		}
		if link, held := w.held[id]; held && !m.nofollow && m.reason == ReasonListed {
			delete(w.held, id)
			link.Reason = ReasonListed
			w.pending.Found = append(w.pending.Found, link)
			w.queue(link.item())
		}
		return id
	}
	w.last = id
	address := w.arena[m.address.from:m.address.to]
	if m.detail == trapLength {
		address = address[:min(len(address), w.options.Traps.Length)]
	}
	link := Link{ID: id, URL: string(address), From: next.id, Depth: next.depth + 1, Hops: m.hops, Role: m.role, Reason: m.reason, Detail: m.detail}
	later := link.item()
	if m.role == RolePage && link.Reason == ReasonListed {
		w.limitPage(next, address, &link, &later)
	}
	if link.Reason == ReasonListed && m.nofollow {
		link.Reason = ReasonNofollow
		w.held[id] = link
	}
	w.pending.Found = append(w.pending.Found, link)
	if link.Reason == ReasonListed {
		w.queue(later)
	}
	return id
}

// limitPage applies the limits and the traps that need counting to a new page.
func (w *worker) limitPage(next item, address []byte, link *Link, later *item) {
	w.form[0], w.form[1] = form(address, w.form[0][:0]), form([]byte(next.url), w.form[1][:0])
	if bytes.Equal(w.form[0], w.form[1]) && next.id != link.ID {
		later.run = next.run + 1
		if w.trapper.calendar([]byte(next.url), address) {
			link.Reason, link.Detail = ReasonTrap, trapCalendar
			return
		}
	}
	if limit := w.options.Limits.Depth; limit > 0 && link.Depth > limit {
		link.Reason, link.Detail = ReasonLimit, "max-depth"
		return
	}
	if later.run > w.options.Traps.Chain {
		link.Reason, link.Detail = ReasonTrap, trapChain
		return
	}
	if trap := w.trapper.count(address); trap != "" {
		link.Reason, link.Detail = ReasonTrap, trap
	}
}

func (c *crawler) queue(i item) {
	queue := &c.pages
	if i.role != RolePage {
		queue = &c.checks
	}
	if err := queue.push(i); err != nil {
		c.broke(err)
	}
}

// count adds what became of an address to the figures.
func (c *crawler) count(page *Page) {
	t := &c.tally
	if page.Status > 0 || page.Reason == ReasonUnreachable {
		t.Requests++
	}
	t.Bytes += page.Wire
	switch {
	case page.Broken():
		t.Broken++
	case page.Reason == ReasonRedirect:
		t.Redirects++
	case page.Reason == ReasonRobots:
		t.Blocked++
	case page.Reason == ReasonListed:
		t.Listed++
	}
}

// checkStart ends the crawl when its first page leads nowhere.
func (w *worker) checkStart(page *Page) {
	c := w.crawler
	var err error
	switch {
	case page.Reason == ReasonUnreachable, page.Reason == ReasonClientError, page.Status >= 400, page.Reason == ReasonNotAPage && page.Status != http.StatusOK:
		err = &StartError{URL: c.start, Status: startStatus(page), Err: w.cause, Detail: startProblem(page)}
	case page.Reason == ReasonRobots:
		err = w.cause
	case page.Reason == ReasonRedirect && page.Status/100 == 3:
		to := []byte(page.Detail)
		if bytes.HasPrefix(to, []byte("http")) && !c.territory.holds(to) {
			err = &MovedError{page.Detail}
		}
	case page.Reason == ReasonNotAPage:
		err = fmt.Errorf("%w: %s: it is no page but %s", ErrStart, c.start, page.MediaType)
	}
	if err != nil && c.failed == nil {
		c.failed = err
		c.stopped = true
	}
}

// startStatus returns the status that the start page failed with, or 0 where there was
// no whole answer.
func startStatus(page *Page) int {
	if page.Reason == ReasonUnreachable {
		return 0
	}
	return page.Status
}

func startProblem(page *Page) string {
	if status := startStatus(page); status > 0 {
		return fmt.Sprintf("the server answers %d %s", status, http.StatusText(status))
	}
	return page.Detail
}

package crawl

import "bytes"

// settle takes the result of a page into the shared state, in one critical section:
// new URLs get IDs and enter the queues, and the page enters the pending batch
// together with them.
func (w *worker) settle(r *result) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.awaitStoreLocked()
	w.inFlight--
	page := &r.page
	if r.item.id == w.landing {
		w.checkStartLocked(&r.item, page, r.err)
	}
	if r.item.moved {
		w.recordLinkLocked(Link{
			ID: r.item.id, URL: r.item.url, Asked: r.item.asked, From: r.item.from,
			Depth: r.item.depth, Hops: r.item.redirects, Role: r.item.role,
		})
	}
	for i := range r.links {
		link := &r.links[i]
		id := w.addLinkLocked(&r.item, link)
		if link.isTarget && page.Target == 0 {
			page.Target = id
		}
		if link.edge != noEdge {
			r.edges[link.edge].To = id
		}
	}
	if len(r.edges) > 0 {
		page.Links = append([]Edge(nil), r.edges...)
	}
	if page.Reason == ReasonRedirect && page.Status/100 == 3 {
		w.recordRedirectLocked(page)
	}
	if r.item.id == w.landing && page.Reason == ReasonRedirect && page.Target != 0 {
		w.followStartLocked(page)
	}
	w.recordPageLocked(r)
	w.wake.Broadcast()
}

// addLinkLocked returns the ID of a link's URL. A new URL is recorded, and queued if it
// is to be fetched.
func (w *worker) addLinkLocked(from *item, link *resolvedLink) ID {
	id, added := w.seen.add(link.url.key, w.lastID+1)
	if !added {
		w.addKnownLocked(from, id, link)
		return id
	}
	w.lastID = id
	w.addNewLocked(from, id, link)
	return id
}

// addNewLocked records the URL of a link, and queues it if it is to be fetched.
func (w *worker) addNewLocked(from *item, id ID, link *resolvedLink) {
	address := w.resolver.bytes(link.url.at)
	if link.trap == TrapLength {
		address = address[:min(len(address), w.options.Traps.Length)]
	}
	record := Link{
		ID: id, URL: string(address), From: from.id, Depth: from.depth + 1, Hops: link.redirects,
		Role: link.role, Reason: link.reason, Detail: link.detail,
	}
	next := record.item()
	if link.role == RolePage && record.Reason == ReasonListed && link.source != SeedStart {
		w.boundPageLocked(from, address, &record, &next)
	}
	if record.isProvisional() {
		w.provisional.add(id)
	}
	if record.Reason == ReasonListed && link.nofollow {
		record.Reason = ReasonNofollow
		w.nofollowed[id] = record
	}
	w.recordLinkLocked(record)
	if record.Reason == ReasonListed {
		w.queueLocked(next)
	}
}

// addKnownLocked takes in a link to a known URL. If only nofollow links, or links that
// are not followed, led there so far, and this one is another, the URL is queued.
func (w *worker) addKnownLocked(from *item, id ID, link *resolvedLink) {
	if record, ok := w.nofollowed[id]; ok && !link.nofollow && link.reason == ReasonListed {
		delete(w.nofollowed, id)
		record.Reason = ReasonListed
		w.recordLinkLocked(record)
		w.queueLocked(record.item())
	}
	if link.reason == ReasonListed && w.provisional.has(id) {
		w.provisional.remove(id)
		w.addNewLocked(from, id, link)
	}
}

// boundPageLocked applies the depth limit, and the traps that depend on other pages,
// to a new page.
func (w *worker) boundPageLocked(from *item, address []byte, record *Link, next *item) {
	trap := TrapNone
	w.patterns[0] = pathPattern(w.patterns[0][:0], address)
	w.patterns[1] = pathPattern(w.patterns[1][:0], []byte(from.url))
	if bytes.Equal(w.patterns[0], w.patterns[1]) && from.id != record.ID {
		next.chainLength = from.chainLength + 1
		trap = w.traps.detectCalendar([]byte(from.url), address)
	}
	limit := w.options.Limits.Depth
	switch {
	case trap != TrapNone:
	case limit > 0 && record.Depth > limit:
		record.Reason, record.Detail = ReasonLimit, detailMaxDepth
		return
	case next.chainLength > w.options.Traps.Chain:
		trap = TrapChain
	default:
		trap = w.trapCounts.countURL(address)
	}
	if trap != TrapNone {
		record.Reason, record.Detail = ReasonTrap, trap.Detail()
	}
}

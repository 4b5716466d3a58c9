package crawl

import (
	"bytes"
	"cmp"
	"slices"
)

// settle takes the result of a page into the shared state, in one critical section:
// new URLs get IDs and enter the queues, and the page enters the pending batch
// together with them.
func (w *worker) settle(r *result) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.awaitStoreLocked()
	w.endLocked(&r.item)
	page := &r.page
	if r.item.id == w.landing {
		w.checkStartLocked(r)
	}
	if r.item.moved || r.item.isLeft {
		w.recordLinkLocked(Link{
			ID: r.item.id, URL: r.item.url, RequestedURL: r.item.asked, From: r.item.from,
			Depth: r.item.depth, Hops: r.item.redirects, Role: r.item.role,
		})
	}
	w.countParametersLocked(r)
	w.countMonthLocked(r)
	for i := range r.links {
		link := &r.links[i]
		id := w.addLinkLocked(&r.item, link)
		page.TooManyLinks = page.TooManyLinks || id == 0
		if link.isTarget && page.Target == 0 {
			page.Target = id
		}
		if link.edge != noEdge {
			edge := &r.edges[link.edge]
			if edge.To != 0 && link.id == 0 && id != 0 {
				w.earlier.note(edge, link, id)
			}
			edge.To = id
		}
	}
	page.Links = foundEdges(r.edges)
	switch {
	case page.Extensions == nil:
	case w.canExpandLocked(r.expands):
		w.expanded += int64(r.expands)
	default:
		page.Extensions, page.TooManyLinks = nil, true
	}
	if page.Reason == ReasonRedirect {
		w.trapCounts.inheritContent(r.item.id, r.item.from)
		if page.Status/100 == 3 {
			w.recordRedirectLocked(page)
		}
	}
	byBrowser := page.Detail == DetailScript && page.Rendered != nil
	if r.item.id == w.landing && page.Reason == ReasonRedirect && !byBrowser && page.Target != 0 {
		w.followStartLocked(page)
	}
	w.noteLooksLocked(cmp.Or(r.item.asked, r.item.url), page, r.missing)
	w.recordPageLocked(r)
	w.wake.Broadcast()
}

// countParametersLocked notes what a page says about the parameters of its URL, and the
// links of the page before they are known.
func (w *worker) countParametersLocked(r *result) {
	w.isDependent = false
	if r.item.role != RolePage || r.item.isEarlier {
		return
	}
	var dropped parameterSet
	var canonical fingerprint
	switch r.page.Reason {
	case ReasonListed, ReasonNoList:
		w.parameters.keep(w.resolver.stripped(r.item.url))
	case ReasonCanonical:
		if len(r.links) > 0 && r.links[0].isTarget { // it is the first, if it is valid
			canonical = r.links[0].url.key
			to := string(w.resolver.bytes(r.links[0].url.at))
			dropped = w.parameters.drop(w.resolver.stripped(r.item.url), w.resolver.stripped(to))
		}
	}
	if len(w.parameters.dropped) == 0 {
		return
	}
	found := w.parameters.foundThrough(w.resolver.key([]byte(r.item.url)))
	w.isDependent = dropped|found != 0
	if dropped != 0 {
		w.offerLocked(&r.item)
	}
	for i := range r.links {
		link := &r.links[i]
		if link.isTarget || link.role != RolePage || link.reason != ReasonListed || link.nofollow {
			continue
		}
		if link.id != 0 {
			continue // no parameter was dropped when the links of the page were read
		}
		key, address := link.url.key, ""
		if at := w.resolver.bytes(link.url.at); bytes.IndexByte(at, '?') >= 0 {
			address = w.parameters.without(string(at))
			key = w.resolver.key([]byte(address))
		}
		if key != canonical {
			known := w.seen.get(key) != 0 || w.seen.get(link.url.key) != 0
			w.parameters.recordLink(key, address, known, dropped, found)
		}
	}
}

// foundEdges returns a copy of the edges that lead to a URL with an ID.
func foundEdges(edges []Edge) []Edge {
	if len(edges) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(edges), func(e Edge) bool { return e.To == 0 })
}

// addLinkLocked returns the ID of a link's URL. A new URL is recorded, and queued if it
// is to be fetched. One that would take too much room has the ID 0.
func (w *worker) addLinkLocked(from *item, link *resolvedLink) ID {
	if w.options.Scope.OnlySeeds {
		link.limitToSeeds()
	}
	if link.id != 0 {
		w.addKnownLocked(from, link.id, link)
		return link.id
	}
	var id ID
	added := false
	if w.canAddLocked(link) && !(from.isEarlier && link.reason == ReasonAdded) {
		id, added = w.seen.add(link.url.key, w.lastID+1)
	} else {
		id = w.seen.get(link.url.key)
	}
	switch {
	case added:
		w.lastID = id
		w.expanded += int64(link.url.expands)
		w.addNewLocked(from, id, link)
	case id != 0 && !from.isEarlier:
		w.addKnownLocked(from, id, link)
	}
	return id
}

// addNewLocked records the URL of a link, and queues it if it is to be fetched.
func (w *worker) addNewLocked(from *item, id ID, link *resolvedLink) {
	address := w.resolver.bytes(link.url.at)
	if link.trap == TrapLength {
		address = address[:min(len(address), w.options.Traps.Length)]
	}
	record := Link{
		ID: id, URL: string(address), From: from.id, Depth: link.depth(from), Hops: link.redirects,
		Role: link.role, Reason: link.reason, Detail: link.detail,
	}
	if record.Reason == ReasonListed && link.nofollow {
		record.Reason = ReasonNofollow
	}
	next := record.item()
	if record.Reason == ReasonListed && link.role == RolePage && link.source != SeedStart && !w.pages.waits(id) {
		w.boundPageLocked(from, address, &record, &next)
	}
	switch {
	case record.Reason == ReasonNofollow:
		w.nofollowed.Add(id)
	case record.isProvisional():
		w.provisional.Add(id)
	}
	w.recordLinkLocked(record)
	if next.isEarlier = from.isEarlier; next.isEarlier {
		w.pending.Seeds = append(w.pending.Seeds, Link{ID: id, SeededBy: SeedEarlier})
	}
	if record.Reason == ReasonListed {
		w.queueLocked(next)
	}
}

// addKnownLocked records a link to a known URL. If only nofollow links, or links that
// are not followed, led there so far, and this one is another, the URL is queued. So is one
// that this link makes nearer.
func (w *worker) addKnownLocked(from *item, id ID, link *resolvedLink) {
	isNearer := link.role == RolePage && w.pages.isNearer(id, link.depth(from))
	isLeft := link.role == RolePage && link.edge != noEdge && w.trapCounts.linkKnown(from.id, id)
	isNew := isLeft || w.provisional.Has(id) || !link.nofollow && (isNearer || w.nofollowed.Has(id))
	if link.reason == ReasonListed && isNew {
		if link.id != 0 {
			w.readURLLocked(link)
		}
		w.provisional.Remove(id)
		w.nofollowed.Remove(id)
		w.addNewLocked(from, id, link)
	}
}

// boundPageLocked applies the depth limit, and the traps that depend on other pages,
// to a new page.
func (w *worker) boundPageLocked(from *item, address []byte, record *Link, next *item) {
	trap := TrapNone
	// Each link may carry a session of its own.
	w.ends[0] = append(w.ends[0][:0], w.resolver.stripped(record.URL)...)
	w.ends[1] = append(w.ends[1][:0], w.resolver.stripped(from.url)...)
	for i, end := range w.ends {
		w.patterns[i] = pathPattern(w.patterns[i][:0], end)
	}
	if bytes.Equal(w.patterns[0], w.patterns[1]) && from.id != record.ID {
		next.chainLength = from.chainLength + 1
		trap = w.traps.detectCalendar(w.ends[1], w.ends[0])
	}
	next.isDependent = w.isDependent
	next.emptyMonths = w.month.monthsTo(w.ends[0])
	limit := w.options.Limits.Depth
	switch {
	case trap != TrapNone:
	case next.emptyMonths > w.options.Traps.Months:
		trap = TrapMonths
	case limit > 0 && record.Depth > limit:
		record.Reason, record.Detail = ReasonLimit, DetailMaxDepth
		w.pages.setDepth(record.ID, record.Depth)
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

package crawl

// An earlierURL is what this crawl has decided about a URL of an earlier crawl. Links of a page that has not changed
// are added by it, without their URLs.
type earlierURL struct {
	id   uint32    // in this crawl; 0 until a link to the URL was added
	uses [2]urlUse // by the role that the link asks for, RolePage or RoleAsset
}

// urlUse is what happens to a URL because of a link.
type urlUse uint8

const (
	useKnown    urlUse = 1 << iota // the other bits are set
	useListed                      // the reason is ReasonListed
	useExternal                    // the role is RoleExternal
)

// link returns a link with a role to the URL, or false if its URL is needed.
func (u *earlierURL) link(role Role) (resolvedLink, bool) {
	use := u.uses[role]
	link := resolvedLink{id: ID(u.id), role: role}
	if use&useExternal != 0 {
		link.role = RoleExternal
	}
	if use&useListed == 0 {
		link.reason = ReasonNotAPage
	}
	return link, use&useKnown != 0
}

// earlierURLs are the URLs of an earlier crawl by their IDs there.
type earlierURLs []earlierURL

// appendTargets appends what is known of the targets of edges.
func (u earlierURLs) appendTargets(to []earlierURL, edges []Edge) []earlierURL {
	for i := range edges {
		var target earlierURL
		if id := int(edges[i].To); id < len(u) {
			target = u[id]
		}
		to = append(to, target)
	}
	return to
}

// note records the ID and the decision about a link that an edge of an earlier crawl made.
func (u *earlierURLs) note(edge *Edge, link *resolvedLink, id ID) {
	for int(edge.To) >= len(*u) {
		*u = append(*u, earlierURL{})
	}
	use := useKnown
	if link.reason == ReasonListed || link.detail == DetailLinkOnly {
		use |= useListed
	}
	if link.role == RoleExternal {
		use |= useExternal
	}
	known := &(*u)[edge.To]
	known.id, known.uses[edge.Kind.role()] = uint32(id), use
}

// resolveEarlier resolves the links that the unchanged page had in an earlier crawl. Until settle, their edges lead to
// IDs of that crawl.
func (w *worker) resolveEarlier(edges []Edge, v *verdict) {
	w.mutex.Lock()
	w.targets = w.earlier.appendTargets(w.targets[:0], edges)
	needsURLs := len(w.parameters.dropped) > 0
	w.mutex.Unlock()
	// As countParametersLocked and countMonthLocked do.
	needsURLs = needsURLs || v.hasTarget || monthOf([]byte(w.resolver.stripped(string(w.pageURL)))) != 0
	for i := range edges {
		edge := &edges[i]
		role := edge.Kind.role()
		if link, known := w.targets[i].link(role); known && !needsURLs {
			w.addResolved(link, edge)
			continue
		}
		address, err := w.options.Previous.URL(edge.To)
		if err != nil {
			w.fail(err)
			return
		}
		w.addLink(w.pageURL, []byte(address), role, edge)
	}
}

// readURLLocked sets the URL of a link that was added without.
func (w *worker) readURLLocked(link *resolvedLink) {
	address, err := w.options.Previous.URL(w.edges[link.edge].To)
	if err != nil {
		w.failLocked(err)
		return
	}
	link.url, _ = w.resolver.normalize(w.pageURL, []byte(address))
}

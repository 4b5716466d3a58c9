package crawl

import "github.com/mapatools/mapa/internal/extract"

// linkResolver makes links absolute and decides by the URL alone whether, and as
// what, a link is fetched. Its buffers belong to one goroutine.
type linkResolver struct{ normalizer }

// resolvedLink is a link of the current page: normalized and judged by its URL, but
// not looked up yet, so it may lead to a URL that is known.
type resolvedLink struct {
	url       normalURL
	role      Role
	reason    Reason
	detail    Detail
	trap      TrapKind // for ReasonTrap
	nofollow  bool
	isTarget  bool       // the page redirects here or names it as canonical
	source    SeedSource // for seeds
	redirects int        // in a row
	edge      int        // index of its edge, or noEdge
	part      extract.Part
	// id is that of the URL, if an earlierURL has it. Then url is not set, and of the reason only counts whether it is
	// ReasonListed.
	id ID
}

const noEdge = -1

// target is a link from a page to the page that replaces it.
func target() resolvedLink { return resolvedLink{isTarget: true, edge: noEdge} }

// depth returns how many links people follow to get where a link on a page leads: a redirect
// takes them there by itself.
func (l *resolvedLink) depth(from *item) int {
	if l.redirects > 0 {
		return from.depth
	}
	return from.depth + 1
}

// limitToSeeds excludes a page that is no seed and that no redirect leads to.
func (l *resolvedLink) limitToSeeds() {
	if l.reason == ReasonListed && l.role == RolePage && l.source == 0 && l.redirects == 0 {
		l.reason, l.detail = ReasonOutOfScope, DetailNotGiven
	}
}

// resolve fills in the URL of a link and what happens to it. It reports false for
// links that are not valid and for schemes other than http and https.
func (r *linkResolver) resolve(base, raw []byte, link resolvedLink) (resolvedLink, bool) {
	u, ok := r.normalize(base, raw)
	if !ok {
		return link, false
	}
	link.url = u
	if u.tooLong {
		link.setTrap(TrapLength)
	}
	if link.reason == ReasonListed {
		r.classify(r.bytes(u.at), &link)
	}
	return link, true
}

func (l *resolvedLink) setTrap(kind TrapKind) {
	l.reason, l.detail, l.trap = ReasonTrap, kind.Detail(), kind
}

// classify sets the role and the reason of a link by its URL.
func (r *linkResolver) classify(address []byte, link *resolvedLink) {
	if !r.scope.onSite(address) {
		if r.address.onPublicHost(address) {
			link.reason, link.detail = ReasonOutOfScope, NewDetail(DetailOutside, r.address.public.folder)
			return
		}
		link.detail = DetailOtherSite
		if link.role == RolePage {
			link.role = RoleExternal
		}
		if link.role == RoleExternal && !r.options.Checks.External || r.options.Local.Offline {
			link.reason = ReasonOutOfScope
			return
		}
		r.skipCheck(address, link)
		return
	}
	if link.role != RolePage {
		r.skipCheck(address, link)
		return
	}
	if link.reason, link.detail = r.scope.fetchReason(address); link.reason != ReasonListed {
		return
	}
	if trap := r.traps.detect(address); trap != TrapNone {
		link.setTrap(trap)
	}
}

// skipCheck excludes a URL that is only checked where the policy skips all its failures.
func (r *linkResolver) skipCheck(address []byte, link *resolvedLink) {
	if pattern := skippedBy(r.options.Checks.Policy, address); pattern != nil {
		link.reason, link.detail = ReasonExcluded, r.scope.patternDetail(pattern)
	}
}

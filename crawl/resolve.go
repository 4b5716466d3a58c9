package crawl

import (
	"bytes"
	"net/http"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/anchor"
	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/sitemap"
)

// textBlock is how many bytes of link texts share one allocation.
const textBlock = 8 << 10

// result is what the resolve step returns: the page as it is recorded, and its links
// with normalized URLs. The slices belong to the worker.
type result struct {
	item    item  // at the URL that is recorded
	err     error // of the request
	page    Page  // all but Target and Links
	links   []resolvedLink
	edges   []Edge // without To
	expands int    // of the URLs in the extensions; see expansionOf
	missing string // the phrase by which a page says that it is missing; mostly empty

	retryAfter time.Duration // that the response asks for
	recalled   bool          // the answer is one of an earlier crawl
	wasGood    bool          // an earlier crawl got the page

	// isUnrendered says that the page waits for another try, since its site did not send what it shows.
	isUnrendered bool
}

// resolve normalizes the links of a page and decides by their URLs what happens to
// them.
func (w *worker) resolve(f *fetched, x *extracted, v *verdict) result {
	r := result{item: f.item, err: f.err, page: x.page, recalled: f.recalled, wasGood: f.previous.Status != 0}
	r.isUnrendered = x.unrendered != "" && !x.isKnown
	if f.response != nil {
		r.retryAfter = f.response.RetryAfter
	}
	r.page.Reason, r.page.Detail, r.page.Conflict = v.reason, v.detail, v.conflict
	if v.hasTarget {
		w.found = append(w.found, v.target)
	}
	switch {
	case !v.follow:
	case x.kind == contentUnchanged:
		w.resolveEarlier(f.previous.Links, v)
	case x.kind == contentFeed:
		w.resolveFeed(f.response.Body)
	default:
		r.page.TooManyLinks = w.resolveLinks(x)
		w.resolveVersions(x, f.response.Header)
		w.resolveRoutes(x)
		r.page.SessionLinks = w.countSessions()
		if x.kind == contentHTML {
			w.sumLinks(x, &r.page)
		}
	}
	w.findDates(f, x, &r.page)
	if x.kind == contentHTML && (v.reason == ReasonListed || v.reason == ReasonCanonical || v.detail == DetailScript) {
		// The store may yet list a page whose canonical, or the address that its scripts open, redirects back to it.
		r.page.Extensions = w.extensions(x, f.response.Header)
	}
	if v.reason == ReasonListed {
		w.strip(&r.item)
		r.missing = notFoundPhrase(&r.page)
	}
	if f.item.isEarlier {
		r.page.leaveSite()
	}
	r.links, r.edges, r.expands = w.found, w.edges, w.expands
	return r
}

// findDates sets the dates of a page that was read. Those of a page in doubt are set already.
func (w *worker) findDates(f *fetched, x *extracted, page *Page) {
	if x.kind != contentHTML && x.kind != contentDocument || page.Rendered.InDoubt() {
		return
	}
	var earlier *Page
	if f.previous.Status != 0 {
		earlier = &f.previous
	}
	w.dates.url = f.item.url
	w.dates.find(page, earlier, page.Rendered.Done() == f.previous.Rendered.Done(), x.html, f.response.Header)
}

// countSessions counts the links of the page that have a session identifier.
func (w *worker) countSessions() (n int) {
	for i := range w.found {
		if w.found[i].url.session {
			n++
		}
	}
	return n
}

// resolveLinks resolves the links of an HTML page, up to the bound of TrapLinks and to
// maxPageURLs. It reports whether there are more.
func (w *worker) resolveLinks(x *extracted) (tooMany bool) {
	nofollow := x.metaRobots.NoFollow || x.headerRobots.NoFollow
	for i := range x.html.Links {
		link := &x.html.Links[i]
		if i == w.options.Traps.Links || len(w.resolver.arena) > maxPageURLs {
			over := resolvedLink{edge: noEdge}
			over.setTrap(TrapLinks)
			if over, ok := w.resolver.resolve(x.base, link.URL, over); ok {
				w.found = append(w.found, over)
			}
			return true
		}
		kind := EdgeKind(link.Kind)
		role := kind.role()
		if role == RoleAsset && !w.options.Checks.Assets {
			continue
		}
		edge := Edge{
			Kind:     kind,
			Nofollow: nofollow || link.Rel&extract.RelNoFollow != 0,
			Fragment: anchor.Fragment(link.URL),
			Text:     w.shareText(link.Text),
			Position: Position{link.Line, link.Column},
		}
		if x.page.Rendered.Done() { // the line is not one of the page as it was sent
			edge.Position = Position{}
		}
		if !w.addLink(x.base, link.URL, role, &edge) {
			w.findLinkFault(x.page.Facts, x.base, link)
			continue
		}
		w.found[len(w.found)-1].part = link.Part
		if link.Kind == extract.KindAnchor && isHashRoute(link.URL) && w.found[len(w.found)-1].role == RolePage {
			x.page.Facts.addLinkFault(ruleLinkUncrawlable, link)
		} else if role == RolePage && kind != EdgePagination && link.Rel&(extract.RelNext|extract.RelPrev) != 0 {
			w.addLink(x.base, link.URL, role, &Edge{Kind: EdgePagination, Nofollow: edge.Nofollow, Position: edge.Position})
		}
	}
	return false
}

// resolveVersions resolves the versions in other languages that the header names.
func (w *worker) resolveVersions(x *extracted, header http.Header) {
	edge := Edge{Kind: EdgeAlternate, Nofollow: x.metaRobots.NoFollow || x.headerRobots.NoFollow}
	for _, link := range extract.ParseLinkHeader(header.Values("Link")) {
		isFull := len(w.found) >= w.options.Traps.Links || len(w.resolver.arena) > maxPageURLs
		if link.Rel&extract.RelAlternate != 0 && link.Lang != "" && !isFull {
			w.addLink(w.pageURL, []byte(link.URL), RolePage, &edge)
		}
	}
}

// resolveRoutes resolves the URLs that scripts of the page opened. Those that differ only after a # are no pages.
func (w *worker) resolveRoutes(x *extracted) {
	for _, route := range x.routes {
		address, fragment, hasFragment := strings.Cut(route, "#")
		if hasFragment && isHashRoute([]byte("#"+fragment)) {
			x.page.Facts.addLinkFault(ruleLinkUncrawlable, &extract.Link{URL: []byte("#" + fragment)})
		}
		if len(w.found) < w.options.Traps.Links && address != string(w.pageURL) {
			w.addLink(w.pageURL, []byte(address), RolePage, &Edge{Kind: EdgeAnchor})
		}
	}
}

// resolveFeed resolves the pages that a feed lists, as far as it can be read.
func (w *worker) resolveFeed(body []byte) {
	options := &sitemap.ReaderOptions{Base: string(w.pageURL)}
	for entry, err := range sitemap.NewReader(bytes.NewReader(body), options).Entries() {
		if err != nil || len(w.found) >= w.options.Traps.Links {
			return
		}
		w.addLink(w.pageURL, entry.Loc, RolePage, &Edge{Kind: EdgeFeed})
	}
}

// addLink adds a link with its edge. It reports false when there is no URL to request.
func (w *worker) addLink(base, raw []byte, role Role, edge *Edge) bool {
	link, ok := w.resolver.resolve(base, raw, resolvedLink{role: role})
	if ok {
		w.addResolved(link, edge)
	}
	return ok
}

// addResolved adds a link, apart from what its edge says, with the edge.
func (w *worker) addResolved(link resolvedLink, edge *Edge) {
	link.nofollow, link.edge = edge.Nofollow, len(w.edges)
	if link.reason == ReasonListed && !edge.Kind.isFollowed(w.options.Feeds) {
		link.reason, link.detail = ReasonNotAPage, DetailLinkOnly
	}
	w.edges = append(w.edges, *edge)
	w.found = append(w.found, link)
}

// strip records a page without the parameters that do not change it. They were sent
// because the site may need them, but the sitemap must not depend on which session
// found the page.
func (w *worker) strip(i *item) {
	if stripped := w.resolver.stripped(i.url); stripped != i.url {
		i.asked, i.url, i.moved = i.url, stripped, true
	}
}

// shareText returns text as a part of a string that many link texts share, which
// saves an allocation for each.
func (w *worker) shareText(text []byte) string {
	if len(text) == 0 {
		return ""
	}
	if w.texts.Cap()-w.texts.Len() < len(text) {
		w.texts = strings.Builder{}
		w.texts.Grow(max(textBlock, len(text)))
	}
	from := w.texts.Len()
	w.texts.Write(text)
	return w.texts.String()[from:]
}

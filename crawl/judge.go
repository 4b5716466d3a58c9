package crawl

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/sitemap"
)

// verdict is what the judge step returns: the reason of a page, and the page that
// replaces it, if any.
type verdict struct {
	reason    Reason
	detail    Detail
	conflict  Detail // Page.Conflict
	target    resolvedLink
	hasTarget bool
	follow    bool // resolve the links of the page
	isOwn     bool // the page names itself as canonical
}

// judge decides whether a page is listed. Redirects in a row are bounded, of whatever kind.
func (w *worker) judge(f *fetched, x *extracted, notFound uint64) verdict {
	v := w.findReason(f, x, notFound)
	if f.item.isEarlier {
		v.follow = false
		if v.reason == ReasonListed {
			v.reason = ReasonUnlinked
		}
	}
	if v.reason == ReasonRedirect {
		v.target.redirects = f.item.redirects + 1
		if v.target.redirects > w.options.Traps.Redirects {
			return verdict{reason: ReasonTrap, detail: TrapRedirects.Detail()}
		}
	}
	return v
}

// findReason decides whether a page is listed. The first reason against it counts.
func (w *worker) findReason(f *fetched, x *extracted, notFound uint64) verdict {
	switch {
	case f.page.Reason != ReasonListed: // not requested
		v := verdict{reason: f.page.Reason, detail: f.page.Detail}
		if f.instead != "" {
			v.target, v.hasTarget = w.resolver.resolve(w.pageURL, []byte(f.instead), target())
		}
		return v
	case f.response == nil:
		return verdict{reason: ReasonUnreachable, detail: failureDetail(f.err)}
	case f.item.role != RolePage:
		return w.judgeCheck(f)
	}
	switch x.kind {
	case contentUnchanged:
		return w.judgeUnchanged(f, x)
	case contentHTML:
		return w.judgeHTML(f, x, notFound)
	case contentDocument:
		return w.judgeContent(f, x)
	case contentFeed:
		return verdict{reason: ReasonNotAPage, detail: textDetail(DetailMediaType, f.page.MediaType), follow: true}
	}
	return w.judgeResponse(f)
}

// hasContent reports whether a response with a status has the content of its URL: 203 is
// that of a proxy which changed it (RFC 9110, section 15.3.4).
func hasContent(status int) bool {
	return status == http.StatusOK || status == http.StatusNonAuthoritativeInfo
}

// judgeResponse decides about a response that was not read.
func (w *worker) judgeResponse(f *fetched) verdict {
	switch response := f.response; {
	case response.RedirectTo != "":
		return w.judgeRedirect(f)
	case response.Status >= 300:
		return refusal(response)
	case f.err != nil:
		return verdict{reason: ReasonUnreachable, detail: failureDetail(f.err)}
	case !hasContent(response.Status): // success without content is not a broken link
		return verdict{reason: ReasonNotAPage, detail: textDetail(DetailStatus, http.StatusText(response.Status))}
	}
	return verdict{reason: ReasonNotAPage, detail: textDetail(DetailMediaType, f.page.MediaType)}
}

func (w *worker) judgeRedirect(f *fetched) verdict {
	to := f.response.RedirectTo
	v := verdict{reason: ReasonRedirect, detail: NewDetail(DetailLocation, to[:min(len(to), urlnorm.MaxLength)])}
	v.target, v.hasTarget = w.resolver.resolve(w.pageURL, []byte(to), target())
	return v
}

// isRedirect reports whether a response with a status leads to another URL.
func isRedirect(status int) bool {
	return status > 300 && status < 400 && status != http.StatusNotModified
}

// judgeCheck decides about an asset or a URL of another site. Where redirects that set a cookie do
// not end, people may see a page.
func (w *worker) judgeCheck(f *fetched) verdict {
	switch {
	case isRedirectFailure(f.err) && setsCookie(f.response):
		return verdict{reason: ReasonInconclusive, detail: failureDetail(f.err)}
	case isRedirectFailure(f.err):
		return verdict{reason: ReasonRedirectLoop, detail: failureDetail(f.err)}
	case f.response.Status >= 400, isRedirect(f.response.Status) && f.response.Header.Get("Location") == "":
		return refusal(f.response)
	case f.item.role == RoleExternal && w.options.Checks.Moved:
		return verdict{reason: ReasonOutOfScope, detail: movedDetail(f.response)}
	case f.item.role == RoleExternal:
		return verdict{reason: ReasonOutOfScope}
	}
	return verdict{reason: ReasonNotAPage, detail: textDetail(DetailMediaType, f.page.MediaType)}
}

// movedDetail says where a URL leads for good, or that it leads through several redirects.
func movedDetail(response *fetch.Response) Detail {
	steps := strconv.Itoa(len(response.Hops))
	switch {
	case response.Permanent:
		return NewDetail(DetailMoved, steps, response.URL)
	case len(response.Hops) > 1:
		return NewDetail(DetailChained, steps)
	}
	return ""
}

// setsCookie reports whether a response, which may be nil, sets a cookie.
func setsCookie(response *fetch.Response) bool {
	return response != nil && response.Header.Get("Set-Cookie") != ""
}

// refusal separates broken links from pages that are only refused to programs: with
// status 401, 403, 429 or 999, or a challenge for robots, people may see a page.
func refusal(response *fetch.Response) verdict {
	v := verdict{reason: brokenReason(response.Status), detail: textDetail(DetailStatus, http.StatusText(response.Status))}
	switch status := response.Status; {
	case status == 401 || status == 403 || status == 429 || status == 999,
		response.Header.Get("cf-mitigated") != "":
		v.reason = ReasonInconclusive
	case isRedirect(status):
		v.detail = DetailNoLocation
	}
	return v
}

// judgeUnchanged keeps the reason of an earlier crawl. Only the patterns of the user
// may have changed since.
func (w *worker) judgeUnchanged(f *fetched, x *extracted) verdict {
	v := verdict{reason: x.page.Reason, detail: x.page.Detail, conflict: x.page.Conflict, follow: true}
	switch v.reason {
	case ReasonNoList, ReasonDuplicate, ReasonParameterVariant:
		v.reason, v.detail = ReasonListed, ""
	}
	targetURL := f.previousTarget
	if from, canonical, ok := v.conflict.cutBack(); ok && v.reason == ReasonListed {
		// The canonical may lead elsewhere by now.
		v.reason, v.detail, v.conflict, targetURL = ReasonCanonical, from, "", canonical
	}
	w.countContent(&v, f, x)
	if targetURL != "" && v.reason != ReasonListed && v.reason != ReasonNoList {
		v.target, v.hasTarget = w.resolver.resolve(w.pageURL, []byte(targetURL), target())
	}
	return v
}

// judgeHTML decides about an HTML page.
func (w *worker) judgeHTML(f *fetched, x *extracted, notFound uint64) verdict {
	if x.page.Rendered.Done() {
		notFound = x.notFound
	}
	switch {
	case x.unrendered != "":
		return verdict{reason: ReasonInconclusive, detail: x.unrendered, follow: true}
	case notFound != 0 && x.page.Digest == notFound:
		return verdict{reason: ReasonSoft404, detail: DetailSoft404}
	case x.phrase != "":
		return verdict{reason: ReasonSoft404, detail: NewDetail(DetailNotFoundText, x.phrase)}
	}
	v := w.judgeContent(f, x)
	v.follow = v.reason != ReasonTrap
	if v.reason == ReasonListed && f.response.Truncated {
		v.reason, v.detail = ReasonTooLarge, DetailTruncated
	}
	return v
}

// judgeContent decides by what a page says about itself, then by how many pages say
// the same, then by the patterns of the user.
func (w *worker) judgeContent(f *fetched, x *extracted) verdict {
	v := w.judgeDirectives(f, x)
	w.countContent(&v, f, x)
	return v
}

// countContent decides by how many pages have the same content, then by the patterns of
// the user.
func (w *worker) countContent(v *verdict, f *fetched, x *extracted) {
	tooMany := w.recordContent(v, f, x)
	switch {
	case tooMany:
		v.reason, v.detail = ReasonTrap, TrapSameContent.Detail()
		x.page.Anchors, x.page.Shingles = nil, nil // it may be looked at again
	case v.reason == ReasonListed:
		v.reason, v.detail = w.scope.pageReason(f.item.url)
	}
}

// MayList reports whether a sitemap may list a page of the site that was fetched, by its
// normalized URL.
func (o *Options) MayList(address string) bool {
	reason, _ := (&scopeMatcher{scope: o.Scope, local: o.Local}).pageReason(address)
	return reason == ReasonListed
}

// pageReason returns why a page that was fetched is not listed because of its URL, or
// ReasonListed if it is.
func (m *scopeMatcher) pageReason(address string) (Reason, Detail) {
	if reason, detail := m.listReason([]byte(address)); reason != ReasonListed {
		return reason, detail
	}
	switch {
	case m.local.IsNotFoundPage != nil && m.local.IsNotFoundPage(address):
		return ReasonNoList, DetailNotFoundPage
	case verifiesOwner(address):
		return ReasonNotAPage, DetailVerification
	}
	return listable(address)
}

// listable returns why no sitemap may contain a URL, or ReasonListed if it may. Its bounds
// are narrower than those of a URL that is fetched (https://www.sitemaps.org/protocol.html).
func listable(address string) (Reason, Detail) {
	if _, err := sitemap.EncodeLoc(address); err != nil {
		return ReasonUnlistable, locDetail(err)
	}
	return ReasonListed, ""
}

// recordContent notes the text of a page, and reports whether too many listed pages
// share it. A page that names another one as canonical has no new text.
func (w *worker) recordContent(v *verdict, f *fetched, x *extracted) bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if x.page.Digest != 0 {
		w.trapCounts.recordText(f.item.url, x.page.Digest, v.reason == ReasonCanonical || v.reason == ReasonRedirect)
	}
	if v.reason != ReasonListed {
		return false
	}
	content := shownContentOf(f, x)
	content.isNamed = v.isOwn || f.item.from == 0 // a sitemap or a list, apart from the start
	return w.trapCounts.countContent(&content)
}

// shownContentOf returns what decides whether a page is the same as others.
func shownContentOf(f *fetched, x *extracted) shownContent {
	page := &x.page
	return shownContent{
		id: f.item.id, from: f.item.from, title: page.Title, digest: page.Digest, shown: page.Content.Shown(),
	}
}

// judgeDirectives applies meta refresh, robots directives and canonical links. A redirect comes
// first: Astro and the redirect plugins of Jekyll and MkDocs give it noindex too.
func (w *worker) judgeDirectives(f *fetched, x *extracted) verdict {
	canonical, from, conflict := w.canonical(f, x)
	v := verdict{conflict: conflict}
	if refresh := &x.html.Refresh; len(refresh.URL) > 0 && refresh.Delay == 0 {
		if v.target, v.hasTarget = w.otherPage(x.base, refresh.URL); v.hasTarget {
			v.reason, v.detail = ReasonRedirect, DetailMetaRefresh
			if refresh.Script {
				v.detail = DetailScript
			}
			return v
		}
	}
	switch {
	case forbidsIndex(x.metaRobots, x.page.Time):
		v.reason, v.detail = ReasonNoIndex, DetailMetaRobots
		return v
	case forbidsIndex(x.headerRobots, x.page.Time):
		v.reason, v.detail = ReasonNoIndex, DetailRobotsHeader
		return v
	}
	if x.scriptTarget != "" {
		if v.target, v.hasTarget = w.otherPage(w.pageURL, []byte(x.scriptTarget)); v.hasTarget {
			v.reason, v.detail = ReasonRedirect, DetailScript
			return v
		}
	}
	if canonical != nil {
		if v.target, v.hasTarget = w.otherPage(x.base, canonical); v.hasTarget {
			v.reason, v.detail = ReasonCanonical, from
		}
		v.isOwn = !v.hasTarget
	}
	return v
}

// forbidsIndex reports whether directives keep a page out of search engines.
func forbidsIndex(d extract.Directives, now time.Time) bool {
	return d.NoIndex || !d.UnavailableAfter.IsZero() && d.UnavailableAfter.Before(now)
}

// otherPage resolves a URL that the current page gives for itself. It reports false if
// that is the page's own, or not valid.
func (w *worker) otherPage(base, address []byte) (resolvedLink, bool) {
	if string(address) == string(w.pageURL) {
		return resolvedLink{}, false
	}
	link, ok := w.resolver.resolve(base, address, target())
	if !ok || link.url.key == w.resolver.key(w.pageURL) {
		return resolvedLink{}, false
	}
	return link, true
}

// canonical returns the canonical URL of the header (RFC 8288) or else of the page,
// and where it is from. conflict says that the two differ.
func (w *worker) canonical(f *fetched, x *extracted) (address []byte, from, conflict Detail) {
	links := extract.ParseLinkHeader(f.response.Header.Values("Link"))
	inHeader := slices.IndexFunc(links, func(l extract.HeaderLink) bool { return l.Rel&extract.RelCanonical != 0 })
	inPage := x.html.Canonical
	switch {
	case inHeader < 0 && len(inPage) == 0:
		return nil, "", ""
	case inHeader < 0:
		return inPage, DetailLinkElement, ""
	case len(inPage) > 0:
		one := w.resolver.absolute(w.pageURL, []byte(links[inHeader].URL))
		other := w.resolver.absolute(x.base, inPage)
		if one != nil && other != nil && w.resolver.key(one) != w.resolver.key(other) {
			conflict = NewDetail(DetailConflict, string(one), string(other))
		}
	}
	return []byte(links[inHeader].URL), DetailLinkHeader, conflict
}

package crawl

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// read takes links and facts out of a page and decides whether it is listed.
func (w *worker) read(ctx context.Context, next item, page *Page, response *fetch.Response) {
	facts := w.scanner.Scan(response.Body, response.Header.Get("Content-Type"), extract.Options{
		MaxText:  mostTexts,
		MaxLinks: min(w.options.Traps.Links+1, extract.DefaultMaxLinks),
	})
	page.Title = string(facts.Title)
	if facts.Words > 0 {
		page.Digest = facts.Digest
	}
	page.Words, page.Body = facts.Words, hashBody(response.Body)
	page.Language = language(facts.Lang)
	w.date(page, facts, response.Header)
	page.Anchors = hashAnchors(facts.Anchors)

	home := next.id == 1
	origin, _ := urlnorm.CutOrigin(next.url)
	if !home && page.Digest != 0 && page.Digest == w.hosts.missingDigest(ctx, origin) {
		page.Reason, page.Detail = ReasonSoft404, "shows what the site shows for a missing page"
		return
	}
	header := extract.ParseRobotsHeader(response.Header.Values("X-Robots-Tag"))
	inPage, inHeader := facts.Robots.For("googlebot"), header.For("googlebot")
	page.Reason, page.Detail = w.verdict(next, page, facts, response.Header, inPage, inHeader)
	if page.Reason == ReasonListed && response.Truncated {
		page.Reason, page.Detail = ReasonTooLarge, "only the beginning was read"
	}
	if page.Reason == ReasonTrap {
		return
	}
	if page.Reason == ReasonListed {
		page.Extensions = w.extensions(next, page, facts, response.Header)
	}
	w.links(next, facts, inPage.NoFollow || inHeader.NoFollow)
}

// document decides about a file that search engines list as they do pages, which
// can say of itself only what stands in its header.
func (w *worker) document(next item, page *Page, response *fetch.Response) {
	page.Body = hashBody(response.Body)
	w.date(page, nil, response.Header)
	header := extract.ParseRobotsHeader(response.Header.Values("X-Robots-Tag"))
	page.Reason, page.Detail = w.verdict(next, page, &extract.Page{}, response.Header, extract.Directives{}, header.For("googlebot"))
}

// verdict decides about a page that was read, by what it says of itself.
func (w *worker) verdict(next item, page *Page, facts *extract.Page, header http.Header, inPage, inHeader extract.Directives) (Reason, string) {
	reason, detail := w.directed(next, page, facts, header, inPage, inHeader)
	if w.tooOften(next.url, page, reason) {
		return ReasonTrap, trapContent
	}
	if reason != ReasonListed {
		return reason, detail
	}
	return w.territory.unlisted([]byte(next.url))
}

// directed tells where a page says that another is to be listed in its place, or
// none.
func (w *worker) directed(next item, page *Page, facts *extract.Page, header http.Header, inPage, inHeader extract.Directives) (Reason, string) {
	canonical, from := w.canonicalOf(next, page, facts, header)
	switch {
	case forbidsIndex(inPage, page.Time):
		return ReasonNoIndex, "meta robots"
	case forbidsIndex(inHeader, page.Time):
		return ReasonNoIndex, "X-Robots-Tag header"
	case len(facts.Refresh.URL) > 0 && facts.Refresh.Delay == 0 && w.elsewhere(next, facts, facts.Refresh.URL):
		return ReasonRedirect, "meta refresh"
	case canonical != nil && w.elsewhere(next, facts, canonical):
		return ReasonCanonical, from
	}
	return ReasonListed, ""
}

// tooOften takes in what a page says and reports whether it is to be listed and too
// many have said it. One that calls itself a copy says nothing new.
func (w *worker) tooOften(address string, page *Page, reason Reason) bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if page.Digest != 0 {
		w.trapper.learn(address, page.Digest, reason == ReasonCanonical || reason == ReasonRedirect)
	}
	return reason == ReasonListed && w.trapper.sameContent(page.Title, page.Digest)
}

// forbidsIndex tells whether the page is to be listed no more, now or already
// since a date.
func forbidsIndex(d extract.Directives, now time.Time) bool {
	return d.NoIndex || !d.UnavailableAfter.IsZero() && d.UnavailableAfter.Before(now)
}

// elsewhere reports whether an address that the page gives for itself is that of
// another page, which becomes the page's target then.
func (w *worker) elsewhere(next item, facts *extract.Page, address []byte) bool {
	if string(address) == next.url {
		return false
	}
	before := len(w.met)
	w.meet(w.documentBase(next, facts), address, met{edge: -1, target: true})
	if len(w.met) == before {
		return false
	}
	if w.met[before].key == w.key([]byte(next.url)) {
		w.met = w.met[:before]
		return false
	}
	return true
}

// documentBase is what the links of a page are relative to, until it is asked for
// again.
func (w *worker) documentBase(next item, facts *extract.Page) []byte {
	w.own = append(w.own[:0], next.url...)
	if len(facts.Base) == 0 {
		return w.own
	}
	own, err := urlnorm.NewBase(w.own)
	if err != nil {
		return w.own
	}
	resolved, err := own.AppendResolve(nil, facts.Base)
	if err != nil {
		return w.own
	}
	return resolved
}

// links resolves and judges every link of a page.
func (w *worker) links(next item, facts *extract.Page, nofollow bool) {
	base := w.documentBase(next, facts)
	for i := range facts.Links {
		link := &facts.Links[i]
		if i == w.options.Traps.Links {
			w.meet(base, link.URL, met{edge: -1, reason: ReasonTrap, detail: TrapLinks})
			return
		}
		kind := EdgeKind(link.Kind)
		role := kind.role()
		if role == RoleAsset && !w.options.Assets {
			continue
		}
		w.edges = append(w.edges, Edge{
			Kind:     kind,
			Nofollow: nofollow || link.Rel&extract.RelNoFollow != 0,
			Fragment: fragmentOf(link.URL),
			Text:     w.share(link.Text),
		})
		before := len(w.met)
		w.meet(base, link.URL, met{role: role, nofollow: w.edges[len(w.edges)-1].Nofollow, edge: len(w.edges) - 1})
		if len(w.met) == before {
			w.edges = w.edges[:len(w.edges)-1]
		}
	}
}

// share returns text as a part of one string for all texts of a page, which ends
// one allocation for each.
func (w *worker) share(text []byte) string {
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

// longestFragment is how many bytes the name of a place on a page may have.
const longestFragment = 1024

// fragmentOf returns the fragment of a link, or nothing where that is too long to
// be kept.
func fragmentOf(link []byte) string {
	mark := bytes.IndexByte(link, '#')
	if mark < 0 || len(link)-mark-1 > longestFragment {
		return ""
	}
	return string(link[mark+1:])
}

// repeat takes from an earlier crawl what a page that has not changed holds.
func (w *worker) repeat(next item, page *Page, earlier *PreviousPage) {
	before := earlier.Page
	before.ID, before.Time, before.Took, before.Wire = page.ID, page.Time, page.Took, page.Wire
	before.Target, before.Links = 0, nil
	*page = before
	page.Reused = true
	if page.Reason == ReasonListed || page.Reason == ReasonNoList || page.Reason == ReasonDuplicate || page.Reason == ReasonParameterVariant {
		page.Reason, page.Detail = w.territory.unlisted([]byte(next.url))
	}
	page.Extensions = withoutOldNews(page.Extensions, page.Time)
	own := []byte(next.url)
	if earlier.TargetURL != "" && page.Reason != ReasonListed && page.Reason != ReasonNoList {
		w.meet(own, []byte(earlier.TargetURL), met{edge: -1, target: true})
	}
	for _, link := range earlier.Links {
		w.edges = append(w.edges, link.Edge)
		before := len(w.met)
		w.meet(own, []byte(link.URL), met{role: link.Kind.role(), nofollow: link.Nofollow, edge: len(w.edges) - 1})
		if len(w.met) == before {
			w.edges = w.edges[:len(w.edges)-1]
		}
	}
}

// meet resolves a link and decides what is to become of it. Links of other
// schemes and broken ones are left out.
func (w *worker) meet(base, link []byte, m met) {
	resolver, ok := w.baseOf(base)
	if !ok {
		return
	}
	from := len(w.arena)
	address, err := resolver.AppendResolve(w.arena, link)
	if errors.Is(err, urlnorm.ErrTooLong) && len(link) > w.options.Traps.Length {
		m.reason, m.detail = ReasonTrap, trapLength
		address, err = resolver.AppendResolve(w.arena, link[:w.options.Traps.Length])
	}
	if err != nil {
		return // also where the scheme is another
	}
	hasQuery := bytes.IndexByte(address[from:], '?') >= 0
	hasEscape := bytes.IndexByte(address[from:], '%') >= 0
	hasParameter := hasQuery || bytes.IndexByte(address[from:], ';') >= 0
	if hasQuery || hasEscape {
		// Spellings of one address (RFC 3986, 6.2.2) become one, so that the
		// sitemap does not hang on which was met first.
		w.form[1] = urlnorm.AppendKey(w.form[1][:0], address[from:], urlnorm.KeyOptions{Strip: w.tracking})
		address = append(address[:from], w.form[1]...)
	}
	if hasParameter {
		w.form[1] = urlnorm.AppendKey(w.form[1][:0], address[from:], urlnorm.KeyOptions{Strip: w.session})
		m.session = len(w.form[1]) < len(address)-from
	}
	w.arena = address
	m.address = span{from, len(address)}
	if hasParameter || hasEscape {
		m.key = w.key(address[from:])
	} else {
		m.key = w.seen.fingerprint(address[from:]) // it is its own key
	}
	w.place(address[from:], &m)
	w.met = append(w.met, m)
}

// baseOf returns the base of an address and remembers it for the next links.
func (w *worker) baseOf(address []byte) (*urlnorm.Base, bool) {
	if w.base == nil || w.baseURL != string(address) {
		base, err := urlnorm.NewBase(address)
		if err != nil {
			return nil, false
		}
		w.base, w.baseURL = base, string(address)
	}
	return w.base, true
}

// key returns the fingerprint of an address without what makes no difference.
func (w *worker) key(address []byte) fingerprint {
	w.form[0] = urlnorm.AppendKey(w.form[0][:0], address, urlnorm.KeyOptions{Strip: w.strip, SortQuery: bytes.IndexByte(address, '&') >= 0})
	return w.seen.fingerprint(w.form[0])
}

// place decides by the address alone whether a link is fetched, and as what.
func (w *worker) place(address []byte, m *met) {
	if m.reason != ReasonListed {
		return
	}
	if !w.territory.holds(address) {
		if m.role == RolePage {
			m.role = RoleExternal
		}
		if m.role == RoleExternal && !w.options.External {
			m.reason, m.detail = ReasonOutOfScope, "another site"
		}
		return
	}
	if m.role != RolePage {
		return
	}
	if m.reason, m.detail = w.territory.judge(address); m.reason != ReasonListed {
		return
	}
	if trap := w.trapper.shape(address); trap != "" {
		m.reason, m.detail = ReasonTrap, trap
	}
}

var anchorSeed = uint64(0xcbf29ce484222325)

// hashAnchors keeps what a fragment can point at in four bytes each.
func hashAnchors(anchors [][]byte) []uint32 {
	if len(anchors) == 0 {
		return nil
	}
	hashes := make([]uint32, len(anchors))
	for i, anchor := range anchors {
		hashes[i] = HashAnchor(anchor)
	}
	slices.Sort(hashes)
	return slices.Compact(hashes)
}

// HashAnchor is the FNV-1a hash of an id, folded to 32 bits, by which
// [Page].Anchors can be searched.
func HashAnchor[T string | []byte](anchor T) uint32 {
	hash := anchorSeed
	for i := range len(anchor) {
		hash = (hash ^ uint64(anchor[i])) * 0x100000001b3
	}
	return uint32(hash>>32) ^ uint32(hash)
}

package compare

import (
	"net/http"
	"slices"

	"github.com/mapatools/mapa/crawl"
)

// Kind is a kind of change to a URL. The names are stable.
type Kind string

// The kinds, the most important first. A URL has the first that fits.
const (
	KindNewlyBroken    Kind = "newly-broken"    // linked or listed, fails, and did not fail before
	KindLeftSitemap    Kind = "left-sitemap"    // was listed, answers, and is left out
	KindRemoved        Kind = "removed"         // was listed, and is gone; nothing links to it
	KindFixed          Kind = "fixed"           // failed, and answers or is not linked any more
	KindMoved          Kind = "moved"           // was listed, and is at another address
	KindEnteredSitemap Kind = "entered-sitemap" // known before, listed now
	KindNew            Kind = "new"             // listed, and not known before
	KindChanged        Kind = "changed"         // a fact is another one
)

// Kinds are all kinds in the order of outputs.
var Kinds = []Kind{KindNewlyBroken, KindLeftSitemap, KindRemoved, KindFixed, KindMoved, KindEnteredSitemap, KindNew,
	KindChanged}

// IsLoss reports whether a URL of the kind was in the sitemap or worked, and does not any more.
func (k Kind) IsLoss() bool { return k == KindNewlyBroken || k == KindLeftSitemap }

// optionReasons are the decisions by options and bounds of a crawl. They say nothing about the site.
var optionReasons = []crawl.Reason{crawl.ReasonExcluded, crawl.ReasonOutOfScope, crawl.ReasonNoList, crawl.ReasonLimit,
	crawl.ReasonTrap}

// IsByOptions reports whether a decision is one by options or bounds of a crawl.
func IsByOptions(reason crawl.Reason) bool { return slices.Contains(optionReasons, reason) }

// isLeftOutByOptions reports whether the options of a crawl leave the URL out.
func (s *State) isLeftOutByOptions() bool {
	return s != nil && IsByOptions(crawl.Reason(s.Decision))
}

// isUnlinked reports whether the page answers as before, and nothing leads to it.
func (s *State) isUnlinked() bool {
	return s != nil && crawl.Reason(s.Decision) == crawl.ReasonUnlinked
}

// isUndecided reports whether the answer says nothing about the URL: the server asked to come back later.
func (s *State) isUndecided() bool {
	return crawl.Reason(s.Decision) == crawl.ReasonInconclusive &&
		s.Status != http.StatusUnauthorized && s.Status != http.StatusForbidden
}

// isGone reports whether the page does not exist any more, as far as the side knows.
func (s *State) isGone() bool {
	return s == nil || s.Status == http.StatusNotFound || s.Status == http.StatusGone
}

// isPermanentRedirect reports whether the URL redirects for good.
func (s *State) isPermanentRedirect() bool {
	return s != nil && crawl.Reason(s.Decision) == crawl.ReasonRedirect &&
		(s.Status == http.StatusMovedPermanently || s.Status == http.StatusPermanentRedirect)
}

// kind returns the kind of a pair, as far as the two states decide it: where the page went is seen at the end. It
// returns "" for a pair that is no change.
func (p *Pair) kind() Kind {
	old, new := p.Old, p.New
	switch {
	case new.isLeftOutByOptions():
		return ""
	case old.isIn() && new != nil && (new.vague || new.isUndecided()):
		return KindChanged // the status
	case new.isBroken() && !old.isBroken() && (new.isLinked || old.isIn() && !new.isGone()):
		return KindNewlyBroken
	case old.isBroken() && !new.isBroken():
		return KindFixed
	case old.isIn() && new.isGone():
		return KindRemoved
	case old.isIn() && !new.isIn():
		return KindLeftSitemap
	case old == nil && new.isIn():
		return KindNew
	case old != nil && new.isIn() && !old.isIn():
		return KindEnteredSitemap
	case old != nil && new != nil && len(p.Facts) > 0:
		return KindChanged
	}
	return ""
}

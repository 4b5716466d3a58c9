package compare

import (
	"strconv"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/sitemap"
)

// Listed is the decision for a URL in the sitemap. Other decisions are the names of
// [crawl.Reason].
const Listed = "listed"

// State is what one side knows about a URL. A sitemap knows only the decision and
// lastmod.
type State struct {
	URL      string `json:"-"`
	Status   int    `json:"status,omitempty"` // HTTP status; 0 without a response
	Decision string `json:"decision"`
	Target   string `json:"target,omitempty"`  // of a redirect, canonical or duplicate
	LastMod  string `json:"lastmod,omitempty"` // as in a sitemap
	Title    string `json:"title,omitempty"`
	// Digest is the hexadecimal digest of the main content, or empty.
	Digest string    `json:"-"`
	Time   time.Time `json:"-"` // of the request, or zero

	id         crawl.ID   // in the crawl file
	page       *page.Page // of a crawl
	known      bool       // the crawl decided about it
	isPage     bool       // a page, so that adding or removing it is a change
	isLinked   bool       // something links to it or lists it, apart from an earlier crawl
	asked      bool       // requested
	isListed   bool       // of a sitemap or a ledger, not of a crawl
	isTouched  bool       // LastMod is the date of a file or of its header
	isRendered bool       // the page is as its scripts made it
	vague      bool       // apart from its status, what the page says is not known: it was not rendered to its end
}

func listedState(url, lastMod string) State {
	return State{URL: url, LastMod: lastMod, Decision: Listed, known: true, isPage: true, isLinked: true, isListed: true}
}

func stateOf(p *page.Page) *State {
	reason := p.Reason()
	s := &State{
		URL:      p.Link.URL,
		Status:   p.Page.Status,
		Decision: page.DecisionName(reason),
		Target:   p.TargetURL,
		LastMod:  p.Page.LastMod.String(),
		Title:    p.Page.Title,
		Time:     p.Page.Time,

		id:       p.Link.ID,
		page:     p,
		known:    p.Decision() != page.Waiting && reason != crawl.ReasonLimit,
		isPage:   p.Fetched || reason == crawl.ReasonAdded,
		isLinked: !p.Link.OnlyEarlier(),
		asked:    p.Page.Status != 0 || reason == crawl.ReasonUnreachable,

		isTouched:  p.Page.LastModSource.IsOfFile(),
		isRendered: p.Page.Rendered.Done(),
		vague:      p.Page.Rendered.InDoubt(),
	}
	if page.IsListed(&p.Record) {
		s.Decision = Listed
	}
	if p.Page.Digest != 0 {
		s.Digest = hex(p.Page.Digest)
	}
	return s
}

// isIn reports whether the URL is in the sitemap of a side, which may not know it: then the state is nil.
func (s *State) isIn() bool { return s != nil && s.Decision == Listed }

// isBroken reports whether links to the URL are broken links. A side that does not know
// the URL has no state, which is nil.
func (s *State) isBroken() bool { return s != nil && crawl.Reason(s.Decision).Broken() }

// hasContent reports whether the URL answers with a page of its own, and does not redirect or fail.
func (s *State) hasContent() bool {
	return crawl.Reason(s.Decision) != crawl.ReasonRedirect && !s.isBroken()
}

// digest returns the digest of the main content, 0 without any.
func (s *State) digest() uint64 {
	if s.page == nil {
		return 0
	}
	return s.page.Page.Digest
}

// hex returns a digest in the form of the crawl file's views.
func hex(digest uint64) string {
	const digits = 16
	text := strconv.FormatUint(digest, 16)
	return "0000000000000000"[:digits-len(text)] + text
}

// statusText returns a status as the table of facts has it.
func statusText(status int) string {
	if status == 0 {
		return ""
	}
	return strconv.Itoa(status)
}

// sameDate reports whether two dates say the same. Invalid dates are compared as
// text.
func sameDate(a, b string) bool {
	if a == b {
		return true
	}
	first, err := sitemap.ParseDate(a)
	if err != nil {
		return false
	}
	second, err := sitemap.ParseDate(b)
	return err == nil && crawl.SameDate(first, second)
}

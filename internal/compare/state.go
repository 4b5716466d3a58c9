package compare

import (
	"strconv"
	"time"

	"github.com/mapatools/mapa/crawl"
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
	// Digest is the hexadecimal digest of the main content, or empty.
	Digest string `json:"digest,omitempty"`
	// Title and Description are those of the page; a change has them where they differ.
	Title       string    `json:"title,omitempty"`
	Description string    `json:"description,omitempty"`
	Time        time.Time `json:"-"` // of the request, or zero

	id         crawl.ID // in the crawl file
	known      bool     // the crawl decided about it
	page       bool     // a page, so that adding or removing it is a change
	asked      bool     // requested
	isListed   bool     // of a sitemap or a ledger, not of a crawl
	content    crawl.Content
	isTouched  bool              // LastMod is the date of a file or of its header
	isRendered bool              // the page is as its scripts made it
	difference *crawl.Difference // from the crawl before the one of the side
	vague      bool              // apart from its status, what the page says is not known: it was not rendered to its end
}

func listedState(url, lastMod string) State {
	return State{URL: url, LastMod: lastMod, Decision: Listed, known: true, page: true, isListed: true}
}

func stateOf(o *crawl.Outcome) State {
	s := State{
		URL:      o.URL,
		Status:   o.Status,
		Decision: string(o.Reason),
		Target:   o.Target,
		LastMod:  o.LastMod,
		Title:    o.Title,
		Time:     o.Time,
		id:       o.ID,
		known:    !o.Waits() && o.Reason != crawl.ReasonLimit,
		page:     o.Fetched || o.Reason == crawl.ReasonAdded,
		vague:    o.InDoubt,
		content:  o.Content,

		Description: o.Description,
		isTouched:   o.LastModSource.IsOfFile(),
		isRendered:  o.Rendered,
		difference:  o.Difference,
		asked:       o.Status != 0 || o.Reason == crawl.ReasonUnreachable,
	}
	if o.Reason == crawl.ReasonListed || o.Reason == crawl.ReasonAdded {
		s.Decision = Listed
	}
	if o.Digest != 0 {
		s.Digest = hex(o.Digest)
	}
	return s
}

// hex returns a digest in the form of the crawl file's views.
func hex(digest uint64) string {
	const digits = 16
	text := strconv.FormatUint(digest, 16)
	return "0000000000000000"[:digits-len(text)] + text
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

package compare

import (
	"strconv"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/sitemap"
)

// Listed is the decision for an address that is in the sitemap. The others are
// the names of [crawl.Reason].
const Listed = "listed"

// A State is what one side says of an address. A sitemap knows decision and
// lastmod alone.
type State struct {
	URL      string `json:"-"`
	Status   int    `json:"status,omitempty"` // of HTTP; 0 without an answer
	Decision string `json:"decision"`
	Target   string `json:"target,omitempty"`  // address that a redirect, canonical or duplicate leads to
	LastMod  string `json:"lastmod,omitempty"` // as in a sitemap
	// Digest is of the main content, in hexadecimal digits; empty without one.
	Digest string    `json:"digest,omitempty"`
	Time   time.Time `json:"-"` // of the request; zero without one

	id    crawl.ID // in the crawl file
	known bool     // the crawl got as far as to decide
	page  bool     // a page in its own right, whose coming and going is a change
	asked bool     // an answer was waited for
}

func listedState(url, lastMod string) State {
	return State{URL: url, LastMod: lastMod, Decision: Listed, known: true, page: true}
}

func stateOf(o *crawl.Outcome) State {
	s := State{
		URL:      o.URL,
		Status:   o.Status,
		Decision: string(o.Reason),
		Target:   o.Target,
		LastMod:  o.LastMod,
		Time:     o.Time,
		id:       o.ID,
		known:    !o.Waits() && o.Reason != crawl.ReasonLimit,
		page:     o.Fetched || o.Reason == crawl.ReasonAdded,
		asked:    o.Status != 0 || o.Reason == crawl.ReasonUnreachable,
	}
	if o.Reason == crawl.ReasonListed || o.Reason == crawl.ReasonAdded {
		s.Decision = Listed
	}
	if o.Digest != 0 {
		s.Digest = hex(o.Digest)
	}
	return s
}

// hex writes a digest as the crawl file's view does.
func hex(digest uint64) string {
	const digits = 16
	text := strconv.FormatUint(digest, 16)
	return "0000000000000000"[:digits-len(text)] + text
}

// sameDate reports whether two dates name the same time, however written. What
// is no date is compared as text.
func sameDate(a, b string) bool {
	if a == b {
		return true
	}
	first, err := sitemap.ParseDate(a)
	if err != nil {
		return false
	}
	second, err := sitemap.ParseDate(b)
	return err == nil && first.Time().Equal(second.Time())
}

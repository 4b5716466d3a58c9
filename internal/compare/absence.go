package compare

import (
	"github.com/mapatools/mapa/crawl"
)

// An absences judges whether an address that the new side does not know is
// gone.
type absences struct {
	old, new *Side
	// blocked remembers of the old crawl's pages whether the new one was kept
	// from what they lead to.
	blocked map[crawl.ID]bool
}

// mostRemembered keeps the memory constant.
const mostRemembered = 10_000

func newAbsences(old, new *Side) *absences {
	return &absences{old, new, make(map[crawl.ID]bool)}
}

// prove reports whether an address of the old side would have been met again if
// it were still there. A crawl that ended early proves nothing, and neither
// does one that could not look into the page that led there.
func (a *absences) prove(old *State) bool {
	switch {
	case !a.new.complete:
		return false
	case a.old.isList() || a.new.isList():
		return true
	}
	return !a.isBlocked(old.id)
}

// isBlocked climbs from an address towards the start, up to the first page that
// the new crawl met, and remembers the verdict for every page on the way. What
// cannot be read blocks nothing: the sequence of the same file reports it.
func (a *absences) isBlocked(id crawl.ID) bool {
	var way []crawl.ID
	blocked := false
	link, err := a.old.crawl.Link(id)
	for err == nil && link.From != 0 && link.From < link.ID {
		if verdict, known := a.blocked[link.From]; known {
			blocked = verdict
			break
		}
		if len(way) == mostRemembered {
			blocked = true // nobody can tell
			break
		}
		if link, err = a.old.crawl.Link(link.From); err != nil {
			break
		}
		way = append(way, link.ID)
		met, known, err := a.new.crawl.PageByURL(link.URL)
		if err == nil && known {
			blocked = isBlock(met.Reason())
			break
		}
	}
	if len(a.blocked)+len(way) > mostRemembered {
		clear(a.blocked)
	}
	for _, page := range way {
		a.blocked[page] = blocked
	}
	return blocked
}

// isBlock reports whether a page with this reason was not looked into, or not
// to its end.
func isBlock(reason crawl.Reason) bool {
	switch reason {
	case crawl.ReasonServerError, crawl.ReasonUnreachable, crawl.ReasonInconclusive, crawl.ReasonTooLarge, crawl.ReasonLimit,
		crawl.ReasonRobots, crawl.ReasonExcluded, crawl.ReasonOutOfScope, crawl.ReasonNofollow, crawl.ReasonTrap:
		return true
	}
	return false
}

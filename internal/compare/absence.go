package compare

import (
	"github.com/mapatools/mapa/crawl"
)

// An absences judges whether an address that the new side does not know is
// gone.
type absences struct {
	old, new *Side
	// blocked remembers, by the page on which an address was found, whether
	// the new crawl could not get past it.
	blocked map[crawl.ID]bool
}

// mostRemembered keeps the memory constant.
const mostRemembered = 10_000

func newAbsences(old, new *Side) *absences {
	return &absences{old, new, make(map[crawl.ID]bool)}
}

// prove reports whether an address of the old side would have been met again if
// it were still there. A crawl that ended early proves nothing, and neither
// does one to which the page that led there did not answer.
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
// the new crawl met. What cannot be read blocks nothing: the sequence of the
// same file reports it.
func (a *absences) isBlocked(id crawl.ID) bool {
	path, err := a.old.crawl.PathTo(id)
	if err != nil || len(path) < 2 {
		return false
	}
	parent := path[len(path)-2].ID
	if blocked, known := a.blocked[parent]; known {
		return blocked
	}
	if len(a.blocked) >= mostRemembered {
		clear(a.blocked)
	}
	blocked := false
	for i := len(path) - 2; i >= 0; i-- {
		met, known, err := a.new.crawl.PageByURL(path[i].URL)
		if err == nil && known {
			blocked = isBlock(met.Reason())
			break
		}
	}
	a.blocked[parent] = blocked
	return blocked
}

// isBlock reports whether the links of a page are unknown for this reason.
func isBlock(reason crawl.Reason) bool {
	switch reason {
	case crawl.ServerError, crawl.Unreachable, crawl.Inconclusive, crawl.Truncated, crawl.Limit:
		return true
	}
	return false
}

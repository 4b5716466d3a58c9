package compare

import (
	"github.com/mapatools/mapa/crawl"
)

// absenceCheck decides whether a URL that the new side does not know is gone.
type absenceCheck struct {
	old, new *Side
	// blocked caches whether the new crawl could not follow the links of a page of
	// the old crawl.
	blocked map[crawl.ID]bool
}

// maxRemembered limits the cache.
const maxRemembered = 10_000

func newAbsenceCheck(old, new *Side) *absenceCheck {
	return &absenceCheck{old, new, make(map[crawl.ID]bool)}
}

// isProven reports whether the new side would know a URL of the old side if it still
// existed. An incomplete crawl proves nothing, and neither does a crawl that could not
// read the page that links to the URL.
func (a *absenceCheck) isProven(old *State) bool {
	switch {
	case !a.new.complete:
		return false
	case a.old.isList() || a.new.isList():
		return true
	}
	return !a.isBlocked(old.id)
}

// isBlocked follows the path from a URL towards the start up to the first page that the
// new crawl knows, and caches the result for every page on the path. An error of the
// crawl file does not block: the iteration over the same file reports it.
func (a *absenceCheck) isBlocked(id crawl.ID) bool {
	var path []crawl.ID
	blocked := false
	link, err := a.old.crawl.Link(id)
	for err == nil && link.From != 0 && link.From < link.ID {
		if verdict, known := a.blocked[link.From]; known {
			blocked = verdict
			break
		}
		if len(path) == maxRemembered {
			blocked = true // unknown
			break
		}
		if link, err = a.old.crawl.Link(link.From); err != nil {
			break
		}
		path = append(path, link.ID)
		record, known, err := a.new.crawl.PageByURL(a.old.align(link.URL))
		if err == nil && known {
			blocked = isBlock(record.Reason()) || record.Page.Rendered.InDoubt()
			break
		}
	}
	if len(a.blocked)+len(path) > maxRemembered {
		clear(a.blocked)
	}
	for _, page := range path {
		a.blocked[page] = blocked
	}
	return blocked
}

// isBlock reports whether the links of a page with this reason are unknown or
// incomplete.
func isBlock(reason crawl.Reason) bool {
	switch reason {
	case crawl.ReasonServerError, crawl.ReasonUnreachable, crawl.ReasonInconclusive, crawl.ReasonTooLarge,
		crawl.ReasonLimit,
		crawl.ReasonRobots, crawl.ReasonExcluded, crawl.ReasonOutOfScope, crawl.ReasonNofollow, crawl.ReasonTrap:
		return true
	}
	return false
}

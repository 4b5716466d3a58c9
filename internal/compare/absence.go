package compare

import (
	"github.com/mapatools/mapa/crawl"
)

// absenceCheck decides whether a URL that the new side does not know is gone.
type absenceCheck struct {
	old, new *Side
	// blocked caches why the new crawl could not follow the links of a page of the old crawl: empty if it could.
	blocked map[crawl.ID]crawl.Reason
}

// maxRemembered limits the cache.
const maxRemembered = 10_000

func newAbsenceCheck(old, new *Side) *absenceCheck {
	return &absenceCheck{old, new, make(map[crawl.ID]crawl.Reason)}
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
	return a.blockOf(old.id) == ""
}

// leftOutBy returns why options leave a page that was listed out of the new side: its own reason, or that of the page
// that led to it. It is empty if they do not.
func (a *absenceCheck) leftOutBy(p *Pair) string {
	switch {
	case !p.Old.isIn():
	case p.New.isLeftOutByOptions():
		return p.New.Decision
	case p.New.isUnlinked() && !a.old.isList():
		if block := a.blockOf(p.Old.id); IsByOptions(block) {
			return string(block)
		}
	}
	return ""
}

// blockOf returns why the new crawl could not follow the links that led to a page of the old one, or "". It follows the
// path towards the start up to the first page that the new crawl knows, and caches the result for every page on the
// path. An error of the crawl file does not block: the iteration over the same file reports it.
func (a *absenceCheck) blockOf(id crawl.ID) crawl.Reason {
	var path []crawl.ID
	blocked := crawl.Reason("")
	link, err := a.old.crawl.Link(id)
	for err == nil && link.From != 0 && link.From < link.ID {
		if verdict, known := a.blocked[link.From]; known {
			blocked = verdict
			break
		}
		if len(path) == maxRemembered {
			blocked = crawl.ReasonLimit // unknown
			break
		}
		if link, err = a.old.crawl.Link(link.From); err != nil {
			break
		}
		path = append(path, link.ID)
		record, known, err := a.new.crawl.PageByURL(a.old.align(link.URL))
		if err == nil && known && !record.Link.OnlyEarlier() {
			blocked = blockedBy(&record)
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

// blockedBy returns why the links of a page are unknown or incomplete, or "".
func blockedBy(record *crawl.Record) crawl.Reason {
	switch reason := record.Reason(); reason {
	case crawl.ReasonServerError, crawl.ReasonUnreachable, crawl.ReasonInconclusive, crawl.ReasonTooLarge,
		crawl.ReasonLimit,
		crawl.ReasonRobots, crawl.ReasonExcluded, crawl.ReasonOutOfScope, crawl.ReasonNofollow, crawl.ReasonTrap:
		return reason
	}
	if record.Page.Rendered.InDoubt() {
		return crawl.ReasonInconclusive
	}
	return ""
}

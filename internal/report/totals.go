package report

import (
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/bitset"
)

// maxDepth limits the crawl depths that are counted one by one. It counts all deeper
// pages.
const maxDepth = 1000

// totals counts all URLs of a crawl, even those that the page has no room for.
type totals struct {
	urls       int
	summary    crawl.Summary
	waiting    int
	reasons    map[crawl.Reason]int
	statuses   map[int]int          // requested pages by status; 0 without a response
	depths     []int                // listed pages by crawl depth
	unlinked   int                  // listed pages that cannot be reached by links
	targets    bitset.Set[crawl.ID] // by ID: of redirects and canonicals
	tree       tree
	last       time.Time // of the last request
	classBytes [classCount]int
}

// class orders URLs by importance, for crawls too large to show in full.
type class uint8

const (
	classReferenced class = iota // other parts of the report refer to it
	classUnlisted                // a page that is not listed
	classListed                  // a listed page
	classOther                   // a file, or a URL of another site
	classCount
)

func classOf(r *crawl.Record) class {
	switch reason := r.Reason(); {
	case r.Link.Role != crawl.RolePage, reason == crawl.ReasonOutOfScope, reason == crawl.ReasonNotAPage:
		return classOther
	case isListed(r):
		return classListed
	}
	return classUnlisted
}

// isListed reports whether a URL is in the sitemap.
func isListed(r *crawl.Record) bool {
	reason := r.Reason()
	return reason == crawl.ReasonAdded || r.Fetched && reason == crawl.ReasonListed
}

// DecisionOf returns the reason of a record, or Waiting.
func DecisionOf(r *crawl.Record) crawl.Reason {
	if !r.Fetched && r.Link.Reason == crawl.ReasonListed {
		return Waiting
	}
	return r.Reason()
}

// newTotals returns the totals of no URL.
func newTotals() totals {
	return totals{reasons: map[crawl.Reason]int{}, statuses: map[int]int{}, depths: make([]int, maxDepth+1)}
}

// add counts a URL.
func (t *totals) add(r *crawl.Record, w *linkGraph) {
	t.urls++
	t.summary.Add(r, 1)
	t.reasons[DecisionOf(r)]++
	if DecisionOf(r) == Waiting {
		t.waiting++
	}
	if target := r.Page.Target; target > 0 && int(target) < len(w.depth) {
		t.targets.Add(target)
	}
	if r.Requested() {
		t.statuses[r.Page.Status]++
		if r.Page.Time.After(t.last) {
			t.last = r.Page.Time
		}
	}
	class := classOf(r)
	if class != classOther {
		t.addPage(r, w)
	}
	t.classBytes[class] += estimateSize(r)
}

// internReason returns the string that totals holds for a reason, so that rows share it.
func (t *totals) internReason(reason crawl.Reason) crawl.Reason {
	for known := range t.reasons {
		if known == reason {
			return known
		}
	}
	return reason
}

// addPage counts a URL that is, or could be, a page of the site.
func (t *totals) addPage(r *crawl.Record, w *linkGraph) {
	listed := isListed(r)
	t.tree.add(r.Link.URL, listed, r.Page.Broken())
	if !listed {
		return
	}
	if depth := w.depth[r.Link.ID]; depth == crawl.Unreached {
		t.unlinked++
	} else {
		t.depths[min(int(depth), maxDepth)]++
	}
}

// totalBytes returns the estimated size of all rows.
func (t *totals) totalBytes() (total int) {
	for _, n := range t.classBytes {
		total += n
	}
	return total
}

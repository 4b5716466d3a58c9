package report

import (
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/bitset"
	"github.com/mapatools/mapa/internal/format"
)

const (
	slowThreshold  = time.Second
	largeThreshold = 1 << 20 // bytes
	// maxDepth limits the crawl depths that are counted one by one. It counts all deeper
	// pages.
	maxDepth = 1000
)

// totals counts all URLs of a crawl, even those that the page has no room for.
type totals struct {
	urls         int
	summary      crawl.Summary
	listed       int
	waiting      int
	reasons      map[crawl.Reason]int
	statuses     map[int]int // requested pages by status; 0 without a response
	depths       []int       // listed pages by crawl depth
	unlinked     int         // listed pages that cannot be reached by links
	slow         int
	large        int
	redirects    int // that pages link to
	canonicals   int // pages whose canonical is not listed or ambiguous
	conflicting  int // pages with an ambiguous canonical and another reason
	gaps         gaps
	languages    hreflangCheck
	listedPages  bitset.Set[crawl.ID] // by ID
	targets      bitset.Set[crawl.ID] // by ID: of redirects and canonicals
	canonicalTo  []pagePair
	conflicts    bitset.Set[crawl.ID] // by ID: pages with an ambiguous canonical
	unlisted     bitset.Set[crawl.ID] // by ID: pages whose canonical is not listed
	tree         tree
	titleIndex   hashIndex
	descriptions hashIndex
	headings     hashIndex
	contentIndex hashIndex
	last         time.Time // of the last request
	classBytes   [classCount]int
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

// newTotals returns the totals of no URL. The IDs are smaller than last.
func newTotals(w *linkGraph) totals {
	last := len(w.depth)
	return totals{
		redirects: w.linkedRedirects, reasons: map[crawl.Reason]int{}, statuses: map[int]int{},
		depths:     make([]int, maxDepth+1),
		titleIndex: newHashIndex(last), contentIndex: newHashIndex(last), descriptions: newHashIndex(last),
		headings: newHashIndex(last),
	}
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
	t.addCanonical(r)
	t.classBytes[class] += estimateSize(r)
}

// finish counts what needs all URLs.
func (t *totals) finish() {
	t.gaps.finish()
	t.languages.compare()
	for _, link := range t.canonicalTo {
		if t.listedPages.Has(link.to) {
			continue
		}
		t.unlisted.Add(link.from)
		if !t.conflicts.Has(link.from) {
			t.canonicals++
		}
	}
	t.canonicalTo = nil
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
	page, id := &r.Page, r.Link.ID
	listed := isListed(r)
	t.tree.add(r.Link.URL, listed, page.Broken())
	t.gaps.add(r, w.linked[id], listed)
	t.languages.add(r, listed)
	if listed {
		t.listed++
		t.listedPages.Add(id)
		if depth := w.depth[id]; depth == crawl.Unreached {
			t.unlinked++
		} else {
			t.depths[min(int(depth), maxDepth)]++
		}
	}
	if page.Duration >= slowThreshold {
		t.slow++
	}
	if page.Size >= largeThreshold {
		t.large++
	}
	if isContent(r) {
		t.addContent(page)
	}
}

// addContent indexes a listed HTML page by title and content.
func (t *totals) addContent(page *crawl.Page) {
	if title := format.Plain(page.Title); title != "" {
		t.titleIndex.add(hashText(title), page.ID)
	}
	if page.Digest != 0 {
		t.contentIndex.add(page.Digest, page.ID)
	}
	if page.Facts == nil {
		return
	}
	if text := format.Plain(page.Facts.Description); text != "" {
		t.descriptions.add(hashText(text), page.ID)
	}
	if text := format.Plain(page.Facts.H1); text != "" {
		t.headings.add(hashText(text), page.ID)
	}
}

// totalBytes returns the estimated size of all rows.
func (t *totals) totalBytes() (total int) {
	for _, n := range t.classBytes {
		total += n
	}
	return total
}

// addCanonical counts a page by its canonical.
func (t *totals) addCanonical(r *crawl.Record) {
	page, id := &r.Page, r.Link.ID
	if page.Reason == crawl.ReasonCanonical && page.Target > 0 {
		t.canonicalTo = append(t.canonicalTo, pagePair{id, page.Target})
	}
	if page.Conflict == "" {
		return
	}
	t.conflicts.Add(id)
	t.canonicals++
	if page.Reason != crawl.ReasonCanonical {
		t.conflicting++
	}
}

package report

import (
	"context"
	"net/http"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
)

const (
	slowThreshold  = time.Second
	largeThreshold = 1 << 20 // bytes
	// maxBarDepth is the last bar of the chart of depths, for all from there on.
	maxBarDepth = 20
)

// A totals is the figures of a crawl: exact, however much of it is shown.
type totals struct {
	urls  int
	pages      int // of the site, asked for
	listed     int
	waiting    int
	reasons    map[crawl.Reason]int
	statuses   map[int]int // of pages; 0 without an answer
	depths     []int       // of listed pages
	unlinked        int         // listed pages that no links lead to
	untitled   int
	slow       int
	large      int
	redirects  int // that pages link to
	canonicals int // pages whose canonical address is not listed, or in doubt
	conflicting       int // pages whose canonical address is in doubt and that are not left out for it
	gaps       gaps
	languages  hreflangCheck
	isListed       []bool // by ID: is listed
	isTarget        []bool // by ID: a redirect or a canonical address leads there
	tree       tree
	titleIndex     hashIndex
	contentIndex   hashIndex
	last       time.Time // of the last request
	classBytes      [classCount]int
}

// A class is how much an address matters when not all can be shown.
type class uint8

const (
	classReferenced class = iota // another part of the report points at it
	classUnlisted                // a page that is not listed
	classListed                // a listed page
	classOther              // a file, an address of another site
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

// isListed reports whether the address is in the sitemap.
func isListed(r *crawl.Record) bool {
	reason := r.Reason()
	return reason == crawl.ReasonAdded || r.Fetched && reason == crawl.ReasonListed
}

// decisionOf is the reason, or Waiting.
func decisionOf(r *crawl.Record) crawl.Reason {
	if !r.Fetched && r.Link.Reason == crawl.ReasonListed {
		return Waiting
	}
	return r.Reason()
}

// count goes through all addresses, and notes in want those that findings are
// about.
func (t *totals) count(ctx context.Context, file crawl.Reader, w *linkGraph, want []bool) error {
	t.redirects = w.linkedRedirects
	t.isListed, t.isTarget = make([]bool, len(w.depth)), make([]bool, len(w.depth))
	t.titleIndex.grow(len(w.depth))
	t.contentIndex.grow(len(w.depth))
	t.reasons, t.statuses, t.depths = map[crawl.Reason]int{}, map[int]int{}, make([]int, maxBarDepth+1)
	for r, err := range file.Pages(ctx) {
		if err != nil {
			return err
		}
		t.urls++
		t.reasons[decisionOf(&r)]++
		if decisionOf(&r) == Waiting {
			t.waiting++
		}
		if target := r.Page.Target; target > 0 && int(target) < len(t.isTarget) {
			t.isTarget[target] = true
		}
		class := classOf(&r)
		if class != classOther {
			t.addPage(&r, w)
		}
		t.classBytes[class] += estimateSize(&r)
	}
	t.gaps.finish()
	if err := t.languages.compare(ctx, file, t.isListed); err != nil {
		return err
	}
	t.languages.mark(want)
	return nil
}

// internReason returns a reason as the census holds it, so that all rows share one.
func (t *totals) internReason(reason crawl.Reason) crawl.Reason {
	for known := range t.reasons {
		if known == reason {
			return known
		}
	}
	return reason
}

// addPage counts an address of the site that is, or could be, a page.
func (t *totals) addPage(r *crawl.Record, w *linkGraph) {
	page, id := &r.Page, r.Link.ID
	listed := isListed(r)
	t.isListed[id] = listed
	t.tree.add(r.Link.URL, listed, page.Broken())
	t.gaps.add(r, w.linked[id], listed)
	t.languages.add(r, listed)
	if listed {
		t.listed++
		if depth := w.depth[id]; depth == crawl.Unreached {
			t.unlinked++
		} else {
			t.depths[min(int(depth), maxBarDepth)]++
		}
	}
	if page.Status == 0 && page.Reason != crawl.ReasonUnreachable {
		return // it was not asked for
	}
	t.pages++
	t.statuses[page.Status]++
	if page.Time.After(t.last) {
		t.last = page.Time
	}
	if page.Took >= slowThreshold {
		t.slow++
	}
	if page.Size >= largeThreshold {
		t.large++
	}
	if listed && page.Status == http.StatusOK && isHTML(page.MediaType) {
		t.addContent(page)
	}
}

// addContent counts a listed page of HTML by what it holds.
func (t *totals) addContent(page *crawl.Page) {
	if title := format.Plain(page.Title); title == "" {
		t.untitled++
	} else {
		t.titleIndex.add(hashText(title), page.ID)
	}
	if page.Digest != 0 {
		t.contentIndex.add(page.Digest, page.ID)
	}
}

// totalBytes is that of all addresses.
func (t *totals) totalBytes() int {
	room := 0
	for _, r := range t.classBytes {
		room += r
	}
	return room
}

// addCanonical counts a page by where its canonical address leads, which takes all of
// the pages.
func (t *totals) addCanonical(r *crawl.Record) {
	page := &r.Page
	astray := page.Reason == crawl.ReasonCanonical && page.Target > 0 && int(page.Target) < len(t.isListed) && !t.isListed[page.Target]
	if astray || page.Conflict != "" {
		t.canonicals++
	}
	if page.Conflict != "" && page.Reason != crawl.ReasonCanonical {
		t.conflicting++
	}
}

func isHTML(media string) bool {
	return media == "text/html" || media == "application/xhtml+xml" || media == ""
}

package report

import (
	"context"
	"time"

	"github.com/mapatools/mapa/crawl"
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
	isListed     []bool // by ID
	isTarget     []bool // by ID: target of a redirect or canonical
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

// decisionOf returns the reason of a record, or Waiting.
func decisionOf(r *crawl.Record) crawl.Reason {
	if !r.Fetched && r.Link.Reason == crawl.ReasonListed {
		return Waiting
	}
	return r.Reason()
}

// count counts all URLs.
func (t *totals) count(ctx context.Context, file crawl.Reader, w *linkGraph) error {
	t.redirects = w.linkedRedirects
	t.isListed, t.isTarget = make([]bool, len(w.depth)), make([]bool, len(w.depth))
	t.titleIndex.grow(len(w.depth))
	t.contentIndex.grow(len(w.depth))
	t.descriptions.grow(len(w.depth))
	t.headings.grow(len(w.depth))
	t.reasons, t.statuses, t.depths = map[crawl.Reason]int{}, map[int]int{}, make([]int, maxDepth+1)
	for r, err := range file.Pages(ctx) {
		if err != nil {
			return err
		}
		t.urls++
		t.summary.Add(&r, 1)
		t.reasons[decisionOf(&r)]++
		if decisionOf(&r) == Waiting {
			t.waiting++
		}
		if target := r.Page.Target; target > 0 && int(target) < len(t.isTarget) {
			t.isTarget[target] = true
		}
		if r.Requested() {
			t.statuses[r.Page.Status]++
			if r.Page.Time.After(t.last) {
				t.last = r.Page.Time
			}
		}
		class := classOf(&r)
		if class != classOther {
			t.addPage(&r, w)
		}
		t.classBytes[class] += estimateSize(&r)
	}
	t.gaps.finish()
	return t.languages.compare(ctx, file, t.isListed)
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
	t.isListed[id] = listed
	t.tree.add(r.Link.URL, listed, page.Broken())
	t.gaps.add(r, w.linked[id], listed)
	t.languages.add(r, listed)
	if listed {
		t.listed++
		if depth := w.depth[id]; depth == crawl.Unreached {
			t.unlinked++
		} else {
			t.depths[min(int(depth), maxDepth)]++
		}
	}
	if page.Took >= slowThreshold {
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

// addCanonical counts a page by its canonical. It needs the totals of all pages.
func (t *totals) addCanonical(r *crawl.Record) {
	page := &r.Page
	if t.hasUnlistedCanonical(r) || page.Conflict != "" {
		t.canonicals++
	}
	if page.Conflict != "" && page.Reason != crawl.ReasonCanonical {
		t.conflicting++
	}
}

// hasUnlistedCanonical reports whether the canonical of a page is not listed.
func (t *totals) hasUnlistedCanonical(r *crawl.Record) bool {
	target := r.Page.Target
	return r.Page.Reason == crawl.ReasonCanonical && target > 0 && int(target) < len(t.isListed) && !t.isListed[target]
}

func isHTML(media string) bool {
	return media == "text/html" || media == "application/xhtml+xml" || media == ""
}

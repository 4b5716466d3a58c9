package report

import (
	"context"
	"net/http"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
)

const (
	slowPage  = time.Second
	heavyPage = 1 << 20 // bytes
	// deepest is the last bar of the chart of depths, for all from there on.
	deepest = 20
)

// A census is the figures of a crawl: exact, however much of it is shown.
type census struct {
	addresses  int
	pages      int // of the site, asked for
	listed     int
	waiting    int
	reasons    map[crawl.Reason]int
	statuses   map[int]int // of pages; 0 without an answer
	depths     []int       // of listed pages
	far        int         // listed pages that no links lead to
	untitled   int
	slow       int
	heavy      int
	redirects  int // that pages link to
	canonicals int // pages whose canonical address is not listed, or in doubt
	torn       int // pages whose canonical address is in doubt and that are not left out for it
	gaps       gaps
	languages  languages
	good       []bool // by ID: is listed
	led        []bool // by ID: a redirect or a canonical address leads there
	tree       tree
	titles     likeness
	contents   likeness
	last       time.Time // of the last request
	rooms      [classes]int
}

// A class is how much an address matters when not all can be shown.
type class uint8

const (
	needed class = iota // another part of the report points at it
	left                // a page that is not listed
	good                // a listed page
	beside              // a file, an address of another site
	classes
)

func classOf(r *crawl.Record) class {
	switch reason := r.Reason(); {
	case r.Link.Role != crawl.RolePage, reason == crawl.ReasonOutOfScope, reason == crawl.ReasonNotAPage:
		return beside
	case isListed(r):
		return good
	}
	return left
}

// isListed reports whether the address is in the sitemap.
func isListed(r *crawl.Record) bool {
	reason := r.Reason()
	return reason == crawl.ReasonAdded || r.Fetched && reason == crawl.ReasonListed
}

// decided is the reason, or Waiting.
func decided(r *crawl.Record) crawl.Reason {
	if !r.Fetched && r.Link.Reason == crawl.ReasonListed {
		return Waiting
	}
	return r.Reason()
}

// count goes through all addresses, and notes in want those that findings are
// about.
func (t *census) count(ctx context.Context, file crawl.Reader, w *web, want []bool) error {
	t.redirects = w.redirects
	t.good, t.led = make([]bool, len(w.depth)), make([]bool, len(w.depth))
	t.titles.grow(len(w.depth))
	t.contents.grow(len(w.depth))
	t.reasons, t.statuses, t.depths = map[crawl.Reason]int{}, map[int]int{}, make([]int, deepest+1)
	for r, err := range file.Pages(ctx) {
		if err != nil {
			return err
		}
		t.addresses++
		t.reasons[decided(&r)]++
		if decided(&r) == Waiting {
			t.waiting++
		}
		if target := r.Page.Target; target > 0 && int(target) < len(t.led) {
			t.led[target] = true
		}
		class := classOf(&r)
		if class != beside {
			t.page(&r, w)
		}
		t.rooms[class] += roomOf(&r)
	}
	t.gaps.close()
	if err := t.languages.compare(ctx, file, t.good); err != nil {
		return err
	}
	t.languages.mark(want)
	return nil
}

// reason returns a reason as the census holds it, so that all rows share one.
func (t *census) reason(reason crawl.Reason) crawl.Reason {
	for known := range t.reasons {
		if known == reason {
			return known
		}
	}
	return reason
}

// page counts an address of the site that is, or could be, a page.
func (t *census) page(r *crawl.Record, w *web) {
	page, id := &r.Page, r.Link.ID
	listed := isListed(r)
	t.good[id] = listed
	t.tree.add(r.Link.URL, listed, page.Broken())
	t.gaps.add(r, w.linked[id], listed)
	t.languages.add(r, listed)
	if listed {
		t.listed++
		if depth := w.depth[id]; depth == crawl.Unreached {
			t.far++
		} else {
			t.depths[min(int(depth), deepest)]++
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
	if page.Took >= slowPage {
		t.slow++
	}
	if page.Size >= heavyPage {
		t.heavy++
	}
	if listed && page.Status == http.StatusOK && isHTML(page.MediaType) {
		t.content(page)
	}
}

// content counts a listed page of HTML by what it holds.
func (t *census) content(page *crawl.Page) {
	if title := format.Plain(page.Title); title == "" {
		t.untitled++
	} else {
		t.titles.add(hashText(title), page.ID)
	}
	if page.Digest != 0 {
		t.contents.add(page.Digest, page.ID)
	}
}

// room is that of all addresses.
func (t *census) room() int {
	room := 0
	for _, r := range t.rooms {
		room += r
	}
	return room
}

// compare counts a page by where its canonical address leads, which takes all of
// the pages.
func (t *census) compare(r *crawl.Record) {
	page := &r.Page
	astray := page.Reason == crawl.ReasonCanonical && page.Target > 0 && int(page.Target) < len(t.good) && !t.good[page.Target]
	if astray || page.Conflict != "" {
		t.canonicals++
	}
	if page.Conflict != "" && page.Reason != crawl.ReasonCanonical {
		t.torn++
	}
}

func isHTML(media string) bool {
	return media == "text/html" || media == "application/xhtml+xml" || media == ""
}

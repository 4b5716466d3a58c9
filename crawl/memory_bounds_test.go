package crawl_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/anchor"
)

// TestLargePages reads two large pages at once, and small ones meanwhile.
func TestLargePages(t *testing.T) {
	t.Parallel()
	const large, small, atOnce = 6, 20, 2 // of the default of 8 workers
	origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch {
		case r.URL.Path == "/":
			for i := range large + small {
				fmt.Fprintf(w, `<a href="/page-%d">p</a>`, i)
			}
		case len(r.URL.Path) == len("/page-0") && r.URL.Path < fmt.Sprintf("/page-%d", large):
			fmt.Fprintf(w, "<title>%s</title>%s", r.URL.Path, strings.Repeat("<p>text</p>\n", 200_000))
		default:
			fmt.Fprintf(w, "<title>%s</title>", r.URL.Path)
		}
	}))
	var reading, most, smallDone atomic.Int64
	allSmall, full := make(chan struct{}), make(chan struct{})
	closeFull := sync.OnceFunc(func() { close(full) })
	options := &crawl.Options{Start: origin, OnPage: func(r crawl.Response) {
		switch {
		case r.URL == origin+"/":
		case len(r.Body) < 1<<20:
			if smallDone.Add(1) == small {
				close(allSmall)
			}
		default:
			now := reading.Add(1)
			defer reading.Add(-1)
			for before := most.Load(); now > before && !most.CompareAndSwap(before, now); before = most.Load() {
			}
			if now == atOnce {
				closeFull()
			}
			<-full
			<-allSmall
		}
	}}
	progress, err := run(t, &crawl.MemoryStore{}, options)
	if err != nil || progress.Pages != 1+large+small {
		t.Fatalf("%d pages, %v", progress.Pages, err)
	}
	if most.Load() != atOnce {
		t.Errorf("%d large pages were read at once, want %d", most.Load(), atOnce)
	}
}

// TestLongFragments follows the fragments of links that are too long to keep.
func TestLongFragments(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("заголовок ", 20)
	escaped := strings.ReplaceAll(strings.ReplaceAll(long, " ", "%20"), "з", "%D0%B7")
	origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/" {
			for _, fragment := range []string{escaped, escaped + "x", escaped + "y", "short", escaped + ":~:text=z",
				":~:text=" + long} {
				fmt.Fprintf(w, `<a href="/target#%s">t</a>`, fragment)
			}
			return
		}
		fmt.Fprintf(w, `<title>Target</title><h2 id="%s">h</h2><h2 id="short">h</h2>`, long)
	}))
	store := &crawl.MemoryStore{}
	if _, err := run(t, store, &crawl.Options{Start: origin}); err != nil {
		t.Fatal(err)
	}
	var edges []crawl.Edge
	var anchors []uint32
	store.Each(func(link crawl.Link, page *crawl.Page) {
		if link.ID == 1 {
			edges = page.Links
		} else {
			anchors = page.Anchors
		}
	})
	want := []bool{true, false, false, true, true, false}
	if len(edges) != len(want) {
		t.Fatalf("links %+v", edges)
	}
	for i, edge := range edges {
		if _, found := slices.BinarySearch(anchors, anchor.HashFragment(edge.Fragment)); found != want[i] {
			t.Errorf("fragment %d, %q: found %v, want %v", i, edge.Fragment, found, want[i])
		}
		if len(edge.Fragment) > 64+len("…")+16 {
			t.Errorf("fragment %d has %d bytes", i, len(edge.Fragment))
		}
	}
	if edges[1].Fragment == edges[2].Fragment {
		t.Errorf("two fragments are equal: %q", edges[1].Fragment)
	}
	if edges[5].Fragment != ":~:" {
		t.Errorf("text fragment %q", edges[5].Fragment)
	}
}

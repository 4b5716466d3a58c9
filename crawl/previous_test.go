package crawl_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/mapatools/mapa/crawl"
)

// TestPrevious crawls again with the previous crawl at hand.
func TestPrevious(t *testing.T) {
	t.Parallel()
	site := parse(t, decisionSite)
	var mutex sync.Mutex
	var full, unchanged []string
	changed := map[string]string{}
	origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		site.ServeHTTP(answer, r)
		maps.Copy(w.Header(), answer.Header())
		mutex.Lock()
		defer mutex.Unlock()
		body := answer.Body.String()
		if text, ok := changed[r.RequestURI]; ok {
			body = text
		}
		if answer.Code == http.StatusOK {
			tag := fmt.Sprintf("%q", fmt.Sprint(len(body)))
			w.Header().Set("ETag", tag)
			if r.Header.Get("If-None-Match") == tag {
				unchanged = append(unchanged, r.RequestURI)
				w.WriteHeader(http.StatusNotModified)
				return
			}
			full = append(full, r.RequestURI)
		}
		w.WriteHeader(answer.Code)
		fmt.Fprint(w, body)
	}))
	first := &crawl.MemoryStore{}
	if _, err := run(t, first, &crawl.Options{Start: origin}); err != nil {
		t.Fatal(err)
	}
	good := len(full) - 1 // all but robots.txt
	full = nil

	second := &crawl.MemoryStore{}
	if _, err := run(t, second, &crawl.Options{Start: origin, Previous: first}); err != nil {
		t.Fatal(err)
	}
	if len(full) != 1 || full[0] != "/robots.txt" || len(unchanged) != good {
		t.Errorf("sent again: %q; unchanged: %d of %d", full, len(unchanged), good)
	}
	compare(t, decisions(second, origin), decisions(first, origin))
	equalEdges(t, second, first)

	changed["/later"] = `<title>Later</title><p>something else</p><a href="/new">x</a>`
	full = nil
	third := &crawl.MemoryStore{}
	if _, err := run(t, third, &crawl.Options{Start: origin, Previous: second}); err != nil {
		t.Fatal(err)
	}
	want := decisions(first, origin)
	want["/new"] = "client-error: Not Found"
	want["/nofollow-first"] = "nofollow"
	compare(t, decisions(third, origin), want)
	if len(full) != 2 {
		t.Errorf("sent again: %q, want robots.txt and the page that changed", full)
	}
}

// crawlUnchanged crawls a site twice, page by page. What the second crawl decides does not depend on whether a URL that
// it has seen is known by its ID.
func crawlUnchanged(t *testing.T, origin string) {
	t.Helper()
	first, second, want := &crawl.MemoryStore{}, &crawl.MemoryStore{}, &crawl.MemoryStore{}
	for _, step := range []struct {
		store    *crawl.MemoryStore
		previous crawl.Previous
	}{{first, nil}, {second, first}, {want, &otherIDs{MemoryStore: first}}} {
		_, err := run(t, step.store, &crawl.Options{Start: origin, Concurrency: 1, Previous: step.previous})
		if err != nil {
			t.Fatal(err)
		}
	}
	compare(t, decisions(second, origin), decisions(want, origin))
	equalEdges(t, second, want)
}

// otherIDs is an earlier crawl in which each link has a URL of its own.
type otherIDs struct {
	*crawl.MemoryStore
	ids []crawl.ID // in the store
}

func (o *otherIDs) Lookup(url string) (page crawl.Page, target string, ok bool) {
	page, target, ok = o.MemoryStore.Lookup(url)
	page.Links = slices.Clone(page.Links)
	for i := range page.Links {
		o.ids = append(o.ids, page.Links[i].To)
		page.Links[i].To = crawl.ID(len(o.ids))
	}
	return page, target, ok
}

func (o *otherIDs) URL(id crawl.ID) (string, error) { return o.MemoryStore.URL(o.ids[id-1]) }

// equalEdges compares the links of all pages, by URL.
func equalEdges(t *testing.T, got, want *crawl.MemoryStore) {
	t.Helper()
	edges := func(store *crawl.MemoryStore) map[string]string {
		all := map[string]string{}
		store.Each(func(link crawl.Link, _ *crawl.Page) {
			previous, _, _ := store.Lookup(link.URL)
			for _, edge := range previous.Links {
				url, _ := store.URL(edge.To)
				all[link.URL] += fmt.Sprintf("%s %s %q %q %t\n", url, edge.Kind, edge.Fragment, edge.Text, edge.Nofollow)
			}
		})
		return all
	}
	had, wanted := edges(got), edges(want)
	if len(wanted) == 0 {
		t.Error("no links to compare")
	}
	for url := range wanted {
		if had[url] != wanted[url] {
			t.Errorf("links of %s:\n%swant\n%s", url, had[url], wanted[url])
		}
	}
}

// TestPreviousTrap crawls an endless site again whose pages have not changed: the trap
// ends the second crawl where it ended the first, and is counted in both.
func TestPreviousTrap(t *testing.T) {
	t.Parallel()
	origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("ETag", `"1"`)
		if r.Header.Get("If-None-Match") != "" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		var number int
		fmt.Sscanf(r.URL.Query().Get("n"), "%d", &number)
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<title>%d</title><p>the same text</p><a href="/?n=%d">on</a>`, number, number+1)
	}))
	options := crawl.Options{Start: origin, Traps: crawl.Traps{Variants: 8, SameContent: -1}}
	first, second := &crawl.MemoryStore{}, &crawl.MemoryStore{}
	if _, err := run(t, first, &options); err != nil {
		t.Fatal(err)
	}
	options.Previous = first
	if _, err := run(t, second, &options); err != nil {
		t.Fatal(err)
	}
	want, got := summaryOf(t, first), summaryOf(t, second)
	if !reflect.DeepEqual(got, want) || want.Traps[crawl.TrapVariants.Detail()] == 0 {
		t.Errorf("second crawl %+v, first %+v", got, want)
	}
}

func summaryOf(t *testing.T, store *crawl.MemoryStore) crawl.Summary {
	t.Helper()
	summary, err := store.Summary(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return summary
}

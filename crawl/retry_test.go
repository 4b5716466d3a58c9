package crawl_test

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl"
)

// TestRestart crawls a site that drops every connection for three seconds. No page may
// be broken afterwards.
func TestRestart(t *testing.T) {
	t.Parallel()
	const pages = 60
	undisturbed := &crawl.MemoryStore{}
	origin := serve(t, &tree{pages: pages})
	if _, err := run(t, undisturbed, &crawl.Options{Start: origin}); err != nil {
		t.Fatal(err)
	}
	want := decisions(undisturbed, origin)
	for name, after := range map[string]int{"early": 5, "middle": pages / 2, "near the end": pages - 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var up atomic.Int64 // in Unix milliseconds
			site := &tree{pages: pages, at: map[int]func(){
				after: func() { up.Store(time.Now().Add(3 * time.Second).UnixMilli()) },
			}}
			origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if time.Now().UnixMilli() < up.Load() {
					panic(http.ErrAbortHandler)
				}
				site.ServeHTTP(w, r)
			}))
			store := &crawl.MemoryStore{}
			progress, err := run(t, store, &crawl.Options{Start: origin})
			if err != nil || progress.Broken != 0 || progress.Pages != pages {
				t.Errorf("%+v, %v", progress, err)
			}
			compare(t, decisions(store, origin), want)
		})
	}
}

// TestRefusingPages crawls a site with two pages that always answer 429 and ask for a wait.
// They must not hold up the others, and are requested twice.
func TestRefusingPages(t *testing.T) {
	t.Parallel()
	const pages = 100
	site := &tree{pages: pages}
	var mutex sync.Mutex
	requests := map[string]int{}
	origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		if n != 7 && n != 40 {
			site.ServeHTTP(w, r)
			return
		}
		mutex.Lock()
		defer mutex.Unlock()
		requests[r.URL.Path]++
		w.Header().Set("Retry-After", "5")
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	store := &crawl.MemoryStore{}
	began := time.Now()
	progress, err := run(t, store, &crawl.Options{Start: origin})
	if err != nil || progress.Waiting != 0 || time.Since(began) > 40*time.Second {
		t.Errorf("after %v: %+v, %v", time.Since(began), progress, err)
	}
	mutex.Lock()
	defer mutex.Unlock()
	for path, count := range requests {
		if count != 2 {
			t.Errorf("%s was requested %d times", path, count)
		}
		if d := decisions(store, origin)[path]; d != "inconclusive: Too Many Requests" {
			t.Errorf("%s: %q", path, d)
		}
	}
}

// TestRefusingSite crawls a site that answers 429 to everything after some pages.
func TestRefusingSite(t *testing.T) {
	t.Parallel()
	const pages = 100
	var refuses atomic.Bool
	site := &tree{pages: pages, at: map[int]func(){10: func() { refuses.Store(true) }}}
	origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if refuses.Load() {
			w.Header().Set("Retry-After", "3")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		site.ServeHTTP(w, r)
	}))
	store, options := &crawl.MemoryStore{}, &crawl.Options{Start: origin, Access: crawl.Access{Concurrency: 32}}
	progress, err := run(t, store, options)
	if _, refused := errors.AsType[*crawl.RefusedError](err); !refused || !errors.Is(err, crawl.ErrOutage) {
		t.Fatalf("%+v, %v", progress, err)
	}
	refuses.Store(false)
	progress, err = run(t, store, options)
	if err != nil || progress.Pages != pages || progress.Waiting != 0 {
		t.Fatalf("%+v, %v", progress, err)
	}
}

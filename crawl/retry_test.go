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

	"github.com/mapatools/mapa/access"
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
			inBubble(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if time.Now().UnixMilli() < up.Load() {
					panic(http.ErrAbortHandler)
				}
				site.ServeHTTP(w, r)
			}), func(t *testing.T, a access.Access) {
				store := &crawl.MemoryStore{}
				progress, err := run(t, store, &crawl.Options{Start: pipeOrigin, Access: a})
				if err != nil || progress.Broken != 0 || progress.Pages != pages {
					t.Errorf("%+v, %v", progress, err)
				}
				compare(t, decisions(store, pipeOrigin), want)
			})
		})
	}
}

// refusingSite is a tree in which some pages always ask to come back later.
type refusingSite struct {
	tree
	refuses    func(page int) bool
	status     int
	retryAfter string

	mutex   sync.Mutex
	order   []string // requests for pages, in order
	refused map[string]int
}

func (s *refusingSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	page, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
	refuses := err == nil && s.refuses(page)
	s.mutex.Lock()
	s.order = append(s.order, r.URL.Path)
	if refuses {
		s.refused[r.URL.Path]++
	}
	s.mutex.Unlock()
	if !refuses {
		s.tree.ServeHTTP(w, r)
		return
	}
	if s.retryAfter != "" {
		w.Header().Set("Retry-After", s.retryAfter)
	}
	w.WriteHeader(s.status)
}

// TestRefusingPages crawls sites some of whose pages always ask to come back later. They
// do not make the crawl slower, and are requested again when all others have been.
func TestRefusingPages(t *testing.T) {
	t.Parallel()
	const pages = 600
	for name, test := range map[string]struct {
		status     int
		retryAfter string
		refuses    func(page int) bool
		decision   decision
	}{
		"two":      {429, "120", func(page int) bool { return page == 407 || page == 540 }, "inconclusive: Too Many Requests"},
		"a tenth":  {503, "120", func(page int) bool { return page > 300 && page%5 == 0 }, "server-error: Service Unavailable"},
		"no time":  {429, "", func(page int) bool { return page > 300 && page%5 == 0 }, "inconclusive: Too Many Requests"},
		"together": {503, "3600", func(page int) bool { return page > 400 && page < 500 }, "server-error: Service Unavailable"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := &refusingSite{
				tree: tree{pages: pages}, refuses: test.refuses, status: test.status, retryAfter: test.retryAfter,
				refused: map[string]int{},
			}
			origin := serve(t, site)
			store := &crawl.MemoryStore{}
			var last atomic.Value // rate per second
			last.Store(0.0)
			progress, err := run(t, store, &crawl.Options{
				Start: origin, OnRateChange: func(_ string, perSecond float64, _ string) { last.Store(perSecond) },
			})
			if err != nil || progress.Waiting != 0 || progress.Pages != pages || last.Load() != 0.0 {
				t.Errorf("%+v, %v; %v per second at the end", progress, err, last.Load())
			}
			site.mutex.Lock()
			defer site.mutex.Unlock()
			decided, probes := decisions(store, origin), 0
			for path, count := range site.refused {
				probes += count - 2
				if decided[path] != test.decision {
					t.Errorf("%s: %q", path, decided[path])
				}
			}
			if probes < 0 || probes > len(site.refused)/10 {
				t.Errorf("%d pages were requested twice, and %d times more", len(site.refused), probes)
			}
			again := site.order[len(site.order)-len(site.refused):]
			for _, path := range again {
				if test.retryAfter != "" && site.refused[path] == 0 && path != "/" {
					t.Errorf("%s was requested after pages that ask to come back later", path)
				}
			}
		})
	}
}

// TestRefusingSite crawls sites that refuse everything after some pages.
func TestRefusingSite(t *testing.T) {
	t.Parallel()
	const pages = 100
	for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			t.Parallel()
			var refuses atomic.Bool
			var requests atomic.Int64
			site := &tree{pages: pages, at: map[int]func(){10: func() { refuses.Store(true) }}}
			origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if refuses.Load() {
					requests.Add(1)
					w.Header().Set("Retry-After", "120")
					w.WriteHeader(status)
					return
				}
				site.ServeHTTP(w, r)
			}))
			store, options := &crawl.MemoryStore{}, &crawl.Options{Start: origin, Concurrency: 4}
			progress, err := run(t, store, options)
			refused, ok := errors.AsType[*crawl.RefusedError](err)
			if !ok || refused.Status != status || !errors.Is(err, crawl.ErrOutage) || requests.Load() > 40 {
				t.Fatalf("%+v, %v after %d requests", progress, err, requests.Load())
			}
			refuses.Store(false)
			progress, err = run(t, store, options)
			if err != nil || progress.Pages != pages || progress.Waiting != 0 {
				t.Fatalf("%+v, %v", progress, err)
			}
		})
	}
}

// TestBusyPages crawls a site whose pages ask to come back a second later, once.
func TestBusyPages(t *testing.T) {
	t.Parallel()
	const pages = 30
	site := &tree{pages: pages}
	var mutex sync.Mutex
	asked := map[string]time.Time{}
	inBubble(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		first, again := asked[r.URL.Path]
		if !again {
			asked[r.URL.Path] = time.Now()
		}
		mutex.Unlock()
		switch {
		case r.URL.Path != "/7" && r.URL.Path != "/20":
			site.ServeHTTP(w, r)
		case !again:
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			if wait := time.Since(first); wait < time.Second {
				t.Errorf("%s was requested again after %v", r.URL.Path, wait)
			}
			site.ServeHTTP(w, r)
		}
	}), func(t *testing.T, a access.Access) {
		progress, err := run(t, &crawl.MemoryStore{}, &crawl.Options{Start: pipeOrigin, Access: a})
		if err != nil || progress.Broken != 0 || progress.Pages != pages {
			t.Errorf("%+v, %v", progress, err)
		}
	})
}

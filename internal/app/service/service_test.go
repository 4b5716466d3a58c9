package service

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mapatools/mapa/internal/app"
)

// A site is a chain of pages. Its handler waits at the page called gate until it is open.
type site struct {
	*httptest.Server
	pages    int
	requests atomic.Int64
	broken   atomic.Bool   // every tenth page is
	gate     chan struct{} // closed is open; nil is none
	reached  chan struct{} // has an element when a request waits at the gate
}

const gatePage = 5

func newSite(t *testing.T, pages int) *site {
	t.Helper()
	s := &site{pages: pages, reached: make(chan struct{}, 1)}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// ServeHTTP links each page to the two after it.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var n int
	if r.URL.Path != "/" {
		if _, err := fmt.Sscanf(r.URL.Path, "/page/%d", &n); err != nil || n > s.pages {
			http.NotFound(w, r)
			return
		}
	}
	s.requests.Add(1)
	if n == gatePage && s.gate != nil {
		select {
		case s.reached <- struct{}{}:
		default:
		}
		select {
		case <-s.gate:
		case <-r.Context().Done():
			return
		}
	}
	if s.broken.Load() && n%10 == 9 {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	w.Header().Set("ETag", fmt.Sprintf(`"%d"`, n))
	if r.Header.Get("If-None-Match") == fmt.Sprintf(`"%d"`, n) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	fmt.Fprintf(w, "<title>Page %d</title><p>This is page %d with text of its own.", n, n)
	for next := n + 1; next <= min(n+2, s.pages); next++ {
		fmt.Fprintf(w, ` <a href="/page/%d">%d</a>`, next, next)
	}
}

// open opens a service on a folder, without running it.
func open(t *testing.T, o Options) *Service {
	t.Helper()
	if o.App == nil {
		o.App = &app.App{Version: "test"}
	}
	s, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// start runs a service until stop is called, or the test ends.
func start(t *testing.T, o Options) (s *Service, stop func()) {
	t.Helper()
	s = open(t, o)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(stop)
	return s, stop
}

func request(t *testing.T, s *Service, url string) *Crawl {
	t.Helper()
	c, err := s.Start(t.Context(), Request{URL: url, Options: map[string][]string{"rate": {"0"}}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// ended watches a crawl to its end.
func ended(t *testing.T, s *Service, id string) *Crawl {
	t.Helper()
	for _, err := range s.Watch(t.Context(), id, 0) {
		if err != nil {
			t.Fatal(err)
		}
	}
	c, err := s.Crawl(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if !c.State.Ended() {
		t.Fatalf("the crawl is %s after its updates", c.State)
	}
	return c
}

func names(c *Crawl) string {
	var all []string
	for _, f := range c.Files {
		all = append(all, f.Name)
	}
	return strings.Join(all, " ")
}

func TestCrawl(t *testing.T) {
	web := newSite(t, 30)
	s, _ := start(t, Options{Folder: t.TempDir()})
	first := ended(t, s, request(t, s, web.URL).ID)
	if first.State != StateDone || first.Counts.Pages != 31 || first.Counts.Listed != 31 {
		t.Fatalf("%+v", first)
	}
	if got := names(first); got != "report.html sitemap.css sitemap.xml" {
		t.Errorf("files %s", got)
	}
	web.broken.Store(true)
	second := ended(t, s, request(t, s, web.URL).ID)
	if second.Previous != first.ID || second.Counts.Broken != 3 {
		t.Errorf("%+v", second)
	}
	if got := names(second); got != "broken.csv changes.jsonl report.html sitemap.css sitemap.xml" {
		t.Errorf("files %s", got)
	}
}

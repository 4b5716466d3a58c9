package service

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/result"
	"github.com/mapatools/mapa/internal/sqlite"
)

// A site is a chain of pages, or a home page with links to more than chainLength. Its
// handler waits at all pages from gatePage on until it is open.
type site struct {
	*httptest.Server
	pages      atomic.Int64
	requests   atomic.Int64
	withSecret atomic.Int64  // requests that have one
	renamed    atomic.Bool   // page 1 has another title
	broken     atomic.Bool   // every tenth page is
	down       atomic.Bool   // all pages are
	gate       chan struct{} // crawls wait until it is closed; nil lets them run
	reached    chan struct{} // has an element when a request waits at the gate
}

const (
	gatePage    = 5
	chainLength = 50
)

func newSite(t testing.TB, pages int) *site {
	t.Helper()
	s := &site{reached: make(chan struct{}, 1)}
	s.pages.Store(int64(pages))
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// ServeHTTP links each page to the two after it.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/page/"))
	pages := int(s.pages.Load())
	if r.URL.Path != "/" && err != nil || n > pages {
		http.NotFound(w, r)
		return
	}
	s.requests.Add(1)
	if r.Header.Get("Authorization")+r.Header.Get("Cookie")+r.Header.Get("X-Key") != "" {
		s.withSecret.Add(1)
	}
	if n >= gatePage && s.gate != nil {
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
	if s.down.Load() || s.broken.Load() && n%10 == 9 {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	name := "Page"
	if n == 1 && s.renamed.Load() {
		name = "Chapter"
	}
	tag := fmt.Sprintf(`"%s %d of %d"`, name, n, pages)
	w.Header().Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	fmt.Fprintf(w, "<title>%s %d</title><p>This is page %d with text of its own.", name, n, n)
	last := min(n+2, pages)
	if n == 0 && pages > chainLength {
		last = pages
	}
	for next := n + 1; next <= last; next++ {
		fmt.Fprintf(w, ` <a href="/page/%d">%d</a>`, next, next)
	}
}

// open opens a service on a folder, without running it.
func open(t testing.TB, o Options) *Service {
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
func start(t testing.TB, o Options) (s *Service, stop func()) {
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

func request(t testing.TB, s *Service, url string) *Crawl {
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
	t.Parallel()
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

// folders returns the names of the folders of crawls.
func folders(t *testing.T, s *Service) (left []string) {
	t.Helper()
	entries, err := os.ReadDir(s.crawlsFolder())
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		left = append(left, entry.Name())
	}
	return left
}

// TestRetention keeps the newest results of a site, and those that are read.
func TestRetention(t *testing.T) {
	t.Parallel()
	web := newSite(t, 3)
	s, _ := start(t, Options{Folder: t.TempDir(), Keep: 2})
	var ids []string
	release := func() {}
	for i := range 5 {
		ids = append(ids, ended(t, s, request(t, s, web.URL).ID).ID)
		if i == 0 {
			release = s.results.pin(ids[0])
		}
	}
	if left := folders(t, s); len(left) != 3 || !slices.Contains(left, ids[0]) || !slices.Contains(left, ids[4]) {
		t.Errorf("folders %v of %v", left, ids)
	}
	release()
	last := ended(t, s, request(t, s, web.URL).ID)
	if left := folders(t, s); len(left) != 2 || last.Previous != ids[4] {
		t.Errorf("folders %v, previous %s", left, last.Previous)
	}
	site, err := s.Site(t.Context(), last.Site)
	if err != nil || len(site.History) != 2 || site.History[1].ID != last.ID || site.Last.ID != last.ID {
		t.Errorf("%+v, %v", site, err)
	}
	if err := s.DeleteSite(t.Context(), last.Site); err != nil {
		t.Fatal(err)
	}
	sites, _, err := s.Sites(t.Context(), SiteFilter{}, "", 10)
	if len(sites) != 0 || err != nil || len(folders(t, s)) != 0 {
		t.Errorf("sites %v, %v, folders %v", sites, err, folders(t, s))
	}
}

// TestTwoServers lets the second server on a folder fail, and leaves the first alone.
func TestTwoServers(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := open(t, Options{Folder: folder})
	_, err := Open(t.Context(), Options{Folder: folder, App: &app.App{}})
	if !errors.Is(err, sqlite.ErrLocked) || !strings.Contains(err.Error(), folder) {
		t.Errorf("the second server: %v", err)
	}
	request(t, s, "https://example.com/")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again := open(t, Options{Folder: folder})
	defer again.Close()
	if crawls, next, err := again.Crawls(t.Context(), "", "", 10); len(crawls) != 1 || next != "" || err != nil {
		t.Errorf("%v, %q, %v", crawls, next, err)
	}
}

// TestCursor reads a list in parts.
func TestCursor(t *testing.T) {
	t.Parallel()
	s := open(t, Options{Folder: t.TempDir()})
	defer s.Close()
	var want, got []string
	for i := range 7 {
		want = append([]string{request(t, s, fmt.Sprintf("https://example.com/%d", i)).ID}, want...)
	}
	cursor := ""
	for range 4 {
		crawls, next, err := s.Crawls(t.Context(), "example.com", cursor, 2)
		if err != nil {
			t.Fatal(err)
		}
		for i := range crawls {
			got = append(got, crawls[i].ID)
		}
		cursor = next
	}
	if !slices.Equal(got, want) || cursor != "" {
		t.Errorf("%v, want %v, then %q", got, want, cursor)
	}
	for _, wrong := range []string{"-1", "!", strings.Repeat("z", 30)} {
		if _, _, err := s.Crawls(t.Context(), "", wrong, 2); !errors.Is(err, ErrNotFound) {
			t.Errorf("cursor %q: %v", wrong, err)
		}
	}
}

// TestRetainDone keeps the last result of a site, whatever fails afterwards.
func TestRetainDone(t *testing.T) {
	t.Parallel()
	web := newSite(t, 3)
	s, _ := start(t, Options{Folder: t.TempDir(), Keep: 1})
	done := ended(t, s, request(t, s, web.URL).ID)
	web.down.Store(true)
	for range 3 {
		ended(t, s, request(t, s, web.URL).ID)
	}
	web.down.Store(false)
	if c := ended(t, s, request(t, s, web.URL).ID); c.Previous != done.ID {
		t.Errorf("compared with %q, not %s", c.Previous, done.ID)
	}
	copied, err := s.Start(t.Context(), Request{URL: web.URL, Options: map[string][]string{
		"rate": {"0"}, "base-url": {"https://example.com/"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if c := ended(t, s, copied.ID); c.Previous != "" {
		t.Errorf("the crawl of a copy is compared with %s, which has other URLs", c.Previous)
	}
	if crawls, _, err := s.Crawls(t.Context(), "", "", 10); len(crawls) != 2 || crawls[1].Repeats != 2 || err != nil {
		t.Errorf("%+v, %v", crawls, err)
	}
}

// TestResult shares an open result, keeps it while it is read although its crawl is
// deleted, and refuses that of a crawl that has not ended.
func TestResult(t *testing.T) {
	t.Parallel()
	web := newSite(t, 10)
	s, _ := start(t, Options{Folder: t.TempDir()})
	id := ended(t, s, request(t, s, web.URL).ID).ID
	one, releaseOne, err := s.OpenResult(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	two, releaseTwo, err := s.OpenResult(t.Context(), id)
	if err != nil || one != two {
		t.Errorf("%p and %p, %v", one, two, err)
	}
	releaseTwo()
	releaseTwo()
	if _, err := s.Delete(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if list, err := one.Pages(t.Context(), result.Filter{}, "", 5); err != nil || len(list.Pages) != 5 {
		t.Errorf("%+v, %v", list, err)
	}
	releaseOne()
	if left := folders(t, s); len(left) != 0 {
		t.Errorf("folders %v", left)
	}
	if _, _, err := s.OpenResult(t.Context(), id); !errors.Is(err, ErrNotFound) {
		t.Errorf("a deleted crawl: %v", err)
	}
	web.gate = make(chan struct{})
	defer close(web.gate)
	running := request(t, s, web.URL).ID
	<-web.reached
	if _, _, err := s.OpenResult(t.Context(), running); !errors.As(err, new(*StateError)) {
		t.Errorf("a crawl that runs: %v", err)
	}
	if _, err := s.OpenFile(t.Context(), running, "crawl.sqlite"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a file of a crawl that runs: %v", err)
	}
}

// TestFiles opens the files of a result, and nothing else by whatever name.
func TestFiles(t *testing.T) {
	t.Parallel()
	web := newSite(t, 3)
	s, _ := start(t, Options{Folder: t.TempDir()})
	c := ended(t, s, request(t, s, web.URL).ID)
	for _, f := range c.Files {
		file, err := s.OpenFile(t.Context(), c.ID, f.Name)
		if err != nil {
			t.Error(err)
			continue
		}
		if info, err := file.Stat(); err != nil || info.Size() != f.Size {
			t.Errorf("%+v: %v, %v", f, info, err)
		}
		file.Close()
	}
	for _, name := range []string{
		"crawl.sqlite", "", ".", "..", "../" + c.ID + "/sitemap.xml", "/etc/passwd", "sitemap.xml\x00",
	} {
		if _, err := s.OpenFile(t.Context(), c.ID, name); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestMaxTime resumes a crawl that ended after its max-time.
func TestMaxTime(t *testing.T) {
	t.Parallel()
	web := newSite(t, 10)
	web.gate = make(chan struct{})
	s, _ := start(t, Options{Folder: t.TempDir()})
	options := map[string][]string{"rate": {"0"}, "max-time": {"2s"}}
	c, err := s.Start(t.Context(), Request{URL: web.URL, Options: options})
	if err != nil {
		t.Fatal(err)
	}
	c = ended(t, s, c.ID)
	if c.State != StateDone || c.Limit != limitTime {
		t.Fatalf("%+v", c)
	}
	close(web.gate)
	if _, err := s.Resume(t.Context(), c.ID); err != nil {
		t.Fatal(err)
	}
	if c = ended(t, s, c.ID); c.State != StateDone || c.Counts.Pages != 11 || c.Limit != "" {
		t.Errorf("%+v", c)
	}
}

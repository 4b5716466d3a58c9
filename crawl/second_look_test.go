package crawl_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
)

// lookSite has a start that links to pages. It counts the requests for each URL.
type lookSite struct {
	pages    map[string]func(request int) string // body, by URL, or "" for 404
	robots   string
	mutex    sync.Mutex
	requests map[string]int
}

func (s *lookSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	s.requests[r.URL.String()]++
	request := s.requests[r.URL.String()]
	s.mutex.Unlock()
	page := s.pages[r.URL.String()]
	switch {
	case r.URL.Path == "/robots.txt":
		fmt.Fprint(w, s.robots)
	case page == nil || page(request) == "":
		http.NotFound(w, r)
	default:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page(request))
	}
}

// newLookSite returns a site with a start and n pages with the same body, and what it answers
// for other URLs.
func newLookSite(origin string, n int, body string, others map[string]func(int) string) *lookSite {
	s := &lookSite{pages: others, requests: map[string]int{}}
	if s.pages == nil {
		s.pages = map[string]func(int) string{}
	}
	var start strings.Builder
	for i := range n {
		path := fmt.Sprintf("/page/%s", spelled(i))
		fmt.Fprintf(&start, `<a href="%s">x</a>`, path)
		if s.pages[origin+path] == nil {
			s.pages[origin+path] = func(int) string { return fmt.Sprintf(body, i) }
		}
	}
	s.pages[origin+"/"] = func(int) string { return "<title>Start</title>" + start.String() }
	return s
}

// lookFaults crawls a site and returns the faults of its pages as lines.
func lookFaults(t *testing.T, site *lookSite, options crawl.Options) (lines []string) {
	t.Helper()
	options.Access = access.Access{Rate: access.PerSecond(0), Transport: inProcess{site}}
	store := &crawl.MemoryStore{}
	if _, err := crawl.Run(t.Context(), store, &options); err != nil {
		t.Fatal(err)
	}
	store.Each(func(link crawl.Link, page *crawl.Page) {
		if page == nil || page.Facts == nil {
			return
		}
		for _, line := range faultLines(page) {
			lines = append(lines, link.URL+" "+line)
		}
	})
	slices.Sort(lines)
	return lines
}

func always(body string) func(int) string { return func(int) string { return body } }

// inTurn returns one body after another.
func inTurn(bodies ...string) func(int) string {
	return func(request int) string { return bodies[min(request, len(bodies))-1] }
}

// TestMissingText crawls pages that say they are missing, with status 200.
func TestMissingText(t *testing.T) {
	t.Parallel()
	const origin = "https://shop.example"
	const ordinary = "<title>Page %d</title><p>ordinary"
	long := strings.Repeat("word ", 200)
	for name, test := range map[string]struct {
		page func(int) string
		want string
	}{
		"whole title":     {always("<title>Page&nbsp;not found</title><p>x"), "page not found"},
		"before a dash":   {always("<title>404 – Shop</title><p>x"), "404"},
		"before a bar":    {always("<title>NO ENCONTRADA | Tienda</title><p>x"), "no encontrada"},
		"before a colon":  {always("<title>Error 404: sorry</title><p>x"), "error 404"},
		"h1":              {always("<title>Shop</title><h1>Seite nicht gefunden</h1>"), "seite nicht gefunden"},
		"Japanese":        {always("<title>ページが見つかりません｜店</title><h1>ページが見つかりません</h1>"), "ページが見つかりません"},
		"a part":          {always("<title>Page not found errors explained</title><p>x"), ""},
		"after a bar":     {always("<title>Shop | Page not found</title><p>x"), ""},
		"a long page":     {always("<title>Not found</title><p>" + long), ""},
		"found next time": {inTurn("<title>Not found</title>x", "<title>Found</title>x"), ""},
		"gone next time":  {inTurn("<title>Not found</title>x", ""), ""},
		"noindex":         {always("<meta name=robots content=noindex><title>Not found</title>x"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			site := newLookSite(origin, 12, ordinary, map[string]func(int) string{origin + "/page/aaaac": test.page})
			var want []string
			if test.want != "" {
				want = []string{fmt.Sprintf("%s/page/aaaac soft-404-text %q ×1", origin, test.want)}
			}
			if got := lookFaults(t, site, crawl.Options{Start: origin}); !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// TestLooksAreFew crawls a site whose pages all say that they are missing.
func TestLooksAreFew(t *testing.T) {
	t.Parallel()
	const origin = "https://shop.example"
	for n, want := range map[int]int{4: 1, 9: 1, 10: 2, 95: 10} {
		site := newLookSite(origin, n, "<title>Not found</title><p>%d", nil)
		if got := lookFaults(t, site, crawl.Options{Start: origin}); len(got) != want {
			t.Errorf("%d pages: %d faults, want %d", n+1, len(got), want)
		}
		again := 0
		for url, requests := range site.requests {
			if strings.Contains(url, "/page/") {
				again += requests - 1
			}
		}
		if again != want {
			t.Errorf("%d pages: %d further requests, want %d", n+1, again, want)
		}
	}
}

// TestHTTPSPage crawls a site of http that has https too, or not.
func TestHTTPSPage(t *testing.T) {
	t.Parallel()
	const origin, ordinary = "http://shop.example", "<title>Page %d</title><p>ordinary"
	secure := always("<title>Start</title>")
	for name, test := range map[string]struct {
		start  string
		https  func(int) string
		robots string
		want   []string
	}{
		"https answers": {origin, secure, "", []string{`http://shop.example/ http-page "https://shop.example/" ×1`}},
		"https is 404":  {origin, always(""), "", nil},
		"disallowed":    {origin, secure, "User-agent: *\nDisallow: /$\nAllow: /page/", nil},
		"another port":  {"http://shop.example:8080", secure, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			site := newLookSite(test.start, 3, ordinary, map[string]func(int) string{"https://shop.example/": test.https})
			options := crawl.Options{Start: test.start}
			if site.robots = test.robots; test.robots != "" {
				options.Start += "/page/aaaaa"
			}
			if got := lookFaults(t, site, options); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if requests := site.requests["https://shop.example/"]; requests > 1 || requests < len(test.want) {
				t.Errorf("https was requested %d times", requests)
			}
		})
	}
}

// tagging answers conditional requests with 304.
type tagging struct{ inProcess }

func (t tagging) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Header.Get("If-None-Match") != "" {
		return &http.Response{StatusCode: http.StatusNotModified, Header: http.Header{}, Body: http.NoBody}, nil
	}
	response, err := t.inProcess.RoundTrip(r)
	response.Header.Set("ETag", `"1"`)
	return response, err
}

// TestLooksOfUnchangedPages crawls again a site whose page says no longer that it is missing.
func TestLooksOfUnchangedPages(t *testing.T) {
	t.Parallel()
	const origin = "https://shop.example"
	site := newLookSite(origin, 12, "<title>Page %d</title><p>ordinary", map[string]func(int) string{
		origin + "/page/aaaac": inTurn("<title>Not found</title>x", "<title>Not found</title>x", "<title>Found</title>x"),
	})
	options := crawl.Options{Start: origin, Access: access.Access{
		Rate: access.PerSecond(0), Transport: tagging{inProcess{site}},
	}}
	for crawled, want := range []int{1, 0} {
		store := &crawl.MemoryStore{}
		if _, err := crawl.Run(t.Context(), store, &options); err != nil {
			t.Fatal(err)
		}
		record, _, err := store.PageByURL(origin + "/page/aaaac")
		if err != nil || len(record.Page.Facts.Faults) != want || record.Page.Reused != (crawled == 1) {
			t.Errorf("crawl %d: %+v, reused %t, %v", crawled, record.Page.Facts.Faults, record.Page.Reused, err)
		}
		options.Previous = store
	}
}

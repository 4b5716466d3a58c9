package crawl_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/testsite"
)

// decision is the result for a URL: "reason: detail", or "" if it is listed.
type decision string

// parse returns a site, or ends the test.
func parse(t *testing.T, archive string) *testsite.Site {
	t.Helper()
	site, err := testsite.Parse([]byte(archive))
	if err != nil {
		t.Fatal(err)
	}
	return site
}

// serve serves until the test ends, and returns the URL.
func serve(t *testing.T, handler http.Handler) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

// run crawls without a rate limit.
func run(t *testing.T, store crawl.Store, options *crawl.Options) (crawl.Progress, error) {
	t.Helper()
	unlimited := *options
	unlimited.Access.Rate = access.PerSecond(0)
	return crawl.Run(t.Context(), store, &unlimited)
}

// decisions returns the decision for every URL found, by its path on the site at
// origin, or by the whole URL for other sites.
func decisions(store *crawl.MemoryStore, origin string) map[string]decision {
	all := map[string]decision{}
	store.Each(func(link crawl.Link, page *crawl.Page) {
		reason, detail := link.Reason, link.Detail
		if page != nil {
			reason, detail = page.Reason, page.Detail
		} else if reason == crawl.ReasonListed {
			reason = "waiting"
		}
		d := string(reason)
		if detail != "" {
			d += ": " + detail.String()
		}
		all[strings.TrimPrefix(link.URL, origin)] = decision(strings.ReplaceAll(d, origin, ""))
	})
	return all
}

// compare reports every difference between decisions.
func compare(t *testing.T, got, want map[string]decision) {
	t.Helper()
	for target, d := range want {
		if had, found := got[target]; !found {
			t.Errorf("%s: not found, want %q", target, d)
		} else if had != d {
			t.Errorf("%s: %q, want %q", target, had, d)
		}
	}
	for target, d := range got {
		if _, wanted := want[target]; !wanted {
			t.Errorf("%s: %q, want it not found", target, d)
		}
	}
}

// missingProbe matches the URL by which the crawler finds the not-found page.
var missingProbe = regexp.MustCompile(`^/[0-9a-f]{24}$`)

func patterns(texts ...string) []*regexp.Regexp {
	var compiled []*regexp.Regexp
	for _, text := range texts {
		compiled = append(compiled, regexp.MustCompile(text))
	}
	return compiled
}

// tree is a site of numbered pages. Each links to home and to two further pages.
type tree struct {
	pages int

	mutex    sync.Mutex
	requests map[string]int
	asked    int
	at       map[int]func() // called before the response to the request of that number
}

func (s *tree) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	if s.requests == nil {
		s.requests = map[string]int{}
	}
	s.requests[r.URL.Path]++
	s.asked++
	called := s.at[s.asked]
	s.mutex.Unlock()
	if called != nil {
		called()
	}
	n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
	if err != nil && r.URL.Path != "/" || n >= s.pages {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprintf(w, "<title>Page %d</title><p>text %s</p><a href='/'>home</a>", n, spelled(n))
	for _, below := range []int{2*n + 1, 2*n + 2} {
		if below < s.pages {
			fmt.Fprintf(w, "<a href='/%d'>below</a>", below)
		}
	}
}

// spelled writes a number in letters, because the digest of a text leaves numbers
// out.
func spelled(n int) string {
	return strings.Map(func(digit rune) rune { return digit - '0' + 'a' }, fmt.Sprintf("%05d", n))
}

// split counts the URLs with a decision and those that wait.
func split(all map[string]decision) (done, waiting int) {
	for _, d := range all {
		if d == "waiting" {
			waiting++
		} else {
			done++
		}
	}
	return done, waiting
}

// withRobots returns a site whose robots.txt comes from a handler.
func withRobots(site http.Handler, robots http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			robots(w, r)
			return
		}
		site.ServeHTTP(w, r)
	})
}

const onePage = `
-- / --
<title>Home</title><p>home</p>
`

package crawl_test

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
)

// finishStore records whether Run finished it.
type finishStore struct {
	crawl.MemoryStore
	finished bool
}

func (s *finishStore) Finish(ctx context.Context) error {
	s.finished = true
	return s.MemoryStore.Finish(ctx)
}

func TestLimits(t *testing.T) {
	t.Parallel()
	t.Run("pages", func(t *testing.T) {
		t.Parallel()
		site := &tree{pages: 100}
		origin, store := serve(t, site), &finishStore{}
		progress, err := run(t, store, &crawl.Options{Start: origin, Limits: crawl.Limits{Pages: 10}})
		if err != nil || progress.Limit != "max-pages" || progress.Pages != 10 || !store.finished {
			t.Errorf("%+v, %v, finished: %t", progress, err, store.finished)
		}
		if done, waiting := split(decisions(&store.MemoryStore, origin)); done != 10 || waiting == 0 ||
			waiting != progress.Waiting {
			t.Errorf("%d done, %d waiting, %d said to", done, waiting, progress.Waiting)
		}
		for _, limit := range []int{15, 15, 12} { // of all runs together
			progress, err := run(t, store, &crawl.Options{Start: origin, Limits: crawl.Limits{Pages: limit}})
			if err != nil || progress.Limit != "max-pages" || progress.Pages != 15 {
				t.Errorf("another run until %d: %+v, %v", limit, progress, err)
			}
		}
	})
	t.Run("depth", func(t *testing.T) {
		t.Parallel()
		site := &tree{pages: 100}
		origin, store := serve(t, site), &crawl.MemoryStore{}
		if _, err := run(t, store, &crawl.Options{Start: origin, Limits: crawl.Limits{Depth: 2}}); err != nil {
			t.Fatal(err)
		}
		const beyond = "limit: max-depth"
		compare(t, decisions(store, origin), map[string]decision{
			"/": "", "/1": "", "/2": "", "/3": "", "/4": "", "/5": "", "/6": "",
			"/7": beyond, "/8": beyond, "/9": beyond, "/10": beyond, "/11": beyond, "/12": beyond, "/13": beyond, "/14": beyond,
		})
	})
	t.Run("bytes", func(t *testing.T) {
		t.Parallel()
		site := &tree{pages: 100}
		origin, store := serve(t, site), &crawl.MemoryStore{}
		progress, err := run(t, store, &crawl.Options{
			Start: origin, Limits: crawl.Limits{Bytes: 400}, Concurrency: 1,
		})
		if err != nil || progress.Limit != "max-bytes" || progress.Bytes < 400 || progress.Bytes > 600 {
			t.Errorf("%+v, %v", progress, err)
		}
	})
	t.Run("time", func(t *testing.T) {
		t.Parallel()
		// Nothing but the limit ends this site: each page links to the next.
		inBubble(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(time.Second)
			n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
			if err != nil && r.URL.Path != "/" {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<title>%d</title><a href='/%d'>next</a>", n, n+1)
		}), func(t *testing.T, a access.Access) {
			store := &finishStore{}
			progress, err := run(t, store, &crawl.Options{
				Start: pipeOrigin, Access: a, Limits: crawl.Limits{Time: time.Minute}, Traps: crawl.Traps{Chain: -1},
			})
			if err != nil || progress.Limit != "max-time" || store.finished || progress.Elapsed > 62*time.Second {
				t.Errorf("%+v, %v, finished: %t", progress, err, store.finished)
			}
		})
	})
}

// TestTimeLimitWhileSeeding reaches the time limit while a sitemap, or a list of seeds,
// does not end.
func TestTimeLimitWhileSeeding(t *testing.T) {
	t.Parallel()
	site := parse(t, onePage)
	for name, seeds := range map[string]iter.Seq2[crawl.Seed, error]{
		"sitemap": nil,
		"list": func(yield func(crawl.Seed, error) bool) {
			for yield(crawl.Seed{URL: "https://elsewhere.example/", Source: crawl.SeedList}, nil) {
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch r.URL.Path {
				case "/robots.txt":
					fmt.Fprintf(w, "Sitemap: http://%s/sitemap.txt\n", r.Host)
				case "/sitemap.txt":
					fmt.Fprintf(w, "http://%s/\n", r.Host)
					http.NewResponseController(w).Flush()
					<-r.Context().Done()
				default:
					site.ServeHTTP(w, r)
				}
			}))
			progress, err := run(t, &crawl.MemoryStore{}, &crawl.Options{
				Start: origin, Seeds: seeds, Limits: crawl.Limits{Time: 100 * time.Millisecond},
			})
			if err != nil || progress.Limit != crawl.LimitTime || progress.Elapsed > 10*time.Second {
				t.Errorf("%+v, %v", progress, err)
			}
		})
	}
}

// TestManyLinksToFewPages crawls a page with more links than are followed, all to known
// pages.
func TestManyLinksToFewPages(t *testing.T) {
	t.Parallel()
	origin := serve(t, parse(t, "\n-- / --\n"+strings.Repeat(`<a href="/a">a</a> <a href="/">home</a> `, 20)+
		"\n-- /a --\n<p>end</p>\n"))
	store := &crawl.MemoryStore{}
	if _, err := run(t, store, &crawl.Options{Start: origin, Traps: crawl.Traps{Links: 10}}); err != nil {
		t.Fatal(err)
	}
	summary, err := store.Summary(t.Context())
	if n := summary.Traps[crawl.TrapLinks.Detail()]; err != nil || n != 1 {
		t.Errorf("%d pages with too many links, %v", n, err)
	}
}

// TestLinkOverTheLimit lists a page that one page links to by one link too many, and
// another by an ordinary one.
func TestLinkOverTheLimit(t *testing.T) {
	t.Parallel()
	origin := serve(t, parse(t, "\n-- / --\n"+`<a href="/a">a</a> <a href="/b">b</a> <a href="/c">c</a>`+
		"\n-- /a --\n"+`<p>text of a</p><a href="/c">c</a>`+"\n-- /b --\n<p>text of b</p>\n-- /c --\n<p>text of c</p>\n"))
	store := &crawl.MemoryStore{}
	if _, err := run(t, store, &crawl.Options{Start: origin, Traps: crawl.Traps{Links: 2}}); err != nil {
		t.Fatal(err)
	}
	compare(t, decisions(store, origin), map[string]decision{"/": "", "/a": "", "/b": "", "/c": ""})
}

// TestUnlistable fetches pages with URLs on both sides of the bound of a sitemap, and lists
// those below it. The setting add follows the same bound.
func TestUnlistable(t *testing.T) {
	t.Parallel()
	added := func(n int) string { return "/add?" + strings.Repeat("y", n-len("/add?")) }
	path := func(n int) string { return "/a?" + strings.Repeat("x", n-len("/a?")) }
	var links []string
	origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>%d</title>%s", len(r.URL.RawQuery), strings.Join(links, ""))
	}))
	longest := 2047 - len(origin)
	want := map[string]decision{
		"/": "", path(longest): "", path(longest + 1): "unlistable: longer than 2047 characters",
		path(2083 - len(origin)): "unlistable: longer than 2047 characters",
		added(longest):           "added: ^/add", added(longest + 1): "unlistable: longer than 2047 characters",
	}
	for link := range want {
		links = append(links, "<a href='"+link+"'>a</a>")
	}
	store := &crawl.MemoryStore{}
	_, err := run(t, store, &crawl.Options{Start: origin, Scope: crawl.Scope{Add: patterns(`^/add`)}})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, decisions(store, origin), want)
}

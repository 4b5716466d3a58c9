package crawl_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strings"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
)

// listSeeds yields paths of a site as a list names them.
func listSeeds(origin string, paths ...string) iter.Seq2[crawl.Seed, error] {
	return func(yield func(crawl.Seed, error) bool) {
		for _, path := range paths {
			if !yield(crawl.Seed{URL: origin + path, Source: crawl.SeedList}, nil) {
				return
			}
		}
	}
}

const deepPath, futurePath = "/a/a/a/a/a/a", "/2099/01/"

// seedSite is crawled by its seeds alone, and where they redirect to. What is not
// to be requested ends with -out.
var seedSite = pathSite{
	"/": "links /a /new /other-out", "/a": "links /b-out /new /gone", "/old": "redirects /new",
	"/new": "links /c-out /a", deepPath: "links " + deepPath + "/a-out", futurePath: "links /d-out",
	"/moved": "refreshes /to", "/to": "links /e-out",
}

// TestOnlySeeds requests the start, the seeds and where they redirect to, whatever the pages link
// to, also after an interruption at each request. No seed is a trap.
func TestOnlySeeds(t *testing.T) {
	t.Parallel()
	want := seedSite.decisions()
	for path := range want {
		if strings.HasSuffix(path, "-out") {
			want[path] = "out-of-scope: not one of the given pages"
		}
	}
	want["/gone"] = "client-error: Not Found"
	for at, ended := 1, false; !ended; at++ {
		asked, cancel := 0, func() {}
		handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if asked++; asked == at {
				cancel()
			}
			if r.URL.Path == "/robots.txt" {
				fmt.Fprint(w, "Sitemap: /sitemap-out.xml")
				return
			}
			if strings.HasSuffix(r.URL.Path, "-out") || strings.HasSuffix(r.URL.Path, "-out.xml") {
				t.Errorf("%s was requested", r.URL.Path)
			}
			seedSite.ServeHTTP(w, r)
		})
		inBubble(t, handler, func(t *testing.T, a access.Access) {
			store := &crawl.MemoryStore{}
			options := &crawl.Options{
				Start: pipeOrigin, Access: a, Concurrency: 1, Scope: crawl.Scope{OnlySeeds: true},
				Seeds: listSeeds(pipeOrigin, "/a", "/old", deepPath, futurePath, "/gone", "/moved"),
			}
			var ctx context.Context
			ctx, cancel = context.WithCancel(t.Context())
			defer cancel()
			_, err := crawl.Run(ctx, store, options)
			if ended = err == nil; !ended && !errors.Is(err, crawl.ErrStopped) {
				t.Fatal(err)
			}
			if _, err := crawl.Run(t.Context(), store, options); err != nil {
				t.Fatal(err)
			}
			compare(t, decisions(store, pipeOrigin), want)
			if summary, err := store.Summary(t.Context()); err != nil || !summary.Complete() {
				t.Errorf("complete %v, %v", summary.Complete(), err)
			}
			if !ended {
				return
			}
			options.Previous, options.Seeds = store, listSeeds(pipeOrigin, "/old")
			progress, err := crawl.Run(t.Context(), &crawl.MemoryStore{}, options)
			if err != nil || progress.Pages != 3 {
				t.Errorf("%d pages of a shorter list, want 3; %v", progress.Pages, err)
			}
		})
	}
}

// TestSkipSitemaps leaves out the sitemaps that robots.txt names.
func TestSkipSitemaps(t *testing.T) {
	t.Parallel()
	for skip, want := range map[bool]int{false: 2, true: 1} {
		origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/robots.txt":
				fmt.Fprint(w, "Sitemap: /sitemap.txt")
			case "/sitemap.txt":
				fmt.Fprintf(w, "http://%s/listed\n", r.Host)
			default:
				pathSite{"/": "links /", "/listed": "links /"}.ServeHTTP(w, r)
			}
		}))
		progress, err := run(t, &crawl.MemoryStore{}, &crawl.Options{Start: origin, SkipSitemaps: skip})
		if err != nil || progress.Pages != want {
			t.Errorf("%d pages, want %d; %v", progress.Pages, want, err)
		}
	}
}

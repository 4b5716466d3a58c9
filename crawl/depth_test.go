package crawl_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
)

// A pathSite has pages by their path. The text of a page names, after a word, where it leads:
// "links /a /b", "redirects /a", "refreshes /a" or "waits /a", which takes time.
type pathSite map[string]string

func (s pathSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	kind, rest, _ := strings.Cut(s[r.URL.Path], " ")
	w.Header().Set("Content-Type", "text/html")
	switch kind {
	case "":
		http.NotFound(w, r)
		return
	case "redirects":
		http.Redirect(w, r, rest, http.StatusMovedPermanently)
		return
	case "refreshes":
		fmt.Fprintf(w, "<meta http-equiv=refresh content='0; url=%s'>", rest)
		return
	case "waits":
		time.Sleep(time.Second) // in a bubble
	}
	fmt.Fprintf(w, "<title>Page %s</title><p>the text of %[1]s</p>", r.URL.Path)
	for to := range strings.FieldsSeq(rest) {
		fmt.Fprintf(w, "<a href=%s>%[1]s</a> ", to)
	}
}

// depthSites have pages that a limit of the depth leaves out, which are all whose path ends
// with -out.
var depthSites = map[string]struct {
	limit int
	site  pathSite
}{
	"redirects": {2, pathSite{
		"/": "links /a", "/a": "redirects /a/", "/a/": "links /b", "/b": "refreshes /b/", "/b/": "links /c-out",
	}},
	"of the start": {1, pathSite{"/": "redirects /en", "/en": "refreshes /en/", "/en/": "links /a", "/a": "links /b-out"}},
	"a redirect to a page that waits": {2, pathSite{
		"/": "links /a /old", "/a": "links /b", "/old": "redirects /b", "/b": "links /c", "/c": "links /d-out",
	}},
	"a redirect to a page beyond the limit": {1, pathSite{
		"/": "links /a /old", "/a": "links /b /c-out", "/old": "redirects /older", "/older": "redirects /b", "/b": "links /a",
	}},
	"a redirect beyond the limit": {1, pathSite{"/": "links /a", "/a": "links /old-out", "/old-out": "redirects /a"}},
	"a slow page": {3, pathSite{
		"/": "links /slow /a", "/slow": "waits /c", "/a": "links /b", "/b": "links /c", "/c": "links /d",
		"/d": "links /e-out",
	}},
}

func (s pathSite) decisions() map[string]decision {
	want := map[string]decision{}
	for path, text := range s {
		kind, to, _ := strings.Cut(text, " ")
		switch kind {
		case "redirects":
			want[path] = decision("redirect: " + to)
		case "refreshes":
			want[path] = "redirect: meta refresh"
		default:
			want[path] = ""
			for link := range strings.FieldsSeq(to) {
				if strings.HasSuffix(link, "-out") {
					defer func() { want[link] = "limit: max-depth" }()
				}
			}
		}
	}
	return want
}

// TestDepthLimit counts the links that people follow. Redirects do not count.
func TestDepthLimit(t *testing.T) {
	t.Parallel()
	for name, test := range depthSites {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, test.site, func(t *testing.T, a access.Access) {
				store := &crawl.MemoryStore{}
				_, err := run(t, store, &crawl.Options{
					Start: pipeOrigin, Access: a, Limits: crawl.Limits{Depth: test.limit},
				})
				if err != nil {
					t.Fatal(err)
				}
				compare(t, decisions(store, pipeOrigin), test.site.decisions())
			})
		})
	}
}

// TestDepthLimitAfterInterruption stops each crawl at each of its requests, and continues it.
func TestDepthLimitAfterInterruption(t *testing.T) {
	t.Parallel()
	for name, test := range depthSites {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for at, ended := 1, false; !ended; at++ {
				asked, cancel := 0, func() {}
				handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if asked++; asked == at {
						cancel()
					}
					test.site.ServeHTTP(w, r)
				})
				inBubble(t, handler, func(t *testing.T, a access.Access) {
					store := &crawl.MemoryStore{}
					options := &crawl.Options{
						Start: pipeOrigin, Access: a, Concurrency: 1, Limits: crawl.Limits{Depth: test.limit},
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
					compare(t, decisions(store, pipeOrigin), test.site.decisions())
				})
			}
		})
	}
}

// TestRefreshChain bounds refreshes in a row, of whatever kind the redirects between them are.
func TestRefreshChain(t *testing.T) {
	t.Parallel()
	origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := strings.Count(r.URL.Path, "n")
		kind := []string{"refreshes", "redirects"}[n%2]
		if r.URL.Path == "/" {
			kind = "links"
		}
		pathSite{r.URL.Path: kind + " " + r.URL.Path + "n"}.ServeHTTP(w, r)
	}))
	store := &crawl.MemoryStore{}
	if _, err := run(t, store, &crawl.Options{Start: origin, Traps: crawl.Traps{Redirects: 4}}); err != nil {
		t.Fatal(err)
	}
	compare(t, decisions(store, origin), map[string]decision{
		"/": "", "/n": "redirect: /nn", "/nn": "redirect: meta refresh", "/nnn": "redirect: /nnnn",
		"/nnnn": "redirect: meta refresh", "/nnnnn": "trap: endless redirects",
	})
}

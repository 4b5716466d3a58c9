package crawl_test

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
)

// TestOutage crawls a site that stops answering, and continues when it answers again:
// the URLs without an answer are requested again.
func TestOutage(t *testing.T) {
	t.Parallel()
	const pages = 200
	undisturbed := &crawl.MemoryStore{}
	origin := serve(t, &tree{pages: pages})
	if _, err := run(t, undisturbed, &crawl.Options{Start: origin}); err != nil {
		t.Fatal(err)
	}
	want := decisions(undisturbed, origin)
	drop := func(http.ResponseWriter) { panic(http.ErrAbortHandler) }
	for name, test := range map[string]struct {
		after int64 // requests
		fall  func(http.ResponseWriter)
	}{
		"drops connections": {100, drop},
		"gateway error":     {100, func(w http.ResponseWriter) { w.WriteHeader(http.StatusBadGateway) }},
		"near the end":      {pages - 3, drop},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var requests, answered atomic.Int64
			answered.Store(test.after)
			site := &tree{pages: pages}
			inBubble(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if requests.Add(1) > answered.Load() {
					test.fall(w)
					return
				}
				site.ServeHTTP(w, r)
			}), func(t *testing.T, a access.Access) {
				store, options := &crawl.MemoryStore{}, &crawl.Options{Start: pipeOrigin, Access: a, Concurrency: 32}
				progress, err := run(t, store, options)
				if !errors.Is(err, crawl.ErrOutage) || progress.Unanswered == 0 || progress.Waiting < progress.Unanswered ||
					progress.Broken != 0 {
					t.Fatalf("%+v, %v", progress, err)
				}
				again, err := run(t, store, options)
				if !errors.Is(err, crawl.ErrOutage) || again.Pages != progress.Pages || again.Waiting != progress.Waiting {
					t.Fatalf("%+v after %+v, %v", again, progress, err)
				}
				answered.Store(math.MaxInt64)
				progress, err = run(t, store, options)
				if err != nil || !progress.Resumed || progress.Pages != pages || progress.Unanswered != 0 {
					t.Fatalf("%+v, %v", progress, err)
				}
				compare(t, decisions(store, pipeOrigin), want)
			})
		})
	}
}

// TestUnansweredPart crawls a site that drops every connection for some of its pages.
// The site still answers, so these pages are broken.
func TestUnansweredPart(t *testing.T) {
	t.Parallel()
	const pages = 100
	site := &tree{pages: pages}
	inBubble(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/")); n >= pages/2 {
			panic(http.ErrAbortHandler)
		}
		site.ServeHTTP(w, r)
	}), func(t *testing.T, a access.Access) {
		store := &crawl.MemoryStore{}
		progress, err := run(t, store, &crawl.Options{Start: pipeOrigin, Access: a, Concurrency: 32})
		if err != nil || progress.Pages != pages || progress.Broken != pages/2 || progress.Waiting != 0 {
			t.Fatalf("%+v, %v", progress, err)
		}
		if d := decisions(store, pipeOrigin)["/99"]; d != "unreachable: connection dropped" {
			t.Errorf("/99: %q", d)
		}
	})
}

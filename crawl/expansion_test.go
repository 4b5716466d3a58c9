package crawl_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl"
)

// TestExpansion crawls pages of some kilobytes whose base makes their links 2,000 bytes
// long. The URLs may not take much more than the pages, and other links are followed.
func TestExpansion(t *testing.T) {
	t.Parallel()
	base := "/" + strings.Repeat("z", 1900) + "/"
	origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		number, found := strings.CutPrefix(r.URL.Path, "/page-")
		switch {
		case r.URL.Path == "/":
			fmt.Fprint(w, "<title>home</title><a href=/page-1>1</a><a href=/page-2>2</a>")
		case found:
			fmt.Fprintf(w, "<title>%s</title><base href=%s>", number, base)
			for i := range 1500 {
				fmt.Fprintf(w, "<a href=%s-%d>", number, i)
			}
			fmt.Fprintf(w, "<a href=http://%s/last-%s>last</a>", r.Host, number)
		case strings.HasPrefix(r.URL.Path, "/last-"):
			fmt.Fprint(w, "<title>last</title><p>text</p>")
		default:
			http.NotFound(w, r)
		}
	}))
	store := &crawl.MemoryStore{}
	progress, err := run(t, store, &crawl.Options{Start: origin, Concurrency: 1})
	if err != nil {
		t.Errorf("%+v, %v", progress, err)
	}
	size, edges, cut := 0, 0, false
	listed := map[string]bool{}
	store.Each(func(link crawl.Link, page *crawl.Page) {
		size += len(link.URL)
		listed[strings.TrimPrefix(link.URL, origin)] = page != nil && page.Reason == crawl.ReasonListed
		if page != nil {
			cut = cut || page.TooManyLinks
			for _, edge := range page.Links {
				edges++
				if _, err := store.Link(edge.To); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
	if size < 1<<20 || size > 4<<20 || edges < 500 || !cut {
		t.Errorf("%d bytes of URLs, %d links, cut: %t", size, edges, cut)
	}
	for _, path := range []string{"/page-1", "/page-2", "/last-1", "/last-2"} {
		if !listed[path] {
			t.Errorf("%s is not listed", path)
		}
	}
}

package crawl_test

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl"
)

// TestSoftNotFoundRepeatingItsAddress crawls a site whose page for missing pages
// says 200 and names the address that was asked for.
func TestSoftNotFoundRepeatingItsAddress(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch path := r.URL.Path; {
		case path == "/robots.txt":
			http.NotFound(w, r)
		case path == "/":
			fmt.Fprint(w, `<title>Home</title><h1>Flowers</h1><a href="/real/roses">roses</a> <a href="/gone/1">1</a> <a href="/gone/a%20b%26c">2</a>`)
		case strings.HasPrefix(path, "/real/"):
			fmt.Fprintf(w, "<title>%s</title><h1>Roses</h1><p>They stand at %[1]s and are red, pink or white.</p>", path)
		default:
			shown := html.EscapeString(path)
			fmt.Fprintf(w, "<title>Sorry: %s</title><h1>No %[1]s</h1><p>Nothing is at %[1]s any more.</p><a href='more/'>more</a>", shown)
		}
	}))
	defer server.Close()
	store := &crawl.MemoryStore{}
	crawlSite(t, store, server.URL)
	reasons := map[string]crawl.Reason{}
	store.Each(func(link crawl.Link, page *crawl.Page) {
		reasons[strings.TrimPrefix(link.URL, server.URL)] = page.Reason
	})
	want := map[string]crawl.Reason{
		"/": crawl.Listed, "/real/roses": crawl.Listed, "/gone/1": crawl.SoftNotFound, "/gone/a%20b%26c": crawl.SoftNotFound,
	}
	for path, reason := range want {
		if got, met := reasons[path]; !met || got != reason {
			t.Errorf("%s: met %t, reason %q, want %q", path, met, got, reason)
		}
	}
	if len(reasons) != len(want) {
		t.Errorf("%d addresses, want %d: %v", len(reasons), len(want), reasons)
	}
}

func crawlSite(t *testing.T, store *crawl.MemoryStore, start string) crawl.Progress {
	t.Helper()
	progress, err := crawl.Run(t.Context(), store, crawl.Options{Start: start, Access: crawl.Access{Rate: -1}})
	if err != nil {
		t.Fatal(err)
	}
	return progress
}

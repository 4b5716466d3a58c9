package crawl_test

import (
	"context"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
)

// TestTargets compares the targets of redirects and canonical links.
func TestTargets(t *testing.T) {
	t.Parallel()
	origin := serve(t, parse(t, decisionSite))
	store := &crawl.MemoryStore{}
	if _, err := run(t, store, &crawl.Options{Start: origin}); err != nil {
		t.Fatal(err)
	}
	addresses, targets := map[crawl.ID]string{}, map[string]crawl.ID{}
	store.Each(func(link crawl.Link, page *crawl.Page) {
		target, err := url.Parse(link.URL)
		if err != nil {
			t.Fatal(err)
		}
		addresses[link.ID] = target.RequestURI()
		if page != nil {
			targets[target.RequestURI()] = page.Target
		}
	})
	for from, to := range map[string]string{
		"/moved":            "/moved-target",
		"/chain-b":          "/chain-c",
		"/loop-one":         "/loop-one",
		"/loop-two-a":       "/loop-two-b",
		"/loop-three-c":     "/loop-three-a",
		"/refresh-now":      "/refreshed",
		"/canonical-link":   "/canonical-target",
		"/canonical-header": "/canonical-target",
		"/canonical-self":   "",
		"/plain":            "",
	} {
		if got := addresses[targets[from]]; got != to {
			t.Errorf("the target of %s is %q, want %q", from, got, to)
		}
	}
}

// TestRedirectWithinKey follows a redirect that only removes a session: both URLs are
// the same page. Tracking parameters are never sent.
func TestRedirectWithinKey(t *testing.T) {
	asked := map[string]int{}
	var mutex sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		asked[r.URL.RequestURI()]++
		mutex.Unlock()
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.RequestURI() {
		case "/":
			io.WriteString(w, `<a href="/item?sid=1">a</a> <a href="/offer?utm_source=home">b</a>`)
		case "/item?sid=1":
			http.Redirect(w, r, "/item", http.StatusMovedPermanently)
		case "/item", "/offer":
			io.WriteString(w, "<title>page</title>")
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	store := &crawl.MemoryStore{}
	if _, err := crawl.Run(context.Background(), store,
		&crawl.Options{Start: server.URL, Access: access.Access{Rate: access.PerSecond(0)}}); err != nil {
		t.Fatal(err)
	}
	got := map[string]crawl.Reason{}
	store.Each(func(link crawl.Link, page *crawl.Page) { got[strings.TrimPrefix(link.URL, server.URL)] = page.Reason })
	want := map[string]crawl.Reason{"/": crawl.ReasonListed, "/item": crawl.ReasonListed, "/offer": crawl.ReasonListed}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if asked["/offer?utm_source=home"] > 0 || asked["/item"] != 1 {
		t.Errorf("requests: %v", asked)
	}
}

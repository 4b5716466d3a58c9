package watch_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/watch"
)

// roundTripper answers requests without a network.
type roundTripper func(*http.Request) (*http.Response, error)

func (r roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return r(request) }

// TestMakeDue requests a feed at once after a delivery, and once for the deliveries of the next seconds.
func TestMakeDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const feed = "https://news.example/feed.xml"
		requests := 0
		transport := roundTripper(func(r *http.Request) (*http.Response, error) {
			if r.URL.Path == "/robots.txt" {
				return &http.Response{StatusCode: http.StatusNotFound, Body: http.NoBody, Request: r}, nil
			}
			requests++
			body := `<rss version="2.0"><channel><item><link>https://news.example/1</link></item></channel></rss>`
			return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(body)), Request: r,
				Header: http.Header{"Content-Type": {"application/rss+xml"}}}, nil
		})
		w, err := watch.New(&watch.MemoryStore{}, &watch.Options{
			Sites: []string{feed}, Every: time.Hour, Access: access.Access{Transport: transport},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		visit := func(want int) {
			t.Helper()
			if err := w.Visit(t.Context()); err != nil || requests != want {
				t.Fatalf("%d requests, want %d, error %v", requests, want, err)
			}
		}
		deliver := func() {
			if err := w.MakeDue(t.Context(), feed); err != nil {
				t.Fatal(err)
			}
		}
		visit(1)
		for range 400 {
			deliver()
			visit(1)
		}
		next, err := w.Next(t.Context())
		if wait := time.Until(next); err != nil || wait <= 0 || wait > 5*time.Second {
			t.Errorf("the next pass is in %v, error %v", wait, err)
		}
		time.Sleep(time.Until(next))
		visit(2)
		visit(2) // nothing is due
		time.Sleep(time.Minute)
		deliver()
		visit(3)
	})
}

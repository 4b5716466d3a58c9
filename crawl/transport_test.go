package crawl_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl"
)

// inProcess answers requests by a handler.
type inProcess struct{ http.Handler }

func (p inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	recorder := httptest.NewRecorder()
	p.ServeHTTP(recorder, httptest.NewRequest(r.Method, r.URL.String(), nil))
	return recorder.Result(), nil
}

// TestTransport crawls a handler without a server, with dates from elsewhere.
func TestTransport(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/" {
			w.Write([]byte(`<title>Home</title><p>home</p><a href="/a">a</a><a href="/missing">b</a>`))
			return
		}
		if r.URL.Path != "/a" {
			w.WriteHeader(http.StatusNotFound)
		}
		w.Write([]byte("<title>A</title><p>a</p>"))
	})
	changed := time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)
	store := crawl.NewMemoryStore(crawl.Meta{Start: "https://example.com/"})
	_, err := crawl.Run(context.Background(), store, &crawl.Options{
		Start: "https://site.invalid/", BaseURL: "https://example.com/", Transport: inProcess{mux},
		LastModified: func(url string) (time.Time, crawl.LastModSource) {
			if url == "https://example.com/a" {
				return changed, crawl.LastModGit
			}
			return time.Time{}, ""
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for url, want := range map[string]int{"https://example.com/": 200, "https://example.com/a": 200,
		"https://example.com/missing": 404} {
		record, found, err := store.PageByURL(url)
		if err != nil || !found || record.Page.Status != want {
			t.Errorf("%s: %v, %d, %v", url, found, record.Page.Status, err)
		}
		if isA := url == "https://example.com/a"; isA != (record.Page.LastModSource == crawl.LastModGit) {
			t.Errorf("%s: date from %q", url, record.Page.LastModSource)
		}
	}
}

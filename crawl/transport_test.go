package crawl_test

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
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
	store := crawl.NewMemoryStore()
	_, err := crawl.Run(context.Background(), store, &crawl.Options{
		Start: "https://site.invalid/", BaseURL: "https://example.com/", Local: crawl.Local{
			Transport: inProcess{mux},
			LastModified: func(url string) (time.Time, crawl.LastModSource) {
				if url == "https://example.com/a" {
					return changed, crawl.LastModGit
				}
				return time.Time{}, ""
			},
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

// TestLocalAddress requests and records a page at one address, whatever links to it say.
func TestLocalAddress(t *testing.T) {
	pages := map[string]string{
		"/index.html": `<base href="/a/"><link rel=alternate hreflang=es href="/a"><title>Home</title><p>home</p>` +
			`<a href="/a">1</a><a href="/a/">2</a><a href="/a/?q=1">3</a><a href="/old">4</a>` +
			`<a href="http://EXAMPLE.com/a/index.html#x">5</a><a href="https://other.example/a/">6</a><a href="c">7</a>`,
		"/a.html":     `<link rel=canonical href="/a/"><title>A</title><p>a</p><a href="b">b</a>`,
		"/a.html?q=1": `<link rel=canonical href="/a"><title>A</title><p>a</p>`,
		"/b":          `<title>B</title><p>b</p>`,
		"/a/c":        `<title>C</title><p>c</p>`,
	}
	serve := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch text, ok := pages[r.URL.RequestURI()]; {
		case r.URL.Path == "/old":
			http.Redirect(w, r, "/a/index.html", http.StatusMovedPermanently)
		case !ok:
			http.NotFound(w, r)
		default:
			w.Header().Set("Link", `</a/index.html>; rel="canonical"`)
			if r.URL.Path != "/a.html" {
				w.Header().Del("Link")
			}
			w.Write([]byte(text))
		}
	}
	address := func(path []byte) string {
		switch string(path) {
		case "/":
			return "/index.html"
		case "/a", "/a/", "/a/index.html":
			return "/a.html"
		}
		return ""
	}
	for _, include := range []string{"", "^/(a|b)"} {
		var store crawl.MemoryStore
		options := crawl.Options{
			Start: "https://site.invalid/", BaseURL: "https://example.com/",
			Local: crawl.Local{Transport: inProcess{http.HandlerFunc(serve)}, Address: address},
		}
		if include != "" {
			options.Scope.Include = []*regexp.Regexp{regexp.MustCompile(include)}
		}
		if _, err := crawl.Run(t.Context(), &store, &options); err != nil {
			t.Fatal(err)
		}
		got := map[string]crawl.Reason{}
		store.Each(func(link crawl.Link, page *crawl.Page) {
			if got[link.URL] = link.Reason; page != nil {
				got[link.URL] = page.Reason
			}
			if link.URL == "https://example.com/index.html" && include == "" &&
				(page.Extensions == nil || page.Extensions.Alternates[0].Href != "https://example.com/a.html") {
				t.Errorf("the home page has %+v", page.Extensions)
			}
		})
		want := map[string]crawl.Reason{
			"https://example.com/index.html": "", "https://example.com/a.html": "", "https://example.com/b": "",
			"https://example.com/a.html?q=1": crawl.ReasonCanonical, "https://example.com/old": crawl.ReasonRedirect,
			"https://other.example/a/": crawl.ReasonOutOfScope, "https://example.com/a/c": "",
		}
		if include != "" {
			want["https://example.com/index.html"] = crawl.ReasonExcluded
			want["https://example.com/old"] = crawl.ReasonExcluded
		}
		if !maps.Equal(got, want) {
			t.Errorf("include %q: %v, want %v", include, got, want)
		}
	}
}

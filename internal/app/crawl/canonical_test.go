package crawl

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/crawlfile"
)

// TestCanonicalRedirectsBack lists a page whose canonical URL redirects back to it, also when a
// later crawl finds it unchanged, until that leads elsewhere. A file that verifies the owner is
// never listed.
func TestCanonicalRedirectsBack(t *testing.T) {
	var elsewhere atomic.Bool
	mux := http.NewServeMux()
	page := func(pattern, text string) {
		mux.HandleFunc("GET "+pattern, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"1"`)
			if r.Header.Get("If-None-Match") != "" {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			w.Header().Set("Content-Type", "text/html")
			w.Write([]byte(text))
		})
	}
	page("/{$}", `<title>Home</title><p>home</p><a href=/blog/>blog</a><a href=/google0123456789abcdef.html>google</a>`)
	page("/blog/", `<link rel=canonical href=/blog><link rel=alternate hreflang=es href=/><title>Blog</title><p>blog</p>`)
	page("/news/", `<title>News</title><p>news</p>`)
	page("/google0123456789abcdef.html", "google-site-verification: google0123456789abcdef.html")
	mux.HandleFunc("GET /blog", func(w http.ResponseWriter, r *http.Request) {
		to := "/blog/"
		if elsewhere.Load() {
			to = "/news/"
		}
		http.Redirect(w, r, to, http.StatusMovedPermanently)
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	folder := t.TempDir()
	for run, want := range []map[string]crawl.Reason{
		{"/": "", "/blog/": "", "/blog": crawl.ReasonRedirect, "/google0123456789abcdef.html": crawl.ReasonNotAPage},
		{"/": "", "/blog/": "", "/blog": crawl.ReasonRedirect, "/google0123456789abcdef.html": crawl.ReasonNotAPage},
		{"/": "", "/blog/": crawl.ReasonCanonical, "/blog": crawl.ReasonRedirect, "/news/": "",
			"/google0123456789abcdef.html": crawl.ReasonNotAPage},
	} {
		elsewhere.Store(run == 2)
		result, err := crawlSite(t, new(app.App), server.URL, folder)
		if err != nil {
			t.Fatal(err)
		}
		if isBack := result.Returning == 1; isBack != (run < 2) {
			t.Errorf("run %d: %d canonicals redirect back", run, result.Returning)
		}
		file, err := crawlfile.Open(folder)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]crawl.Reason{}
		for record, err := range file.Pages(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			path := record.Link.URL[len(server.URL):]
			got[path] = record.Reason()
			if isBack := record.Page.Conflict == crawl.DetailElementBack+"\t"+crawl.Detail(server.URL)+"/blog"; isBack !=
				(path == "/blog/" && run < 2) {
				t.Errorf("run %d: %s has the conflict %q", run, path, record.Page.Conflict)
			}
			if path == "/blog/" && (record.Page.Extensions == nil || len(record.Page.Extensions.Alternates) != 1) {
				t.Errorf("run %d: %s has %+v for the sitemap", run, path, record.Page.Extensions)
			}
			if path == "/blog/" && record.Page.Reused != (run > 0) {
				t.Errorf("run %d: reused is %v", run, record.Page.Reused)
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("run %d: %v, want %v", run, got, want)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

package crawl

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/app"
)

// TestRecallStart continues the crawl of a staging copy that was typed without a scheme and
// does not speak https, and crawls it again without naming the public address.
func TestRecallStart(t *testing.T) {
	t.Parallel()
	var interrupt atomic.Pointer[context.CancelFunc]
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if stop := interrupt.Load(); stop != nil && r.URL.Path == "/a" {
			(*stop)()
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<title>" + r.URL.Path + "</title><p>This is " + r.URL.Path + "<a href=/a>a</a>"))
	}))
	defer server.Close()
	folder := filepath.Join(t.TempDir(), "out")
	run := func(ctx context.Context, base string) (*Result, error) {
		settings := NewSettings()
		settings.Output, settings.BaseURL, settings.Access.Rate = folder, base, access.PerSecond(0)
		return Run(ctx, &app.App{}, strings.TrimPrefix(server.URL, "http://"), settings)
	}
	ctx, cancel := context.WithCancel(t.Context())
	interrupt.Store(&cancel)
	if result, err := run(ctx, "https://public.example/docs/"); err != nil || result.Details.Cut == nil {
		t.Fatalf("%+v, %v", result, err)
	}
	interrupt.Store(nil)
	for _, base := range []string{"https://public.example/docs/", "", "https://public.example/docs/"} {
		result, err := run(t.Context(), base)
		if err != nil || result.Listed != 2 || result.Details.Cut != nil {
			t.Fatalf("--base-url %q: %+v, %v", base, result, err)
		}
		text, err := os.ReadFile(filepath.Join(folder, "sitemap.xml"))
		if err != nil || !strings.Contains(string(text), "<loc>https://public.example/docs/a</loc>") {
			t.Errorf("--base-url %q: %s, %v", base, text, err)
		}
	}
}

// TestRecallScheme keeps a scheme that was typed, and a host that speaks none but http.
func TestRecallScheme(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(onePage))
	defer server.Close()
	folder := t.TempDir()
	var fallbacks atomic.Int64
	a := &app.App{OnEvent: func(e app.Event) {
		if _, is := e.(HTTPFallback); is {
			fallbacks.Add(1)
		}
	}}
	host := strings.TrimPrefix(server.URL, "http://")
	for _, step := range []struct {
		address   string
		fallbacks int64
		fails     bool
	}{
		{host, 1, false}, {host, 1, false}, {server.URL, 1, false}, {"https://" + host, 1, true}, {host, 1, false},
	} {
		result, err := crawlSite(t, a, step.address, folder)
		if (err != nil) != step.fails || err == nil && result.Listed != 1 || fallbacks.Load() != step.fallbacks {
			t.Errorf("%s: %+v, %v, %d times tried with https", step.address, result, err, fallbacks.Load())
		}
	}
}

// TestSchemeOfSitemap requests a copy over http, as its sitemap was named, also the parts of an
// index, which have public addresses.
func TestSchemeOfSitemap(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			onePage(w, r)
		case "/sitemap.xml":
			_, _ = w.Write([]byte("<sitemapindex><sitemap><loc>https://public.example/1.xml</loc></sitemap></sitemapindex>"))
		case "/1.xml":
			_, _ = w.Write([]byte("<urlset><url><loc>https://public.example/</loc></url></urlset>"))
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	settings := NewSettings()
	settings.Output, settings.BaseURL, settings.Access.Rate = t.TempDir(), "https://public.example/", access.PerSecond(0)
	settings.Seeds.Sitemaps = []string{server.URL + "/sitemap.xml"}
	a := &app.App{OnEvent: func(e app.Event) {
		switch e.(type) {
		case HTTPFallback, app.Problem:
			t.Errorf("%#v", e)
		}
	}}
	result, err := Run(t.Context(), a, strings.TrimPrefix(server.URL, "http://"), settings)
	if err != nil || result.Listed != 1 {
		t.Errorf("%+v, %v", result, err)
	}
}

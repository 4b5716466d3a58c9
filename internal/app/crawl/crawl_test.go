package crawl

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
)

// crawlSite crawls with the settings of a test.
func crawlSite(t *testing.T, a *app.App, url, folder string) (*Result, error) {
	t.Helper()
	settings := NewSettings()
	settings.Output, settings.Access.Rate = folder, access.PerSecond(0)
	return Run(t.Context(), a, url, settings)
}

// onePage is a site of one page.
func onePage(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	w.Write([]byte("<title>Home</title><p>home"))
}

// TestCrawlCutAtOnce ends a crawl before it requests anything: no folder is left.
func TestCrawlCutAtOnce(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(onePage))
	defer server.Close()
	folder := filepath.Join(t.TempDir(), "crawl")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(InterruptConclude)
	settings := NewSettings()
	settings.Output = folder
	result, err := Run(ctx, &app.App{}, server.URL, settings)
	if cut, is := errors.AsType[*CutError](err); !is || cut.Outage || result != nil {
		t.Errorf("%+v, %v", result, err)
	}
	if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder: %v", err)
	}
}

// TestCrawlCut interrupts a first crawl, whose result is written all the same, and a
// later one, whose folder is not changed.
func TestCrawlCut(t *testing.T) {
	var links atomic.Bool
	var cancel atomic.Pointer[context.CancelFunc]
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/" && links.Load():
			w.Header().Set("Content-Type", "text/html")
			w.Write([]byte("<title>Home</title><p>home<a href=/next>next</a>"))
		case r.URL.Path == "/next":
			(*cancel.Load())()
			<-r.Context().Done()
		default:
			onePage(w, r)
		}
	}))
	defer server.Close()
	settings := NewSettings()
	settings.Output, settings.Access.Rate = t.TempDir(), access.PerSecond(0)
	run := func(withLinks bool) (*Result, error) {
		links.Store(withLinks)
		ctx, stop := context.WithCancel(t.Context())
		cancel.Store(&stop)
		return Run(ctx, (&app.App{}), server.URL+"/", settings)
	}
	result, err := run(true)
	if err != nil || result.Details.Cut == nil || !errors.Is(result.Details.Cut, crawl.ErrStopped) || result.Listed != 1 {
		t.Fatalf("%+v, %v", result, err)
	}
	settings.Fresh = true
	if result, err = run(false); err != nil || result.Details.Cut != nil {
		t.Fatalf("%+v, %v", result, err)
	}
	settings.Fresh = false
	result, err = run(true)
	var cut *CutError
	if result != nil || !errors.As(err, &cut) || cut.Outage {
		t.Errorf("%+v, %v", result, err)
	}
}

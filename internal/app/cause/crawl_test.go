package cause

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/app"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/store"
)

// TestCrawlCauses has start pages fail in every way and classifies the error.
func TestCrawlCauses(t *testing.T) {
	status := func(path string, status int) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != path {
				http.NotFound(w, r)
				return
			}
			w.WriteHeader(status)
		})
	}
	for name, test := range map[string]struct {
		site http.Handler
		want Cause
	}{
		"404":        {http.NotFoundHandler(), StartMissing},
		"401":        {status("/", 401), Unauthorized},
		"403":        {status("/", 403), Blocked},
		"429":        {status("/", 429), TooMany},
		"999":        {status("/", 999), Blocked},
		"501":        {status("/", 501), ServerError},
		"robots 500": {status("/robots.txt", 500), RobotsUnavailable},
		"robots": {http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Write([]byte("User-agent: *\nDisallow: /\n"))
		}), RobotsDisallowed},
		"moved": {http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				http.NotFound(w, r)
				return
			}
			http.Redirect(w, r, "http://elsewhere.example/", http.StatusMovedPermanently)
		}), Moved},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(test.site)
			t.Cleanup(server.Close)
			folder := filepath.Join(t.TempDir(), "out")
			_, err := crawlTo(t, &app.App{}, server.URL+"/", folder)
			if got := Of(err); got != test.want || !IsUnreachable(err) {
				t.Errorf("cause %q, want %q: %v", got, test.want, err)
			}
			if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the folder is left: %v", err)
			}
		})
	}
}

func TestCrawlNoServer(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	_, err := crawlTo(t, &app.App{}, server.URL, t.TempDir())
	if got := Of(err); got != ConnectionRefused {
		t.Errorf("cause %q: %v", got, err)
	}
}

// TestCrawlFolder has everything that can be wrong with a folder.
func TestCrawlFolder(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(servePage))
	defer server.Close()
	folder := t.TempDir()
	result, err := crawlTo(t, &app.App{Version: "v1"}, server.URL+"/", folder)
	if err != nil || result.Listed != 1 || result.Sitemap != filepath.Join(folder, "sitemap.xml") {
		t.Fatalf("%+v, %v", result, err)
	}
	if _, err := crawlTo(t, &app.App{}, server.URL+"/?other", folder); Of(err) != "folder-in-use" {
		t.Errorf("another site: %v", err)
	}
	file, err := store.Open(filepath.Join(folder, crawlfile.Name))
	if err != nil {
		t.Fatal(err)
	}
	if got := file.Meta(); got.Program != "v1" || !file.Finished() {
		t.Errorf("%+v, finished %t", got, file.Finished())
	}
	if _, err := crawlTo(t, &app.App{}, server.URL+"/", folder); Of(err) != FileLocked {
		t.Errorf("in use: %v", err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, crawlfile.Name), make([]byte, 4096), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := crawlTo(t, &app.App{}, server.URL+"/", folder); Of(err) != FileForeign {
		t.Errorf("not a crawl file: %v", err)
	}
}

// crawlTo crawls a site without a limit of its rate.
func crawlTo(t *testing.T, a *app.App, url, folder string) (*appcrawl.Result, error) {
	t.Helper()
	settings := appcrawl.NewSettings()
	settings.Output, settings.Access.Rate = folder, access.PerSecond(0)
	return appcrawl.Run(t.Context(), a, url, settings)
}

// servePage serves a site of one page.
func servePage(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	w.Write([]byte("<title>Home</title><p>home"))
}

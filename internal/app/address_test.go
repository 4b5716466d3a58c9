package app_test

import (
	"bytes"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
)

// guarded serves a page and a sitemap to those who know the password.
func guarded(t *testing.T) (host string) {
	t.Helper()
	var origin string
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, password, _ := r.BasicAuth(); name != "me" || password != "s3c/ret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if r.URL.Path == "/sitemap.xml" {
			w.Write([]byte("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>" + origin +
				"/</loc><lastmod>never</lastmod></url></urlset>"))
			return
		}
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte("<title>Home</title><p>hello</p><a href='/missing'>x</a>"))
	}))
	t.Cleanup(site.Close)
	origin = site.URL
	return strings.TrimPrefix(site.URL, "http://")
}

// TestUserInformation checks that user information in addresses is sent, and is not in
// any file, result or error.
func TestUserInformation(t *testing.T) {
	host := guarded(t)
	folder := filepath.Join(t.TempDir(), "out")
	settings := app.NewCrawlSettings()
	settings.Output = folder
	settings.Seeds.Sitemaps = []string{"http://me:s3c%2Fret@" + host + "/sitemap.xml"}
	a := &app.App{OnEvent: func(e app.Event) {
		if p, ok := e.(app.Problem); ok {
			t.Errorf("problem: %v", p.Err)
		}
	}}
	result, err := a.Crawl(t.Context(), "http://me:s3c%2Fret@"+host+"/", settings)
	if err != nil || result.Listed == 0 {
		t.Fatalf("%+v, %v", result, err)
	}
	err = filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		if bytes.Contains(text, []byte("s3c")) {
			t.Errorf("%s has the password", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}

	var out bytes.Buffer
	for _, form := range []string{"text", "jsonl", "csv"} {
		list := app.NewListSettings()
		list.Format = form
		if _, err := a.RunList(t.Context(), []string{"http://me:s3c%2Fret@" + host + "/sitemap.xml"}, list, &out); err != nil {
			t.Error(err)
		}
	}
	for _, form := range []string{"text", "json", "jsonl", "sarif", "junit", "github", "html"} {
		lint := app.NewLintSettings()
		lint.Format = form
		checked, err := a.Lint(t.Context(), []string{"http://me:s3c%2Fret@" + host + "/sitemap.xml"}, lint,
			app.Document{Out: &out})
		if err != nil || checked.Opened != 1 || checked.Failing == 0 {
			t.Errorf("%s: %+v, %v", form, checked, err)
		}
	}
	if text := out.String(); strings.Contains(text, "s3c") || !strings.Contains(text, host) {
		t.Errorf("output %s", text)
	}
}

func TestStartAddress(t *testing.T) {
	for start, want := range map[string]error{
		"/missing/path":          app.ErrNoFolder,
		"./missing":              app.ErrNoFolder,
		"file:///etc/passwd":     app.ErrScheme,
		"javascript:alert(1)":    app.ErrScheme,
		"JavaScript:1":           app.ErrScheme,
		"mailto:me@site.example": app.ErrScheme,
		"ftp://site.example/":    app.ErrScheme,
		"data:text/html,x":       app.ErrScheme,
		"http:site.example":      app.ErrScheme,
		" file:/etc/passwd":      app.ErrScheme,
		"javascript://x/%0a1":    app.ErrScheme,
		"http://":                crawl.ErrStart,
		"http://../":             crawl.ErrStart,
		"https://h/" + strings.Repeat("x", 100_000): app.ErrUnlistableStart,
		strings.Repeat("x.", 200) + "example":       crawl.ErrStart,
		"127.0.0.1:1":                               crawl.ErrStart,
		"me:s3cret@127.0.0.1:1":                     crawl.ErrStart,
		"http://me:s3c/ret@[::1/":                   crawl.ErrStart,
		"http://me:s3c ret@[::1]:1":                 crawl.ErrStart,
	} {
		settings := app.NewCrawlSettings()
		settings.Output = filepath.Join(t.TempDir(), "out")
		_, err := new(app.App).Crawl(t.Context(), start, settings)
		if !errors.Is(err, want) {
			t.Errorf("%.50s: %v", start, err)
			continue
		}
		if text := err.Error(); strings.Contains(text, "s3c") || len(text) > 1000 {
			t.Errorf("%.50s: %.100s", start, text)
		}
		if _, err := os.Stat(settings.Output); err == nil {
			t.Errorf("%.50s: the folder was created", start)
		}
	}
}

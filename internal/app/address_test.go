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
	"github.com/mapatools/mapa/internal/app/addresses"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	applint "github.com/mapatools/mapa/internal/app/lint"
	applist "github.com/mapatools/mapa/internal/app/list"
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
	settings := appcrawl.NewSettings()
	settings.Output = folder
	settings.Seeds.Sitemaps = []string{"http://me:s3c%2Fret@" + host + "/sitemap.xml"}
	a := &app.App{OnEvent: func(e app.Event) {
		if p, ok := e.(app.Problem); ok {
			t.Errorf("problem: %v", p.Err)
		}
	}}
	result, err := appcrawl.Run(t.Context(), a, "http://me:s3c%2Fret@"+host+"/", settings)
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
		list := applist.NewSettings()
		list.Format = form
		source := "http://me:s3c%2Fret@" + host + "/sitemap.xml"
		if _, err := applist.Run(t.Context(), a, []string{source}, list, &out); err != nil {
			t.Error(err)
		}
	}
	for _, form := range []string{"text", "json", "jsonl", "sarif", "junit", "github", "html"} {
		lint := applint.NewSettings()
		lint.Format = form
		checked, err := applint.Run(t.Context(), a, []string{"http://me:s3c%2Fret@" + host + "/sitemap.xml"}, lint,
			applint.Document{Out: &out})
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
		"/missing/path":          addresses.ErrNoFolder,
		"./missing":              addresses.ErrNoFolder,
		"missing/":               addresses.ErrNoFolder,
		"missing":                addresses.ErrNoFolder,
		"address_test.go":        addresses.ErrFile,
		"wiki/start.html":        addresses.ErrNoFolder,
		"address_test.go/":       crawl.ErrStart,
		"config/found.go":        addresses.ErrFile,
		"localhost:1/":           crawl.ErrStart,
		"file:///etc/passwd":     addresses.ErrScheme,
		"javascript:alert(1)":    addresses.ErrScheme,
		"JavaScript:1":           addresses.ErrScheme,
		"mailto:me@site.example": addresses.ErrScheme,
		"ftp://site.example/":    addresses.ErrScheme,
		"data:text/html,x":       addresses.ErrScheme,
		"http:site.example":      addresses.ErrScheme,
		" file:/etc/passwd":      addresses.ErrScheme,
		"javascript://x/%0a1":    addresses.ErrScheme,
		"http://":                addresses.ErrInvalidURL,
		"http://../":             addresses.ErrInvalidURL,
		"https://h/" + strings.Repeat("x", 100_000): addresses.ErrUnlistableStart,
		strings.Repeat("x.", 200) + "example":       addresses.ErrInvalidURL,
		"127.0.0.1:1":                               crawl.ErrStart,
		"me:s3cret@127.0.0.1:1":                     crawl.ErrStart,
		"http://me:s3c/ret@[::1/":                   addresses.ErrInvalidURL,
		"http://me:s3c ret@[::1]:1":                 crawl.ErrStart,
	} {
		settings := appcrawl.NewSettings()
		settings.Output = filepath.Join(t.TempDir(), "out")
		_, err := appcrawl.Run(t.Context(), new(app.App), start, settings)
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

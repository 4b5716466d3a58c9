package app_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/app"
	appaccess "github.com/mapatools/mapa/internal/app/access"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	applint "github.com/mapatools/mapa/internal/app/lint"
	applist "github.com/mapatools/mapa/internal/app/list"
	approbots "github.com/mapatools/mapa/internal/app/robots"
	"github.com/mapatools/mapa/internal/fetch"
)

// TestPublicOnly refuses, for every operation that a stranger can ask for, hosts that are
// not public and files of this machine, and reads uploaded text.
func TestPublicOnly(t *testing.T) {
	var reached atomic.Int64
	private := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer private.Close()
	t.Setenv("HTTP_PROXY", private.URL)
	file := filepath.Join(t.TempDir(), "sitemap.txt")
	if err := os.WriteFile(file, []byte("https://secret.example/\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	request := appaccess.RequestSettings{PublicOnly: true}
	a := &app.App{}
	operations := map[string]func(source string) ([]error, error){
		"list": func(source string) ([]error, error) {
			settings := applist.NewSettings()
			settings.Request = request
			result, err := applist.Run(t.Context(), a, []string{source}, settings, io.Discard)
			if result == nil {
				return nil, err
			}
			return result.Failed, err
		},
		"lint": func(source string) ([]error, error) {
			settings := applint.NewSettings()
			settings.Request, settings.Format = request, "json"
			var out strings.Builder
			result, err := applint.Run(t.Context(), a, []string{source}, settings, applint.Document{Out: &out})
			if err == nil && result.Opened == 0 {
				err = errors.New(out.String())
			}
			return nil, err
		},
		"robots": func(source string) ([]error, error) {
			_, err := approbots.Check(t.Context(), a, []string{source}, &approbots.Settings{Request: request})
			return nil, err
		},
		"crawl": func(source string) ([]error, error) {
			settings := appcrawl.NewSettings()
			settings.Output, settings.Access.RequestSettings = t.TempDir(), request
			_, err := appcrawl.Run(t.Context(), a, source, settings)
			return nil, err
		},
	}
	for name, operation := range operations {
		for _, source := range []string{
			private.URL + "/sitemap.xml", strings.TrimPrefix(private.URL, "http://"), "http://10.1.2.3/sitemap.xml",
			file, "file://" + file, filepath.Dir(file), ".", "http://user:secret@127.0.0.1/",
		} {
			failed, err := operation(source)
			if err == nil && len(failed) == 0 {
				t.Errorf("%s reads %s", name, source)
			}
		}
	}
	if reached.Load() > 0 {
		t.Errorf("%d requests reached a private server", reached.Load())
	}
}

// TestPublicRequests bounds how many files an uploaded index makes a server request.
func TestPublicRequests(t *testing.T) {
	admit := appaccess.LimitRequests()
	for n := range appaccess.MaxPublicRequests {
		if err := admit(); err != nil {
			t.Fatalf("request %d: %v", n+1, err)
		}
	}
	if err := admit(); !errors.Is(err, appaccess.ErrManyRequests) {
		t.Errorf("error %v after %d requests", err, appaccess.MaxPublicRequests)
	}
}

// TestPublicBytes bounds what a run downloads, of all responses together.
func TestPublicBytes(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		part := make([]byte, 1<<20)
		for range 150 {
			if _, err := w.Write(part); err != nil {
				return
			}
		}
	}))
	defer site.Close()
	stream, err := fetch.NewStream(&access.Access{})
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &appaccess.LimitedBytes{Stream: stream}}
	for run, want := range []error{nil, appaccess.ErrManyBytes} {
		answer, err := client.Get(site.URL)
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		if !errors.Is(err, want) || run == 1 && n > 50<<20 {
			t.Errorf("response %d: %d bytes, %v", run, n, err)
		}
	}
}

// TestCheckRobots names the rule and its line, for a text and for a host.
func TestCheckRobots(t *testing.T) {
	const text = "User-agent: *\nDisallow: /private\nAllow: /private/open\nCrawl-delay: 2\nSitemap: https://a.example/s.xml\n"
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			_, _ = io.WriteString(w, text)
		}
	}))
	defer site.Close()
	a := &app.App{}
	for name, settings := range map[string]*approbots.Settings{"text": {Text: text}, "host": {}} {
		urls := []string{site.URL + "/private/x", site.URL + "/private/open", site.URL + "/"}
		check, err := approbots.Check(t.Context(), a, urls, settings)
		if err != nil {
			t.Fatal(name, err)
		}
		if v := check.Verdicts[0]; v.Allowed || v.Line != 2 || v.Rule != "Disallow: /private" {
			t.Errorf("%s: %+v", name, v)
		}
		if v := check.Verdicts[1]; !v.Allowed || v.Line != 3 {
			t.Errorf("%s: %+v", name, v)
		}
		if !check.Verdicts[2].Allowed || check.Delay.Seconds() != 2 || len(check.Sitemaps) != 1 || check.Text != text {
			t.Errorf("%s: %+v", name, check)
		}
		if hosted := name == "host"; hosted != (check.Status == 200) || hosted != (check.URL == site.URL+"/robots.txt") {
			t.Errorf("%s: %d %s", name, check.Status, check.URL)
		}
	}
}

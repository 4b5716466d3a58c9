package service

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/browser"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/programtest"
)

// TestBrowserCodes has a code, a hint and an explanation for each reason why no browser renders.
func TestBrowserCodes(t *testing.T) {
	t.Parallel()
	for code, err := range map[string]error{
		"no-browser":      &browser.MissingError{Err: os.ErrNotExist},
		"browser-start":   &browser.StartError{Err: errors.New("it ended")},
		"browser-sandbox": fmt.Errorf("chromium: %w", browser.ErrSandbox),
	} {
		if got := FailureOf(&OptionError{"render", err}).Code; got != code {
			t.Errorf("%v: code %s, want %s", err, got, code)
		}
	}
	english := catalog.For(catalog.English)
	hint := "check that the browser starts without Mapa, or name another one with --browser"
	if got := BrowserHint(english, FailureBrowserStart); got != hint {
		t.Errorf("hint %q", got)
	}
	if got := ExplainFailure(english, FailureBrowserStart); got != "The browser that renders pages does not start: "+hint+"." {
		t.Errorf("explanation %q", got)
	}
}

// TestBrowserMissing refuses a crawl and a schedule that no browser can render, and accepts those that
// need none.
func TestBrowserMissing(t *testing.T) {
	t.Parallel()
	missing := appcrawl.BrowserSettings{Path: filepath.Join(t.TempDir(), "no-browser"), NoSandbox: true}
	s := open(t, Options{Folder: t.TempDir(), Browser: missing})
	defer s.Close()
	for render, want := range map[string]bool{"auto": true, "always": true, "^/app/": true, "never": false, "": false} {
		options := map[string][]string{"render": {render}}
		_, started := s.Start(t.Context(), Request{URL: "example.com", Options: options})
		_, saved := s.PutSchedule(t.Context(), Schedule{URL: "example.com", Cron: "0 4 * * *", Options: options})
		for _, err := range []error{
			started, saved, s.Check(t.Context(), Request{URL: "example.com", Options: options}),
		} {
			option, is := errors.AsType[*OptionError](err)
			if is != want || is && (option.Name != "render" || FailureOf(err).Code != FailureNoBrowser) || !is && err != nil {
				t.Errorf("render %q: %v", render, err)
			}
		}
	}
	paused := Schedule{URL: "example.com", Cron: "0 4 * * *", Paused: true}
	paused.Options = map[string][]string{"render": {"auto"}}
	if _, err := s.PutSchedule(t.Context(), paused); err != nil {
		t.Errorf("a paused schedule: %v", err)
	}
}

// TestBrowserOnce starts the browser before the first crawl that needs it, and not again.
func TestBrowserOnce(t *testing.T) {
	t.Parallel()
	programtest.SkipShort(t, "it starts a browser")
	path, err := browser.Find("")
	if err != nil {
		programtest.Missing(t, "a browser is missing: apt-get install "+browser.DebianPackage)
	}
	s := open(t, Options{Folder: t.TempDir(), Browser: appcrawl.BrowserSettings{Path: path, NoSandbox: true}})
	defer s.Close()
	request := Request{URL: "example.com", Options: map[string][]string{"render": {"auto"}}}
	if err := s.Check(t.Context(), request); err != nil || !s.browserStarted {
		t.Errorf("started %t: %v", s.browserStarted, err)
	}
	s.options.Browser.Path = filepath.Join(t.TempDir(), "no-browser")
	if err := s.Check(t.Context(), request); err != nil {
		t.Error(err)
	}
}

// TestRenderedAgain runs a crawl again whose pages wait for the next run. A page that lacks its content then, too, is
// left out, and the others are listed.
func TestRenderedAgain(t *testing.T) {
	t.Parallel()
	programtest.SkipShort(t, "it starts a browser")
	path, err := browser.Find("")
	if err != nil {
		programtest.Missing(t, "a browser is missing: apt-get install "+browser.DebianPackage)
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<title>Home</title><h1>Home</h1><a href="/page">A page</a>`)
		case "/page":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<title>App</title><div id="root"></div><script>
				document.getElementById("root").innerHTML = "<nav><a href=/>Home</a></nav><main></main>";
				fetch("/api");
			</script>`)
		default:
			http.Error(w, "the database is gone", http.StatusInternalServerError)
		}
	}))
	t.Cleanup(web.Close)
	s, _ := start(t, Options{Folder: t.TempDir(), Browser: appcrawl.BrowserSettings{Path: path, NoSandbox: true}})
	options := map[string][]string{"render": {"auto"}, "ignore-robots": {"true"}}
	crawl, err := s.Start(t.Context(), Request{URL: web.URL, Options: options})
	if err != nil {
		t.Fatal(err)
	}
	c := ended(t, s, crawl.ID)
	if c.State != StateDone || c.Failure != nil || c.Counts.Listed != 1 || c.Counts.Waiting != 0 {
		t.Errorf("%+v, %+v", c, c.Failure)
	}
}

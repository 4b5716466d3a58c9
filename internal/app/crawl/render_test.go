package crawl

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/browser"
	"github.com/mapatools/mapa/internal/programtest"
)

// TestReadRender reads the values of --render, and writes them for later crawls.
func TestReadRender(t *testing.T) {
	for text, want := range map[string]string{
		"": "none", "never": "none", "auto": "none", "always": "", "^/app/": "^/app/", "/shop": "/shop",
	} {
		got := "none"
		pattern, err := readRender(text)
		if pattern != nil {
			got = pattern.String()
		}
		if err != nil || got != want {
			t.Errorf("%q: %v, %v", text, pattern, err)
		}
		if kept := Rendering(text); kept != text && (kept != "" || text != "never") {
			t.Errorf("%q is kept as %q", text, kept)
		}
	}
	for _, wrong := range []string{"(", "Auto", "nevr", "allways"} {
		if render, err := readRender(wrong); err == nil {
			t.Errorf("%q: %v", wrong, render)
		}
	}
}

// TestRenderGoesOn cuts off a crawl of an application that renders its pages: the next run renders
// the others, without being asked again, and so does the next crawl, which finds no change.
func TestRenderGoesOn(t *testing.T) {
	programtest.SkipShort(t, "it starts a browser")
	if _, err := browser.Find(""); err != nil {
		programtest.Missing(t, err.Error())
	}
	var cancel atomic.Pointer[context.CancelFunc]
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch path, isData := strings.CutPrefix(r.URL.Path, "/api"); {
		case r.URL.Path == "/robots.txt":
			http.NotFound(w, r)
		case isData && path == "/b" && cancel.Load() != nil:
			(*cancel.Swap(nil))()
			<-r.Context().Done()
		case isData:
			w.Header().Set("Content-Type", "text/plain")
			io.WriteString(w, "<h1>Page "+path+"</h1><p>"+strings.Repeat("word"+path+" ", 30)+
				"<a href=/a>a</a><a href=/b>b</a><a href=/c>c</a>")
		default:
			io.WriteString(w, `<title>App</title><div id="root"></div><script>
fetch("/api" + location.pathname).then(r => r.text()).then(text => {
	document.title = "Page " + location.pathname
	document.getElementById("root").innerHTML = text
})</script>`)
		}
	}))
	defer server.Close()
	settings := NewSettings()
	settings.Output, settings.Access.Rate = t.TempDir(), access.PerSecond(0)
	settings.Browser.NoSandbox = true
	run := func(ctx context.Context) (*Result, error) {
		return Run(ctx, &app.App{}, server.URL+"/", settings)
	}
	ctx, stop := context.WithCancelCause(t.Context())
	end := func() { stop(InterruptSuspend) }
	cancelFunc := context.CancelFunc(end)
	cancel.Store(&cancelFunc)
	settings.Render = "auto"
	if result, err := run(ctx); err == nil {
		t.Fatalf("the crawl was not cut off: %+v", result)
	}
	settings.Render = ""
	for range 2 {
		result, err := run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if result.Listed != 4 || result.Rendered != 4 || result.NotRendered != 0 {
			t.Errorf("%d pages listed, %d rendered, %d not", result.Listed, result.Rendered, result.NotRendered)
		}
		if c := result.Changes; c != nil && c.Total() > 0 {
			t.Errorf("changes: %+v", c)
		}
	}
}

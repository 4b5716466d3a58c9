package crawl_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/mapatools/mapa/crawl"
)

// TestTrapKinds checks that every kind has all its parts, and a bound of its own.
func TestTrapKinds(t *testing.T) {
	names, fields := map[string]bool{}, map[crawl.Traps]crawl.TrapKind{}
	for _, kind := range crawl.TrapKinds() {
		name := kind.String()
		if name == "" || names[name] || kind.Detail() == "" || kind.DefaultBound() <= 0 {
			t.Errorf("kind %d: name %q, detail %q, default %d", kind, name, kind.Detail(),
				kind.DefaultBound())
		}
		names[name] = true
		if parsed, err := crawl.ParseTrapKind(name); err != nil || parsed != kind {
			t.Errorf("%s: parsed as %v, %v", name, parsed, err)
		}
		var traps crawl.Traps
		traps.Set(kind, 7)
		if other, used := fields[traps]; used || traps == (crawl.Traps{}) {
			t.Errorf("%s sets no field of its own: %+v is that of %v", name, traps, other)
		}
		fields[traps] = kind
	}
	if len(names) != 15 {
		t.Errorf("%d kinds", len(names))
	}
	if _, err := crawl.ParseTrapKind("nonsense"); err == nil ||
		!strings.Contains(err.Error(), "use one of repeats, segments, ") {
		t.Errorf("unknown kind: %v", err)
	}
	if none := crawl.TrapNone; none.String() != "" || none.Detail() != "" {
		t.Errorf("TrapNone is %q, %q", none, none.Detail())
	}
}

// TestNilOptions crawls without options: a start is missing.
func TestNilOptions(t *testing.T) {
	if _, err := crawl.Run(t.Context(), &crawl.MemoryStore{}, nil); !errors.Is(err, crawl.ErrStart) {
		t.Errorf("without options: %v", err)
	}
	options := &crawl.Options{Start: "https://site.example/"}
	if _, err := options.Source(); err != nil {
		t.Error(err)
	}
}

// TestStartOutOfScope leaves out the start page.
func TestStartOutOfScope(t *testing.T) {
	for text, scope := range map[string]crawl.Scope{
		"the start page https://site.example/ is outside /docs/":                 {Prefix: "/docs/"},
		"the start page https://site.example/ matches ^/$, so it is not fetched": {Exclude: patterns("^/$")},
	} {
		_, err := crawl.Run(t.Context(), &crawl.MemoryStore{}, &crawl.Options{Start: "https://site.example", Scope: scope})
		if !errors.Is(err, crawl.ErrStart) || err.Error() != text {
			t.Errorf("%v, want %s", err, text)
		}
	}
}

// TestOnPage reads every response: pages, redirects, errors, and pages that have not
// changed. It is not called for robots.txt and assets.
func TestOnPage(t *testing.T) {
	t.Parallel()
	origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("ETag", `"1"`)
			if r.Header.Get("If-None-Match") == `"1"` {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			fmt.Fprint(w, `<title>Home</title><p>home</p><a href="/moved">x</a> <a href="/picture.png">x</a> <a href="/gone">x</a> <img src="/shown.png">`)
		case "/moved":
			http.Redirect(w, r, "/", http.StatusFound)
		case "/picture.png", "/shown.png":
			w.Header().Set("Content-Type", "image/png")
			fmt.Fprint(w, "picture")
		default:
			http.NotFound(w, r)
		}
	}))
	read := func(previous crawl.Previous, store *crawl.MemoryStore) map[string]string {
		var mutex sync.Mutex
		got := map[string]string{}
		_, err := run(t, store, &crawl.Options{
			Start: origin + "/", Checks: crawl.Checks{Assets: true}, Previous: previous,
			OnPage: func(r crawl.Response) {
				mutex.Lock()
				defer mutex.Unlock()
				title, _, _ := strings.Cut(string(r.Body), "<p>")
				got[strings.TrimPrefix(r.URL, origin)] += fmt.Sprint(r.Status, " ", r.Header.Get("Content-Type"), " ", title)
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	first := &crawl.MemoryStore{}
	want := map[string]string{
		"/": "200 text/html <title>Home</title>", "/moved": "302 text/html; charset=utf-8 ",
		"/picture.png": "200 image/png ", "/gone": "404 text/plain; charset=utf-8 ",
	}
	if got := read(nil, first); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := read(first, &crawl.MemoryStore{}); !strings.HasPrefix(got["/"], "304 ") {
		t.Errorf("%q, want / unchanged", got)
	}
}

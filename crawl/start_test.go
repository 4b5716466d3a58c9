package crawl_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
)

func TestRobotsFile(t *testing.T) {
	t.Parallel()
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	for name, test := range map[string]struct {
		robots  http.HandlerFunc
		ignore  bool
		failure error
	}{
		"missing":      {status(404), false, nil},
		"refused":      {status(403), false, nil},
		"empty":        {status(200), false, nil},
		"503":          {status(503), false, crawl.ErrForbidden},
		"503, ignored": {status(503), true, nil},
		"dropped":      {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, false, crawl.ErrStart},
		"endless": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/robots.txt?"+r.URL.RawQuery+"x", http.StatusFound)
		}, false, nil},
		"forbids all": {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "User-agent: *\nDisallow: /\n") },
			false, crawl.ErrForbidden},
		"all, ignored": {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "User-agent: *\nDisallow: /\n") },
			true, nil},
		"forbids others": {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "User-agent: Other\nDisallow: /\n") },
			false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, withRobots(parse(t, onePage), test.robots), func(t *testing.T, a access.Access) {
				store := &crawl.MemoryStore{}
				_, err := run(t, store, &crawl.Options{
					Start: pipeOrigin, Access: a, Scope: crawl.Scope{IgnoreRobots: test.ignore},
				})
				if !errors.Is(err, test.failure) {
					t.Fatalf("%v, want %v", err, test.failure)
				}
				if test.failure == nil {
					compare(t, decisions(store, pipeOrigin), map[string]decision{"/": ""})
				}
			})
		})
	}
}

// TestRobotsNamesFiles reads a robots.txt that names its sitemap by a relative URL, and
// local files, which must not be opened.
func TestRobotsNamesFiles(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	named := []string{"local.txt", "scheme:local.txt", "file://" + folder + "/local.txt", "%zz", "../../local.txt", "-",
		strings.Repeat("x", 100_000)}
	var lines strings.Builder
	for _, name := range named {
		fmt.Fprintf(&lines, "Sitemap: %s\n", name)
	}
	origin := serve(t, withRobots(parse(t, `
-- /sitemap.xml --
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://$HOST/orphan</loc></url></urlset>
-- / --
<title>Home</title><p>home</p>
-- /orphan --
<title>Orphan</title><p>orphan</p>
`), func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, lines.String()+"Sitemap: sitemap.xml\n")
	}))
	for _, name := range []string{"local.txt", "scheme:local.txt", "%zz"} {
		if err := os.WriteFile(name, []byte(origin+"/secret\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	store := &crawl.MemoryStore{}
	if _, err := run(t, store, &crawl.Options{Start: origin}); err != nil {
		t.Fatal(err)
	}
	compare(t, decisions(store, origin), map[string]decision{"/": "", "/orphan": ""})
}

func TestStartErrors(t *testing.T) {
	t.Parallel()
	origin := serve(t, parse(t, `
-- /here --
HTTP 302
Location: /page
-- /page --
<title>Page</title>
-- /away --
HTTP 301
Location: http://elsewhere.example/there
-- /picture.png --
-- /refused --
HTTP 403
-- /loop --
HTTP 302
Location: /loop
-- /round --
HTTP 302
Location: /about
-- /about --
HTTP 302
Location: /round
-- /dead --
HTTP 302
Location: /hop
-- /hop --
HTTP 301
Location: /missing
-- /out --
HTTP 302
Location: /hidden
-- /far --
HTTP 301
Location: /away
-- /robots.txt --
User-agent: *
Disallow: /hidden
-- /2099/01/01/ --
<title>Calendar</title>
-- /a/a/a/a/a/a --
<title>Deep</title>
-- /nowhere --
HTTP 302
-- /nothing --
HTTP 204
`))
	for target, want := range map[string]string{
		"/page":        "",
		"/here":        "",
		"/2099/01/01/": "",
		"/a/a/a/a/a/a": "",
		"/dead":        "/dead: it redirects to " + origin + "/missing: the server answers 404 Not Found",
		"/out":         "robots.txt forbids it",
		"/missing":     "the server answers 404 Not Found",
		"/refused":     "the server answers 403 Forbidden",
		"/picture.png": "the server sends image/png, not a page",
		"/loop":        "the redirect leads back to itself",
		"/round":       "the redirect leads back to itself",
		"/nowhere":     "the server answers 302 Found",
		"/nothing":     "the server answers 204 No Content",
	} {
		progress, err := run(t, &crawl.MemoryStore{}, &crawl.Options{Start: origin + target})
		if err == nil && progress.Pages == 0 {
			t.Errorf("%s: no page, and no error", target)
		}
		if want == "" && err != nil || want != "" &&
			(!errors.Is(err, crawl.ErrStart) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", target, err, want)
		}
	}
	for _, start := range []string{"/away", "/far"} {
		_, err := run(t, &crawl.MemoryStore{}, &crawl.Options{Start: origin + start})
		if moved, ok := errors.AsType[*crawl.MovedError](err); !ok || moved.To != "http://elsewhere.example/there" {
			t.Errorf("%s: %v", start, err)
		}
	}
	for _, start := range []string{"", "ftp://site.example/", "/page", "http://", "mailto:a@b.example"} {
		if _, err := run(t, &crawl.MemoryStore{}, &crawl.Options{Start: start}); !errors.Is(err, crawl.ErrStart) {
			t.Errorf("%q: %v", start, err)
		}
	}
	_, err := crawl.Run(t.Context(), &crawl.MemoryStore{}, nil)
	if want := "the start page cannot be fetched: Options.Start is empty"; err == nil || err.Error() != want {
		t.Errorf("without options: %v", err)
	}
}

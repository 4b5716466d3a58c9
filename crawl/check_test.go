package crawl_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/mapatools/mapa/crawl"
)

// TestChecks requests assets and URLs of other sites, each once.
func TestChecks(t *testing.T) {
	t.Parallel()
	other := parse(t, `
-- /there --
there
-- /moved --
HTTP 301
Location: /there-too
-- /there-too --
there
-- /refuses --
HTTP 403
-- /breaks --
HTTP 500
-- /lies --
there
`)
	var mutex sync.Mutex
	methods := map[string]string{}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		methods[r.RequestURI] += r.Method + " "
		mutex.Unlock()
		if strings.HasPrefix(r.RequestURI, "/lies") && r.Method == http.MethodHead {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		other.ServeHTTP(w, r)
	})
	elsewhere := serve(t, handler)
	site := parse(t, strings.ReplaceAll(`
-- / --
<title>Home</title><p>home</p><link rel="stylesheet" href="/style.css"><script src="/code.js"></script>
<img src="/shown.png"><img src="/shown.png"><img src="/missing.png"> <a href="/two">x</a>
<a href="OTHER/there">x</a> <a href="OTHER/there#part">x</a> <a href="OTHER/missing">x</a> <a href="OTHER/lies">x</a>
<a href="OTHER/moved">x</a> <a href="OTHER/refuses">x</a> <a href="OTHER/breaks">x</a>
-- /two --
<title>Two</title><p>two</p><a href="OTHER/there">x</a><img src="/shown.png">
-- /style.css --
-- /code.js --
-- /shown.png --
`, "OTHER", elsewhere))
	origin, store := serve(t, site), &crawl.MemoryStore{}
	progress, err := run(t, store, &crawl.Options{Start: origin, Checks: crawl.Checks{Assets: true, External: true}})
	if err != nil || progress.Broken != 3 || progress.Pages != 2 {
		t.Errorf("%+v, %v", progress, err)
	}
	got := map[string]decision{}
	for target, d := range decisions(store, origin) {
		got[strings.Replace(target, elsewhere, "other", 1)] = d
	}
	compare(t, got, map[string]decision{
		"/": "", "/two": "",
		"/style.css":    "not-a-page: text/css",
		"/code.js":      "not-a-page: text/javascript",
		"/shown.png":    "not-a-page: image/png",
		"/missing.png":  "client-error: Not Found",
		"other/there":   "out-of-scope",
		"other/missing": "client-error: Not Found",
		"other/lies":    "out-of-scope",
		"other/moved":   "out-of-scope",
		"other/refuses": "inconclusive: Forbidden",
		"other/breaks":  "server-error: Internal Server Error",
	})
	for target, want := range map[string]string{
		"/robots.txt": "GET ", "/there": "HEAD ", "/missing": "HEAD GET ", "/lies": "HEAD GET ",
		"/moved": "HEAD ", "/there-too": "HEAD ", "/refuses": "HEAD GET ", "/breaks": "HEAD GET ",
	} {
		if methods[target] != want {
			t.Errorf("%s: %s, want %s", target, methods[target], want)
		}
	}
	for target, times := range site.Requests() {
		if want := map[string]int{"/missing.png": 2}[target]; times != max(want, 1) {
			t.Errorf("%s was requested %d times", target, times)
		}
	}
}

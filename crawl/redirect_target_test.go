package crawl_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/mapatools/mapa/crawl"
)

// TestRedirectTargets has redirects to what robots.txt disallows, and to URLs that are
// not of the web.
func TestRedirectTargets(t *testing.T) {
	t.Parallel()
	var mutex sync.Mutex
	asked := map[string]bool{}
	record := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mutex.Lock()
			asked[r.URL.Path] = true
			mutex.Unlock()
			next.ServeHTTP(w, r)
		})
	}
	elsewhere := serve(t, record(parse(t, `
-- /robots.txt --
User-agent: *
Disallow: /secret
-- /moved --
HTTP 301
Location: /secret-page
-- /script --
HTTP 301
Location: javascript:alert(1)
-- /file --
HTTP 302
Location: file:///etc/passwd
`)))
	origin := serve(t, record(parse(t, strings.ReplaceAll(`
-- /robots.txt --
User-agent: *
Disallow: /private
Disallow: /kept?z
-- / --
<title>Home</title><p>home</p><img src="/image.png">
<a href="/kept?sid=1&z=2">x</a> <a href="/script">x</a> <a href="/file">x</a>
<a href="OTHER/moved">x</a> <a href="OTHER/script">x</a> <a href="OTHER/file">x</a> <img src="/script.png">
-- /image.png --
HTTP 301
Location: /private.png
-- /script.png --
HTTP 301
Location: javascript:alert(1)
-- /kept?sid=1&z=2 --
HTTP 301
Location: /kept?z=2
-- /script --
HTTP 301
Location: javascript:alert(1)
-- /file --
HTTP 302
Location: file:///etc/passwd
`, "OTHER", elsewhere))))
	store := &crawl.MemoryStore{}
	progress, err := run(t, store, &crawl.Options{Start: origin, Checks: crawl.Checks{Assets: true, External: true}})
	if err != nil || progress.Broken != 0 {
		t.Errorf("%+v, %v", progress, err)
	}
	for _, path := range []string{"/secret-page", "/private.png"} {
		if asked[path] {
			t.Errorf("%s was requested", path)
		}
	}
	compare(t, decisions(store, origin), map[string]decision{
		"/":                   "",
		"/image.png":          "robots: disallowed by line 2: Disallow: /private",
		"/script.png":         "not-a-page: image/png",
		"/kept?z=2":           "robots: disallowed by line 3: Disallow: /kept?z",
		"/script":             "redirect: javascript:alert(1)",
		"/file":               "redirect: file:///etc/passwd",
		elsewhere + "/moved":  "robots: disallowed by line 2: Disallow: /secret",
		elsewhere + "/script": "out-of-scope",
		elsewhere + "/file":   "out-of-scope",
	})
}

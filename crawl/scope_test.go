package crawl_test

import (
	"net/http"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
)

const scopeSite = `
-- site.example/ --
<title>Home</title><p>home</p><a href="/docs/">x</a> <a href="/blog/">x</a> <a href="http://sub.site.example/">x</a>
<a href="http://notsite.example/">x</a> <a href="https://site.example:80/">x</a>
-- site.example/docs/ --
<title>Docs</title><p>documents</p><a href="/docs/a">x</a> <a href="/blog/">x</a>
-- site.example/docs/a --
<title>Docs a</title><p>letter</p>
-- site.example/blog/ --
<title>Blog</title><p>diary</p>
-- sub.site.example/ --
<title>Sub</title><p>below</p><a href="http://site.example/">x</a>
`

// TestScope crawls through a proxy that serves all hosts.
func TestScope(t *testing.T) {
	t.Parallel()
	const home, docs, letter, blog = "/", "/docs/", "/docs/a", "/blog/"
	const sub, not, tls = "http://sub.site.example/", "http://notsite.example/", "https://site.example:80/"
	const other = "out-of-scope: another site"
	for name, test := range map[string]struct {
		start string
		scope crawl.Scope
		want  map[string]decision
	}{
		"host": {home, crawl.Scope{}, map[string]decision{
			home: "", docs: "", letter: "", blog: "", sub: other, not: other, tls: other}},
		"subdomains": {home, crawl.Scope{Subdomains: true}, map[string]decision{
			home: "", docs: "", letter: "", blog: "", sub: "", not: other, tls: other}},
		"prefix": {docs, crawl.Scope{Prefix: "/docs/"}, map[string]decision{
			docs: "", letter: "", blog: "out-of-scope: outside /docs/"}},
		"include": {docs, crawl.Scope{Include: patterns(`^/docs/`)}, map[string]decision{
			docs: "", letter: "", blog: "excluded: matches no pattern of include"}},
		"whole address": {docs, crawl.Scope{Exclude: patterns(`^http://site\.example/blog`)}, map[string]decision{
			docs: "", letter: "", blog: "excluded: ^http://site\\.example/blog"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := parse(t, scopeSite)
			proxy := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				r.RequestURI = "/" + r.URL.Host + r.URL.RequestURI()
				site.ServeHTTP(w, r)
			}))
			store := &crawl.MemoryStore{}
			options := &crawl.Options{Start: "http://site.example" + test.start, Scope: test.scope,
				Access: access.Access{Proxy: proxy}}
			if _, err := run(t, store, options); err != nil {
				t.Fatal(err)
			}
			compare(t, decisions(store, "http://site.example"), test.want)
		})
	}
}

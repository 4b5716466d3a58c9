package crawl_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
)

// recordingProxy serves handlers by host and records what is requested of each.
type recordingProxy struct {
	hosts    map[string]http.Handler
	mutex    sync.Mutex
	requests map[string][]string // paths by host
}

func (p *recordingProxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mutex.Lock()
	if p.requests == nil {
		p.requests = map[string][]string{}
	}
	p.requests[r.Host] = append(p.requests[r.Host], r.URL.Path)
	p.mutex.Unlock()
	r.RequestURI = r.URL.RequestURI() // without the host, as a server gets it
	if handler := p.hosts[r.Host]; handler != nil {
		handler.ServeHTTP(w, r)
		return
	}
	http.NotFound(w, r)
}

// TestBaseURL crawls a preview under a path of its own through a proxy that serves all
// hosts.
func TestBaseURL(t *testing.T) {
	preview := parse(t, `
-- /robots.txt --
User-agent: *
Disallow: /pr-7/private
Sitemap: https://example.com/docs/sitemap.xml
-- /pr-7/sitemap.xml --
<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>http://preview.test/pr-7/pages.xml</loc></sitemap></sitemapindex>
-- /pr-7/pages.xml --
<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://example.com/docs/orphan</loc></url></urlset>
-- /pr-7/ --
<title>Home</title><link rel="canonical" href="http://example.com/docs/">
<link rel="alternate" hreflang="de" href="http://preview.test/pr-7/de"><p>home</p>
<a href="a">relative</a> <a href="/docs/b">public path</a> <a href="/pr-7/c">crawled path</a>
<a href="https://example.com/docs/d?x=1">public</a> <a href="http://preview.test/pr-7/e">crawled</a>
<a href="https://example.com/blog/">other part</a> <a href="private">private</a>
<a href="https://example.com/docs">home again</a> <a href="old">redirect</a> <a href="away">redirect to the blog</a>
<img src="https://example.com/blog/x.png"> <img src="logo.png"> <img src="moved.png"> <img src="private.png"> <a href="f?PHPSESSID=1">session</a>
-- /pr-7/logo.png --
Content-Type: image/png

-- /pr-7/moved.png --
HTTP 301
Location: https://example.com/docs/logo.png

-- /pr-7/private.png --
Content-Type: image/png

-- /pr-7/f?PHPSESSID=1 --
HTTP 301
Location: https://example.com/docs/f

-- /pr-7/f --
<title>F</title><p>text of f</p>
-- /pr-7/a --
<title>A</title><p>text of a</p>
-- /pr-7/b --
<title>B</title><p>text of b</p>
-- /pr-7/c --
<title>C</title><p>text of c</p>
-- /pr-7/d?x=1 --
<title>D</title><p>text of d</p>
-- /pr-7/e --
<title>E</title><p>text of e</p>
-- /pr-7/de --
<title>DE</title><p>text in German</p>
-- /pr-7/orphan --
<title>Orphan</title><p>orphan text</p>
-- /pr-7/old --
HTTP 301
Location: /pr-7/a

-- /pr-7/away --
HTTP 301
Location: https://example.com/blog/x

`)
	proxy := &recordingProxy{hosts: map[string]http.Handler{"preview.test": preview}}
	server := httptest.NewServer(proxy)
	t.Cleanup(server.Close)
	store := crawl.NewMemoryStore()
	options := crawl.Options{
		Start: "http://preview.test/pr-7/", BaseURL: "https://example.com/docs/",
		Checks: crawl.Checks{Assets: true, External: true},
		Scope:  crawl.Scope{Prefix: "/docs/", NoList: patterns("^https://example.com/docs/e$")},
		Access: access.Access{Proxy: server.URL},
	}
	if _, err := run(t, store, &options); err != nil {
		t.Fatal(err)
	}
	compare(t, decisions(store, "https://example.com"), map[string]decision{
		"/docs/": "", "/docs/a": "", "/docs/b": "", "/docs/c": "", "/docs/d?x=1": "", "/docs/de": "", "/docs/orphan": "",
		"/docs/f":           "",
		"/docs/logo.png":    "not-a-page: image/png",
		"/docs/moved.png":   "not-a-page: image/png",
		"/docs/private.png": "robots: disallowed by line 2: Disallow: /pr-7/private",
		"/docs/e":           "no-list: ^/docs/e$",
		"/docs/private":     "robots: disallowed by line 2: Disallow: /pr-7/private",
		"/docs/old":         "redirect: /docs/a",
		"/docs/away":        "redirect: /blog/x",
		"/blog/":            "out-of-scope: outside /docs/",
		"/blog/x":           "out-of-scope: outside /docs/",
		"/blog/x.png":       "out-of-scope: outside /docs/",
	})
	for host, paths := range proxy.requests {
		if host != "preview.test" {
			t.Errorf("requests to %s: %v", host, paths)
		}
		for _, path := range paths {
			if path != "/robots.txt" && !strings.HasPrefix(path, "/pr-7/") {
				t.Errorf("a request for %s", path)
			}
		}
	}
	store.Each(func(link crawl.Link, page *crawl.Page) {
		if page != nil && strings.HasSuffix(link.URL, "/docs/") &&
			(page.Extensions == nil || page.Extensions.Alternates[0].Href != "https://example.com/docs/de") {
			t.Errorf("%s: extensions %+v, want the public address of the alternate", link.URL, page.Extensions)
		}
	})
}

// TestBaseURLFolders checks which folder of the public site a start is.
func TestBaseURLFolders(t *testing.T) {
	for _, test := range []struct{ start, base, want string }{
		{"http://localhost:8000", "https://example.com", "https://example.com/"},
		{"HTTP://LOCALHOST:8000/", "https://EXAMPLE.com/", "https://example.com/"},
		{"http://localhost:8000/", "https://example.com/docs", "https://example.com/docs/"},
		{"http://localhost:8000/docs", "https://example.com/docs", "https://example.com/docs/"},
		{"http://localhost:8000/docs/intro.html", "https://example.com/docs/", "https://example.com/docs/intro.html"},
		{"http://localhost:8000/site/?a=b", "https://example.com/", "https://example.com/?a=b"},
		{"https://example.com/preview/", "https://example.com/", "https://example.com/"},
		{"http://localhost:8000/x", "", "http://localhost:8000/x"},
	} {
		options := crawl.Options{Start: test.start, BaseURL: test.base}
		if got, err := options.StartURL(); err != nil || got != test.want {
			t.Errorf("%s with %q: %q, %v; want %q", test.start, test.base, got, err, test.want)
		}
	}
	options := crawl.Options{Start: "http://localhost/", BaseURL: "example.com"}
	if got, err := options.StartURL(); err == nil {
		t.Errorf("a base URL without a scheme: %q, want an error", got)
	}
}

// TestIgnoreRobotsHeader crawls a site whose header keeps all of it out of search
// engines.
func TestIgnoreRobotsHeader(t *testing.T) {
	site := parse(t, `
-- / --
<title>Home</title><p>home</p><a href="/a">a</a> <a href="/thanks">thanks</a>
-- /a --
<title>A</title><p>text of a</p>
-- /thanks --
<title>Thanks</title><meta name="robots" content="noindex"><p>thanks</p>
`)
	address := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Robots-Tag", "noindex, nofollow")
		site.ServeHTTP(w, r)
	}))
	for ignore, want := range map[bool]map[string]decision{
		false: {
			"/": "noindex: X-Robots-Tag header", "/a": "nofollow", "/thanks": "nofollow",
		},
		true: {"/": "", "/a": "", "/thanks": "noindex: meta robots"},
	} {
		store := crawl.NewMemoryStore()
		options := &crawl.Options{Start: address + "/", Scope: crawl.Scope{IgnoreRobotsHeader: ignore}}
		if _, err := run(t, store, options); err != nil {
			t.Fatal(err)
		}
		compare(t, decisions(store, address), want)
	}
}

// TestInsecurePartsOfPreview judges what the pages of a preview load and send by the scheme that
// they write for the public host.
func TestInsecurePartsOfPreview(t *testing.T) {
	t.Parallel()
	const public, preview, image = "http://example.com", "http://preview.test", "<img alt width=1 height=1 src="
	for name, test := range map[string]struct {
		body string
		want []string
	}{
		"public host": {"<script src=" + public + "/a.js></script><form action=" + public + "/login></form>",
			[]string{`insecure-form form "http://example.com/login" ×1`, `mixed-content active "http://example.com/a.js" ×1`}},
		"base": {"<base href=" + public + "/>" + image + "b.png>",
			[]string{`mixed-content passive "http://example.com/b.png" ×1`}},
		"another host": {image + "http://cdn.example/b.png>",
			[]string{`mixed-content passive "http://cdn.example/b.png" ×1`}},
		"preview": {"<base href=" + preview + "/>" + image + "b.png>" + image + preview + "/c.png><form action=/login></form>",
			nil},
		"https": {image + "https://example.com/b.png>" + image + "//example.com/c.png>" +
			"<form action=https://example.com/></form>", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := parse(t, "-- / --\n<title>Home</title>"+test.body+"\n")
			proxy := serve(t, &recordingProxy{hosts: map[string]http.Handler{"preview.test": site}})
			store := crawl.NewMemoryStore()
			_, err := run(t, store, &crawl.Options{
				Start: preview, BaseURL: "https://example.com/", Access: access.Access{Proxy: proxy},
			})
			if err != nil {
				t.Fatal(err)
			}
			start, _, err := store.Page(1)
			if got := faultLines(&start.Page); err != nil || !slices.Equal(got, test.want) {
				t.Errorf("%q, %v, want %q", got, err, test.want)
			}
		})
	}
}

package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/browser"
	"github.com/mapatools/mapa/internal/programtest"
)

// basePath is the path below which the site is published.
const basePath = "/mapa"

// builtSite serves the site that `make site` has built in the folder that MAPA_SITE names.
func builtSite(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("MAPA_SITE")
	if folder == "" {
		t.Skip("make test-site runs this test on the built site")
	}
	server := httptest.NewServer(http.StripPrefix(basePath, http.FileServer(http.Dir(folder))))
	t.Cleanup(server.Close)
	return server.URL + basePath
}

// reader is a browser that shows the site. Errors of scripts, and what the content security
// policy blocks, are errors of the test.
type reader struct {
	t    *testing.T
	page *browser.Page
	site string
}

func newReader(t *testing.T, site string) *reader {
	t.Helper()
	programtest.SkipShort(t, "it opens pages in a browser")
	started, err := browser.StartDirect(t.Context(), browser.Options{NoSandbox: true})
	if err != nil {
		programtest.Missing(t, err.Error())
	}
	t.Cleanup(func() { _ = started.Close() }) // the test is over
	page, err := started.Open(t.Context(), func(method string, params json.RawMessage) {
		if method == "Runtime.exceptionThrown" || method == "Log.entryAdded" && !strings.Contains(string(params), "404") {
			t.Errorf("%s: %s", method, params)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	r := &reader{t, page, site}
	r.call("Runtime.enable", nil)
	r.call("Log.enable", nil)
	return r
}

// call sends a request to the browser.
func (r *reader) call(method string, params map[string]any) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), time.Minute)
	defer cancel()
	if err := r.page.Call(ctx, method, params, nil); err != nil {
		r.t.Fatalf("%s: %v", method, err)
	}
}

// look sets the width of the window and its color scheme.
func (r *reader) look(width int, scheme string) {
	r.t.Helper()
	r.call("Emulation.setDeviceMetricsOverride",
		map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false})
	r.call("Emulation.setEmulatedMedia",
		map[string]any{"features": []map[string]any{{"name": "prefers-color-scheme", "value": scheme}}})
}

func (r *reader) open(path string) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), time.Minute)
	defer cancel()
	if err := r.page.Navigate(ctx, r.site+path); err != nil {
		r.t.Fatalf("%s: %v", path, err)
	}
}

// evaluate returns the value of an expression in the page, as JSON if it is an object.
func (r *reader) evaluate(expression string) string {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), time.Minute)
	defer cancel()
	var value string
	if err := r.page.Evaluate(ctx, expression, &value); err != nil {
		r.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// TestSiteAccessibility checks a page of every kind with axe-core, wide and narrow, light and
// dark. No page is wider than the window.
func TestSiteAccessibility(t *testing.T) {
	site := builtSite(t)
	script := programtest.AxeScript(t)
	r := newReader(t, site)
	for _, path := range []string{
		"/", "/install/", "/sitemaps/", "/search-console/", "/moving/", "/docs/", "/docs/announce/", "/docs/crawl-file/",
		"/docs/links/", "/commands/", "/commands/crawl/", "/rules/", "/rules/hreflang-format/", "/rules/title-length/",
		"/packages/", "/packages/sitemap/", "/search/?q=canonical", "/404.html", "/es/",
		"/es/que-es-un-sitemap/", "/es/errores-de-search-console/", "/es/desde-screaming-frog-wget-lychee/",
		"/es/rules/", "/es/rules/title-length/", "/es/buscar/?q=enlace",
	} {
		for _, look := range []struct {
			width         int
			scheme, rules string
		}{{390, "light", programtest.AxeRun}, {1440, "light", programtest.AxeRun}, {1440, "dark", programtest.AxeColors}} {
			r.look(look.width, look.scheme)
			r.open(path)
			if wide := r.evaluate(`String(document.documentElement.scrollWidth > innerWidth)`); wide != "false" {
				t.Errorf("%s is wider than a window of %d pixels", path, look.width)
			}
			r.evaluate(script + `;""`)
			found := r.evaluate(look.rules + ".then((found) => JSON.stringify(found))")
			programtest.CheckAxe(t, path+" "+look.scheme, []byte(found))
		}
	}
}

// waitForResults is a promise of the titles of the results, as soon as there is a message.
const waitForResults = `new Promise((resolve) => {
	const look = () => document.getElementById("count").textContent ?
		resolve([...document.querySelectorAll("#results a")].map((a) => a.textContent).join("\n")) : requestAnimationFrame(look);
	look();
})`

// searched are words that people type into the search, and the pages that answer them.
var searched = map[string]map[string]string{
	"/search/": {
		"--max-depth": "/commands/crawl/#max-depth", "exclude": "/commands/crawl/#exclude",
		"cron": "/docs/schedule/", "password": "/docs/login/", "cookie": "/docs/login/",
		"wget": "/moving/#wget", "lychee": "/moving/#lychee", "Screaming Frog": "/moving/#screaming-frog",
		"broken links": "/docs/links/", "JavaScript": "/docs/render/", "docker": "/docs/install/#docker",
		"GitHub": "/docs/ci/#github", "ignore": "/docs/findings/", "baseline": "/docs/findings/",
		"noindex": "/search-console/#noindex", "couldn't fetch": "/search-console/#couldnt-fetch",
		"couldn\u2019t fetch": "/search-console/#couldnt-fetch", "not indexed": "/search-console/#why-pages-are-not-indexed",
		"orphan": "/rules/orphan/", "redirect": "/rules/redirect-internal/",
		"canonical": "/rules/#crawled-pages-canonical-urls", "hreflang": "/rules/#hreflang",
		"robots": "/rules/#live-site-robotstxt", "lastmod": "/sitemaps/", "priority": "/sitemaps/", "50,000": "/sitemaps/",
	},
	"/es/buscar/": {
		"enlaces rotos": "/es/rules/link-broken/", "velocidad": "/docs/rate/", "huérfana": "/es/rules/orphan/",
		"contraseña": "/docs/login/", "indexadas": "/es/errores-de-search-console/",
		"--max-depth": "/commands/crawl/#max-depth", "lychee": "/es/desde-screaming-frog-wget-lychee/#lychee",
	},
}

// TestSiteSearchWords types words into the search, and wants the page that answers them first.
func TestSiteSearchWords(t *testing.T) {
	r := newReader(t, builtSite(t))
	r.look(1440, "light")
	for search, words := range searched {
		for word, want := range words {
			r.open(search + "?q=" + url.QueryEscape(word))
			r.evaluate(waitForResults)
			got := r.evaluate(`(({pathname, hash}) => pathname + hash)(document.querySelector("#results a") || {pathname: "", hash: ""})`)
			if got = strings.TrimPrefix(got, basePath); got != want {
				t.Errorf("%s%s: the first result is %s, want %s", search, word, got, want)
			}
		}
	}
}

// TestSiteCopy copies the commands of a console without prompts and output, and other code as it is.
func TestSiteCopy(t *testing.T) {
	r := newReader(t, builtSite(t))
	r.look(390, "light")
	for path, want := range map[string]string{
		"/":                   "mapa demo\ngo install github.com/mapatools/mapa/cmd/mapa@latest\nmapa crawl example.com",
		"/es/":                "mapa demo\ngo install github.com/mapatools/mapa/cmd/mapa@latest\nmapa crawl example.com --lang es",
		"/docs/recipes/hugo/": "hugo",
	} {
		r.open(path)
		got := r.evaluate(`(async () => {
			const copied = [];
			navigator.clipboard.writeText = async (text) => { copied.push(text); };
			for (const button of document.querySelectorAll("main .copy")) button.click();
			return copied.join("\n");
		})()`)
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: copied %q, want %q", path, got, want)
		}
	}
}

// TestSiteShared wants a picture for shared links in the language of the page, and two lines about Mapa at the end of
// every page but the home page.
func TestSiteShared(t *testing.T) {
	r := newReader(t, builtSite(t))
	r.look(1440, "light")
	for path, want := range map[string]string{
		"/": "card-en.png image/png 0", "/docs/links/": "card-en.png image/png 2",
		"/commands/crawl/": "card-en.png image/png 2", "/rules/orphan/": "card-en.png image/png 2",
		"/es/": "card-es.png image/png 0", "/es/rules/orphan/": "card-es.png image/png 2",
		"/es/errores-de-search-console/": "card-es.png image/png 2",
	} {
		r.open(path)
		got := r.evaluate(`(async () => {
			const picture = new URL(document.querySelector('meta[property="og:image"]').content).pathname;
			const response = await fetch(picture);
			const lines = document.querySelectorAll("main .about p").length;
			return [picture.replace(/.*\//, ""), response.headers.get("Content-Type"), lines].join(" ");
		})()`)
		if got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// TestSiteContents wants the sections of a page next to it on wide screens, and behind a click on narrow ones.
func TestSiteContents(t *testing.T) {
	r := newReader(t, builtSite(t))
	for width, want := range map[int]string{390: "block none", 1440: "none block"} {
		r.look(width, "light")
		r.open("/docs/links/")
		if got := r.evaluate(`[".sections", ".contents"].map((s) => getComputedStyle(document.querySelector(s)).display).join(" ")`); got != want {
			t.Errorf("%d pixels: the lists of sections are %s, want %s", width, got, want)
		}
	}
}

// TestSiteSearch searches in both languages, with and without results.
func TestSiteSearch(t *testing.T) {
	site := builtSite(t)
	r := newReader(t, site)
	r.look(1440, "light")
	for _, test := range []struct{ path, first, count string }{
		{"/search/?q=title-length", "Rule title-length", "Pages found: "},
		{"/search/?q=PubSubHubbub", "WebSub, once PubSubHubbub", "Pages found: "},
		{"/search/?q=%E2%80%9Csubmit+a+sitemap%E2%80%9D", "Submit a sitemap to Google", "Pages found: "},
		{"/search/?q=sitemaphttp", "sitemap/sitemaphttp", "Pages found: "},
		{"/search/?q=%3Cimg%20src=x%3E%20nothing-like-it", "", "No page has all these words."},
		{"/es/buscar/?q=dinamicos", "Sitemaps dinámicos", "Páginas encontradas: "},
		{"/es/buscar/?q=titulo+demasiado+corto", "Regla title-length", "Páginas encontradas: "},
	} {
		r.open(test.path)
		titles := r.evaluate(waitForResults)
		first, _, _ := strings.Cut(titles, "\n")
		count := r.evaluate(`document.getElementById("count").textContent`)
		if !strings.HasPrefix(first, test.first) || !strings.HasPrefix(count, test.count) {
			t.Errorf("%s: %q and first %q", test.path, count, first)
		}
		if target := r.evaluate(`(document.querySelector("#results a") || {pathname: ""}).pathname`); target != "" {
			r.open(strings.TrimPrefix(target, basePath))
			if heading := r.evaluate(`document.querySelector("h1").textContent`); heading == "" || strings.Contains(heading, "not found") {
				t.Errorf("%s: the first result leads to %s: %q", test.path, target, heading)
			}
		}
	}
	r.open("/search/")
	r.call("Input.insertText", map[string]any{"text": "websub"}) // the field has the focus
	if titles := r.evaluate(waitForResults); !strings.Contains(titles, "WebSub, once PubSubHubbub") {
		t.Errorf("after typing, the results are %q", titles)
	}
	if query := r.evaluate("location.search"); query != "?q=websub" {
		t.Errorf("after typing, the query of the address is %q", query)
	}
}

package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mapatools/mapa/internal/programtest"
)

// newShop starts a site of 114 pages in six sections, with broken links in the template and on single pages. After
// change, some pages are gone, and others are new.
func newShop(t *testing.T) (address string, change func()) {
	t.Helper()
	var changed atomic.Bool
	const sections, products = 6, 17
	text := strings.Repeat("We plant and look after gardens all year, with water and light for every flower. ", 6)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
		links := `<a href="/feed">Feed</a>`
		switch {
		case r.URL.Path == "/":
			links += `<a href="/offer">Offer</a> <a href="/answer">Answer</a>`
			for i := range sections {
				links += fmt.Sprintf(` <a href="/shop/%d/">Section %[1]d</a>`, i)
			}
			for i := range 5 {
				links += fmt.Sprintf(` <a href="/about-%d">About %[1]d</a>`, i)
			}
		case parts[0] == "shop" && len(parts) == 2:
			for i := range products {
				links += fmt.Sprintf(` <a href="/shop/%s/%d">Product %[2]d</a>`, parts[1], i)
			}
			links += fmt.Sprintf(` <a href="/shop/%s/old">Old</a>`, parts[1])
		case r.URL.Path == "/offer", parts[len(parts)-1] == "old", parts[len(parts)-1] == "16" && changed.Load():
			http.NotFound(w, r)
			return
		case r.URL.Path == "/feed", r.URL.Path == "/answer":
			http.Error(w, "no", http.StatusInternalServerError)
			return
		case len(parts) == 3:
			links += `<a href="#nothing">Top</a>`
		case !strings.HasPrefix(parts[0], "about-"):
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><title>Garden of %s</title><h1>Garden</h1><p>%s %s%[1]s</p>", r.URL.Path, links, text)
	}))
	t.Cleanup(server.Close)
	return server.URL, func() { changed.Store(true) }
}

// TestFirstLook opens the second result of a shop on a phone. It is at most three screens high, and what matters is to
// be seen without a tap. A button begins a crawl that checks the rest.
func TestFirstLook(t *testing.T) {
	t.Parallel()
	const screen, fields, tasks = 844, 7, 5
	script := programtest.AxeScript(t)
	server, crawls := newApplication(t, nil)
	shop, change := newShop(t)
	crawlSite(t, server, shop)
	change()
	result := crawlSite(t, server, shop)
	for _, l := range []look{{width: phone}, {width: phone, language: "es"}, {width: phone, noScript: true}} {
		b := newTab(t, server, result, l)
		if height := b.number("document.documentElement.scrollHeight"); height > 3*screen {
			t.Errorf("%+v: the page is %v pixels high", l, height)
		}
		for selector, want := range map[string]int{
			".sign": 1, ".headline": 1, ".since a": 2, ".map": 1, ".map a": fields, ".tasks li .rule": tasks,
			".tasks li .quiet a": tasks, ".rules .go": 3, ".unchecked button": 1,
		} {
			shown := fmt.Sprintf("[...document.querySelectorAll(%q)].filter((one) => one.checkVisibility()).length", selector)
			if n := b.number(shown); n < want {
				t.Errorf("%+v: %v of %s are to be seen", l, n, selector)
			}
		}
		b.sees(".tasks li", "/feed 500")
		b.isNarrow()
		if !l.noScript {
			b.check(script, "a second result", l)
		}
	}
	b := newTab(t, server, result, look{})
	b.sees(".tasks li", "in the template of 108 pages, such as /")
	b.sees(".rules li.bad", "all pages")
	b.click(".rules summary")
	b.sees(".rules details[open]", "")
	b.follow(".unchecked button")
	b.sees(".state, .sign", "")
	latest, _, err := crawls.Crawls(t.Context(), "", "", 1)
	if err != nil {
		t.Fatal(err)
	}
	if o := url.Values(latest[0].Options); o.Get("assets") != "true" || o.Get("external") != "true" ||
		latest[0].ID == filepath.Base(result) {
		t.Errorf("the button began %v", latest[0])
	}
}

// TestOpenFolders checks that the folders of a site are opened until there are some rows.
func TestOpenFolders(t *testing.T) {
	t.Parallel()
	server, _ := newApplication(t, nil)
	shop, _ := newShop(t)
	tree := readPage(t, server+crawlSite(t, server, shop)+"/tree")
	last := -1
	for _, want := range []string{`<bdi>shop</bdi></a>`, "6 folders in it", `<bdi>shop/0</bdi>`, `<bdi>shop/5</bdi>`} {
		at := strings.Index(tree, want)
		if at <= last {
			t.Errorf("%q is not where it should be: %s", want, tree)
		}
		last = at
	}
}

// TestOrders follows the links to orders of the list of pages. Each shows what it sorts by.
func TestOrders(t *testing.T) {
	t.Parallel()
	server, _ := newApplication(t, nil)
	shop, _ := newShop(t)
	result := crawlSite(t, server, shop)
	pages := readPage(t, server+result+"/pages?list=listed")
	for name, column := range map[string]string{
		"Slow": "Response time", "Large": "Size", "Deep": "Crawl depth", "Few links": "Linked from", "Words": "Words",
	} {
		link := regexp.MustCompile(`<li><a href="([^"]*list=listed[^"]*)">` + name + `</a></li>`).FindStringSubmatch(pages)
		if link == nil {
			t.Errorf("no link to %s: %s", name, pages)
			continue
		}
		sorted := readPage(t, server+strings.ReplaceAll(link[1], "&amp;", "&"))
		heading := regexp.MustCompile(`aria-sort="(ascending|descending)"><a href="[^"]*">` + column + `</a>`)
		if !heading.MatchString(sorted) || !strings.Contains(sorted, `aria-current="true">`+name) {
			t.Errorf("%s does not sort by %s: %s", name, column, sorted)
		}
	}
}

package crawl_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing/fstest"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/sitemap"
)

// exampleSite serves a small shop.
func exampleSite() *httptest.Server {
	pages := map[string]string{
		"/":      `<title>Shop</title><p>Welcome</p><a href="/tea">Tea</a> <a href="/cart">Cart</a> <a href="/old">Coffee</a>`,
		"/tea":   `<title>Tea</title><p>Green and black</p><a href="/">Home</a> <a href="/old">Coffee</a> <a href="/staff">Staff</a>`,
		"/cart":  `<title>Cart</title><meta name="robots" content="noindex"><p>Nothing in it</p>`,
		"/about": `<title>About</title><p>Since 1999</p>`,
	}
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, ok := pages[r.URL.Path]
		switch {
		case r.URL.Path == "/robots.txt":
			fmt.Fprint(w, "User-agent: *\nDisallow: /staff\n")
		case !ok:
			http.NotFound(w, r)
		default:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, page)
		}
	}))
}

// Crawl a site, print its broken links with the pages that have them, and write its
// sitemap.
func Example() {
	ctx := context.Background()
	site := http.NewFileTransportFS(fstest.MapFS{ // in place of a server
		"index.html": {Data: []byte(`<title>Shop</title><p>Welcome</p><a href="tea.html">Tea</a>`)},
		"tea.html":   {Data: []byte(`<title>Tea</title><p>Green and black</p><a href="coffee.html">Coffee</a>`)},
	})

	store := crawl.NewMemoryStore()
	options := &crawl.Options{Start: "https://shop.example/", Local: crawl.Local{Transport: site}}
	if _, err := crawl.Run(ctx, store, options); err != nil {
		log.Fatal(err)
	}
	for broken, err := range store.BrokenLinks(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(broken.Page, "links to", broken.URL, "which answers", broken.Status)
	}
	w := sitemap.NewWriter(os.Stdout)
	for page, err := range store.Listed(ctx) {
		if err == nil {
			err = w.Write(page.URL())
		}
		if err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// https://shop.example/tea.html links to https://shop.example/coffee.html which answers 404
	// <?xml version="1.0" encoding="UTF-8"?>
	// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
	// <url><loc>https://shop.example/</loc></url>
	// <url><loc>https://shop.example/tea.html</loc></url>
	// </urlset>
}

// Print why each URL is, or is not, in the sitemap.
func ExampleRun() {
	server := exampleSite()
	defer server.Close()
	ctx := context.Background()

	var store crawl.MemoryStore
	progress, err := crawl.Run(ctx, &store, &crawl.Options{Start: server.URL})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(progress.Pages, "pages,", progress.Broken, "broken")
	for record, err := range store.Pages(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		path := strings.TrimPrefix(record.Link.URL, server.URL)
		if reason := record.Reason(); reason == crawl.ReasonListed {
			fmt.Println(path, "is in the sitemap")
		} else {
			fmt.Printf("%s is not: %s (%s)\n", path, reason, record.Page.Detail)
		}
	}
	// Output:
	// 4 pages, 1 broken
	// / is in the sitemap
	// /tea is in the sitemap
	// /cart is not: noindex (meta robots)
	// /old is not: client-error (Not Found)
	// /staff is not: robots (disallowed by line 2: Disallow: /staff)
}

// Read every page during the crawl. Several workers call OnPage at once, so it locks
// what it changes.
func ExampleRun_onPage() {
	server := exampleSite()
	defer server.Close()

	var mutex sync.Mutex
	var titles []string
	_, err := crawl.Run(context.Background(), new(crawl.MemoryStore), &crawl.Options{
		Start: server.URL,
		OnPage: func(r crawl.Response) {
			if r.Status != http.StatusOK {
				return
			}
			_, after, _ := bytes.Cut(r.Body, []byte("<title>"))
			title, _, _ := bytes.Cut(after, []byte("</title>"))
			mutex.Lock()
			defer mutex.Unlock()
			titles = append(titles, string(title)) // a copy: r.Body is reused
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	slices.Sort(titles)
	fmt.Println(titles)
	// Output: [Cart Shop Tea]
}

// Stop a crawl, and continue it later with the same store.
func ExampleRun_continue() {
	server := exampleSite()
	defer server.Close()

	var store crawl.MemoryStore
	ctx, stop := context.WithCancel(context.Background())
	_, err := crawl.Run(ctx, &store, &crawl.Options{
		Start:  server.URL,
		OnPage: func(crawl.Response) { stop() },
	})
	fmt.Println(errors.Is(err, crawl.ErrStopped), store.Finished())

	progress, err := crawl.Run(context.Background(), &store, &crawl.Options{Start: server.URL})
	fmt.Println(progress.Resumed, progress.Pages, "pages", err, store.Finished())
	// Output:
	// true false
	// true 4 pages <nil> true
}

// Leave the endless part of a site.
func ExampleRun_trap() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<title>%[1]s</title><p>You are at %[1]s</p><a href="next/">Next</a>`, r.URL.Path)
	}))
	defer server.Close()
	ctx := context.Background()

	var store crawl.MemoryStore
	if _, err := crawl.Run(ctx, &store, &crawl.Options{Start: server.URL}); err != nil {
		log.Fatal(err)
	}
	for record, err := range store.Pages(ctx, crawl.ReasonTrap) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(strings.TrimPrefix(record.Link.URL, server.URL), "is a trap:", record.Link.Detail)
	}
	// Output:
	// /next/next/next/ is a trap: repeated path segment
}

// Begin with URLs that no page links to, and list the pages for the sitemap.
func ExampleMemoryStore_Listed() {
	server := exampleSite()
	defer server.Close()
	ctx := context.Background()

	var store crawl.MemoryStore
	_, err := crawl.Run(ctx, &store, &crawl.Options{
		Start: server.URL,
		Seeds: func(yield func(crawl.Seed, error) bool) {
			yield(crawl.Seed{URL: server.URL + "/about", Source: crawl.SeedList}, nil)
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	for page, err := range store.Listed(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(strings.TrimPrefix(page.Link.URL, server.URL), page.Page.Title)
	}
	// Output:
	// / Shop
	// /about About
	// /tea Tea
}

func ExampleMemoryStore_BrokenLinks() {
	server := exampleSite()
	defer server.Close()
	ctx := context.Background()

	var store crawl.MemoryStore
	_, err := crawl.Run(ctx, &store, &crawl.Options{
		Start:  server.URL,
		Checks: crawl.Checks{Assets: true, External: true}, // by default only pages of the site
	})
	if err != nil {
		log.Fatal(err)
	}
	for broken, err := range store.BrokenLinks(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %q leads to %s: %d %s\n", strings.TrimPrefix(broken.Page, server.URL), broken.Link.Text,
			strings.TrimPrefix(broken.URL, server.URL), broken.Status, broken.Detail)
	}
	// Output:
	// /: "Coffee" leads to /old: 404 Not Found
	// /tea: "Coffee" leads to /old: 404 Not Found
}

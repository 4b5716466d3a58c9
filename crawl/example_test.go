package crawl_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"

	"github.com/mapatools/mapa/crawl"
)

// exampleSite serves a small shop.
func exampleSite() *httptest.Server {
	pages := map[string]string{
		"/":      `<title>Shop</title><p>Welcome</p><a href="/tea">Tea</a> <a href="/cart">Cart</a> <a href="/old">Coffee</a>`,
		"/tea":   `<title>Tea</title><p>Green and black</p><a href="/">Home</a>`,
		"/cart":  `<title>Cart</title><meta name="robots" content="noindex"><p>Nothing in it</p>`,
		"/about": `<title>About</title><p>Since 1999</p>`,
	}
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	}))
}

// Crawl a site, and print why each URL is, or is not, in the sitemap.
func ExampleRun() {
	server := exampleSite()
	defer server.Close()
	ctx := context.Background()

	store := &crawl.MemoryStore{}
	progress, err := crawl.Run(ctx, store, &crawl.Options{
		Start:  server.URL + "/",
		Access: crawl.Access{Rate: crawl.PerSecond(0)}, // our own server
	})
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
}

// Read every page during the crawl. Several workers call OnPage at once, so it locks
// what it changes.
func ExampleRun_onPage() {
	server := exampleSite()
	defer server.Close()

	var mutex sync.Mutex
	var titles []string
	_, err := crawl.Run(context.Background(), &crawl.MemoryStore{}, &crawl.Options{
		Start:  server.URL + "/",
		Access: crawl.Access{Rate: crawl.PerSecond(0)},
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

// Begin with URLs that no page links to, and list the pages for the sitemap.
func ExampleMemoryStore_Listed() {
	server := exampleSite()
	defer server.Close()
	ctx := context.Background()

	store := &crawl.MemoryStore{}
	_, err := crawl.Run(ctx, store, &crawl.Options{
		Start: server.URL + "/",
		Seeds: func(yield func(crawl.Seed, error) bool) {
			yield(crawl.Seed{URL: server.URL + "/about", Source: crawl.SeedList}, nil)
		},
		Access: crawl.Access{Rate: crawl.PerSecond(0)},
	})
	if err != nil {
		log.Fatal(err)
	}
	for page, err := range store.Listed(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(strings.TrimPrefix(page.Loc, server.URL), page.Title)
	}
	// Output:
	// / Shop
	// /about About
	// /tea Tea
}

func ExampleParseRate() {
	rate, err := crawl.ParseRate("0.5")
	fmt.Println(rate.Limit(), err)
	unlimited, err := crawl.ParseRate("0")
	fmt.Println(unlimited == crawl.PerSecond(0), err)
	fmt.Println(crawl.Rate{}.Limit(), "is the default")
	// Output:
	// 0.5 <nil>
	// true <nil>
	// 20 is the default
}

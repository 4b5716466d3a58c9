package announce_test

import (
	"context"
	"fmt"
	"iter"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/announce/announcetest"
)

// pages yields two changed pages with the versions of their content.
func pages() iter.Seq2[announce.Item, error] {
	return func(yield func(announce.Item, error) bool) {
		_ = yield(announce.Item{URL: "https://example.com/new", Version: "1"}, nil) &&
			yield(announce.Item{URL: "https://example.com/changed", Version: "2"}, nil)
	}
}

// A provider gets each version of a page once. Here a test server acts as Baidu; without
// Endpoint, the requests go to Baidu itself.
func Example() {
	engine := httptest.NewServer(announcetest.New(announcetest.Options{
		Sites: []string{"https://example.com"}, BaiduToken: "secret",
	}))
	defer engine.Close()

	options := announce.Options{Endpoint: engine.URL, Ledger: announce.NewMemoryLedger()}
	baidu, err := announce.NewBaidu(announce.BaiduOptions{Token: "secret"}, &options)
	if err != nil {
		log.Fatal(err)
	}
	for range 2 {
		for _, r := range baidu.Announce(context.Background(), &announce.Announcement{URLs: pages()}) {
			fmt.Println(r.Provider, r.Target, "sent", r.Sent, "known", r.Known, r.Err)
		}
	}
	// Output:
	// baidu example.com sent 2 known 0 <nil>
	// baidu example.com sent 0 known 2 <nil>
}

// Plan shows the requests that Announce would send.
func ExampleIndexNow_Plan() {
	index, err := announce.NewIndexNow(announce.IndexNowOptions{Key: "0123456789abcdef"}, nil)
	if err != nil {
		log.Fatal(err)
	}
	for request, err := range index.Plan(&announce.Announcement{URLs: pages()}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(request.Method, request.URL)
		fmt.Println(request.Body)
	}
	// Output:
	// POST https://api.indexnow.org/indexnow
	// {"host":"example.com","key":"***","urlList":["https://example.com/new","https://example.com/changed"]}
}

// The robots.txt of a site names the sitemap, and lets the engines read it.
func ExampleCheckRobots() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			fmt.Fprint(w, "User-agent: *\nDisallow: /sitemap.xml\n")
		}
	}))
	defer site.Close()
	check, err := announce.CheckRobots(context.Background(), site.URL+"/", site.URL+"/sitemap.xml", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(check.Named, check.Blocked)
	// Output:
	// false Googlebot: disallowed by line 2: Disallow: /sitemap.xml
}

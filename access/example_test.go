package access_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/source"
)

// A preview wants a password, and no more than two requests a second.
func Example() {
	preview := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, password, _ := r.BasicAuth(); name != "me" || password != "secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Fprint(w, "https://example.com/\n")
	}))
	defer preview.Close()

	a := access.Access{Rate: access.PerSecond(2), UserAgent: "ShopBot/1.0"}
	a.SetBasicAuth(preview.URL, "me", "secret")
	sources := []string{preview.URL + "/sitemap.txt"}
	for file, err := range source.Sitemaps(context.Background(), sources, &source.Options{Access: a}) {
		if err != nil {
			log.Fatal(err)
		}
		for entry, err := range file.Entries() {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("%s\n", entry.Loc)
		}
	}
	// Output:
	// https://example.com/
}

// roundTripper is a handler as an [http.RoundTripper].
type roundTripper struct{ http.Handler }

// RoundTrip implements [http.RoundTripper].
func (t roundTripper) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	t.ServeHTTP(w, r)
	response := w.Result()
	response.Request = r
	return response, nil
}

// A handler in this process answers the requests for a site.
func ExampleAccess() {
	site := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "https://%s/tea\n", r.Host)
	})
	options := &source.Options{Access: access.Access{Transport: roundTripper{site}, Rate: access.PerSecond(0)}}
	for file, err := range source.Sitemaps(context.Background(), []string{"https://shop.example/sitemap.txt"}, options) {
		if err != nil {
			log.Fatal(err)
		}
		for entry, err := range file.Entries() {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("%s\n", entry.Loc)
		}
	}
	// Output:
	// https://shop.example/tea
}

func ExampleParseRate() {
	rate, err := access.ParseRate("0.5")
	fmt.Println(rate.Limit(), err)
	unlimited, err := access.ParseRate("0")
	fmt.Println(unlimited == access.PerSecond(0), err)
	fmt.Println(access.Rate{}.Limit(), "is the default")
	// Output:
	// 0.5 <nil>
	// true <nil>
	// 20 is the default
}

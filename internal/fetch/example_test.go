package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/mapatools/mapa/internal/fetch"
)

var shop = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/old":
		http.Redirect(w, r, "/new", http.StatusMovedPermanently)
	case "/loop":
		http.Redirect(w, r, "/loop", http.StatusFound)
	default:
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<h1>Shop</h1>")
	}
})

func Example() {
	server := httptest.NewServer(shop)
	defer server.Close()
	client, err := fetch.New(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	buffer := make([]byte, 0, 64<<10) // one for each worker
	for _, path := range []string{"/new", "/old"} {
		res, err := client.Fetch(context.Background(), &fetch.Request{URL: server.URL + path, Buffer: buffer})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d %q %q\n", res.Status, res.Body, strings.TrimPrefix(res.RedirectTo, server.URL))
		buffer = res.Body
	}
	// Output:
	// 200 "<h1>Shop</h1>" ""
	// 301 "" "/new"
}

func ExampleFollow() {
	server := httptest.NewServer(shop)
	defer server.Close()
	client, err := fetch.New(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	follow := fetch.Follow(client, 5)
	res, err := follow.Fetch(context.Background(), &fetch.Request{URL: server.URL + "/old"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Status, strings.TrimPrefix(res.URL, server.URL), len(res.Hops))
	_, err = follow.Fetch(context.Background(), &fetch.Request{URL: server.URL + "/loop"})
	fmt.Println(errors.Is(err, fetch.KindRedirectLoop))
	// Output:
	// 200 /new 1
	// true
}

func ExampleGuard() {
	server := httptest.NewServer(shop)
	defer server.Close()
	client, err := fetch.New(&fetch.Options{Guard: &fetch.Guard{}})
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Fetch(context.Background(), &fetch.Request{URL: server.URL})
	fmt.Println(errors.Is(err, fetch.KindBlocked))
	// Output:
	// true
}

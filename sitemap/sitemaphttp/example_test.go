package sitemaphttp_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/sitemap/sitemaphttp"
)

// show prints what a server answers.
func show(h http.Handler, path string) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	body, err := io.ReadAll(w.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s", body)
}

// A sitemap over a slice.
func ExampleSlice() {
	handler, err := sitemaphttp.New("https://example.com/", []sitemaphttp.Section{{
		Name: "pages",
		Source: sitemaphttp.Slice([]sitemap.URL{
			{Loc: "https://example.com/"},
			{Loc: "https://example.com/about", LastMod: sitemap.DayOf(time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC))},
		}),
	}}, &sitemaphttp.Options{Stylesheets: []sitemap.Stylesheet{}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer handler.Close()

	show(handler, "/sitemap.xml")
	// Output:
	// <?xml version="1.0" encoding="UTF-8"?>
	// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
	// <url><loc>https://example.com/</loc></url>
	// <url><loc>https://example.com/about</loc><lastmod>2024-02-29</lastmod></url>
	// </urlset>
}

// An existing mux keeps its routes: the middleware takes only the requests for the
// sitemap.
func ExampleHandler_Middleware() {
	site := http.NewServeMux()
	site.HandleFunc("GET /{slug}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "The page %s.\n", r.PathValue("slug"))
	})

	handler, err := sitemaphttp.New("https://example.com/", []sitemaphttp.Section{{
		Name:   "pages",
		Source: sitemaphttp.Slice([]sitemap.URL{{Loc: "/about"}}),
	}}, &sitemaphttp.Options{Stylesheets: []sitemap.Stylesheet{}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer handler.Close()
	site.Handle("GET /robots.txt", handler.Robots("User-agent: *\nDisallow: /cart\n"))
	root := handler.Middleware(site)

	show(root, "/about")
	show(root, "/robots.txt")
	show(root, "/sitemap.xml")
	// Output:
	// The page about.
	// User-agent: *
	// Disallow: /cart
	// Sitemap: https://example.com/sitemap.xml
	// <?xml version="1.0" encoding="UTF-8"?>
	// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
	// <url><loc>https://example.com/about</loc></url>
	// </urlset>
}

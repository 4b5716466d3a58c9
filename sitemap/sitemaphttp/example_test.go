package sitemaphttp_test

import (
	"context"
	"database/sql"
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

// A sitemap of the rows of a database, in two sections. SQLite stands for any of the
// databases here; examples/shop is a program with PostgreSQL.
func ExampleSQL() {
	db, err := sql.Open("sqlite", "file::memory:?cache=shared")
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`create table posts (id integer primary key, slug text, changed text, draft bool);
		insert into posts values (7, 'tea', '2024-02-29', false), (8, 'cake', null, true), (12001, 'scones', null, false)`,
	); err != nil {
		fmt.Println(err)
		return
	}
	handler, err := sitemaphttp.New("https://example.com/", []sitemaphttp.Section{{
		Name:   "posts",
		Source: sitemaphttp.SQL(db, "select id, '/posts/' || slug as loc, changed as lastmod from posts where not draft"),
	}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer handler.Close()

	show(handler, "/sitemap.xml")
	show(handler, "/sitemap-posts-0.xml")
	// Output:
	// <?xml version="1.0" encoding="UTF-8"?>
	// <?xml-stylesheet type="text/css" href="sitemap.css"?>
	// <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
	// <sitemap><loc>https://example.com/sitemap-posts-0.xml</loc><lastmod>2024-02-29</lastmod></sitemap>
	// <sitemap><loc>https://example.com/sitemap-posts-10000.xml</loc></sitemap>
	// </sitemapindex>
	// <?xml version="1.0" encoding="UTF-8"?>
	// <?xml-stylesheet type="text/css" href="sitemap.css"?>
	// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
	// <url><loc>https://example.com/posts/tea</loc><lastmod>2024-02-29</lastmod></url>
	// </urlset>
}

// A function that returns a page of rows at a time, such as one that asks another
// service.
func ExamplePages() {
	stock := []string{"cup", "pot", "tray"}
	list := func(_ context.Context, keys sitemaphttp.Range, limit int) ([]sitemaphttp.Row, error) {
		var rows []sitemaphttp.Row
		for _, name := range stock {
			row := sitemaphttp.Row{Key: sitemaphttp.Text(name), URL: sitemap.URL{Loc: "/stock/" + name}}
			if keys.Contains(row.Key) && len(rows) < limit {
				rows = append(rows, row)
			}
		}
		return rows, nil
	}
	handler, err := sitemaphttp.New("https://example.com/", []sitemaphttp.Section{{
		Name: "stock", Source: sitemaphttp.Pages(list),
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
	// <url><loc>https://example.com/stock/cup</loc></url>
	// <url><loc>https://example.com/stock/pot</loc></url>
	// <url><loc>https://example.com/stock/tray</loc></url>
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

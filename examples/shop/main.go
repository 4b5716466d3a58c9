// Command shop is a small shop on PostgreSQL whose sitemap is always up to date:
//
//	DATABASE_URL=postgres://localhost/shop go run ./examples/shop -base https://shop.example/
//
// It creates a table of products if there is none. Each product has a page; /robots.txt
// names the sitemap, and /sitemap.xml lists the pages.
package main

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"html/template"
	"log"
	"net/http"
	"os"
	"os/signal"
	"time"

	_ "github.com/lib/pq" // the driver

	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/sitemap/sitemaphttp"
)

const schema = `create table if not exists products (
	id       bigint generated always as identity primary key,
	slug     text not null unique,
	name     text not null,
	image    text,
	changed  timestamptz not null default now(),
	sold_out boolean not null default false
)`

// products is the query of the sitemap: a page for each product on sale.
const products = `select id, '/products/' || slug as loc, changed as lastmod, image
	from products where not sold_out`

func main() {
	address := flag.String("listen", "localhost:8080", "the `address` to listen on")
	base := flag.String("base", "http://localhost:8080/", "the `URL` of the shop's root")
	flag.Parse()
	if err := run(*address, *base, os.Getenv("DATABASE_URL")); err != nil {
		log.Fatal("shop: ", err)
	}
}

func run(address, base, databaseURL string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	db, err := sql.Open("postgres", databaseURL)
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, schema); err != nil {
		return fmt.Errorf("creating the table: %w", err)
	}
	sitemaps, err := newSitemaps(base, db)
	if err != nil {
		return err
	}
	defer sitemaps.Close()
	server := &http.Server{Addr: address, Handler: newSite(db, sitemaps), ReadHeaderTimeout: 10 * time.Second}
	go func() {
		<-ctx.Done()
		stop() // a second interrupt ends the program at once
		_ = server.Shutdown(context.Background())
	}()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// newSitemaps returns the sitemaps of the shop: a section for the products and one
// for the pages that are not in the database.
func newSitemaps(base string, db *sql.DB) (*sitemaphttp.Handler, error) {
	return sitemaphttp.New(base, []sitemaphttp.Section{
		{Name: "products", Source: sitemaphttp.SQL(db, products)},
		{Name: "pages", Source: sitemaphttp.Slice([]sitemap.URL{{Loc: "/"}})},
	}, &sitemaphttp.Options{Refresh: time.Minute})
}

// newSite returns the handler of all pages and of the sitemaps.
func newSite(db *sql.DB, sitemaps *sitemaphttp.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, "Welcome to the shop.")
	})
	mux.HandleFunc("GET /products/{slug}", func(w http.ResponseWriter, r *http.Request) { showProduct(w, r, db) })
	mux.Handle("/robots.txt", sitemaps.Robots("User-agent: *\nDisallow: /cart\n"))
	return sitemaps.Middleware(mux)
}

var page = template.Must(template.New("product").Parse(`<!doctype html>
<title>{{.}}</title>
<h1>{{.}}</h1>
`))

func showProduct(w http.ResponseWriter, r *http.Request, db *sql.DB) {
	var name string
	err := db.QueryRowContext(r.Context(), "select name from products where slug = $1", r.PathValue("slug")).Scan(&name)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		http.NotFound(w, r)
	case err != nil:
		log.Print("shop: ", err)
		http.Error(w, "try again later", http.StatusServiceUnavailable)
	default:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_ = page.Execute(w, name) // the client has gone
	}
}

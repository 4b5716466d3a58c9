package sitemaphttp_test

import (
	"context"
	"fmt"
	"iter"
	"log"

	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/sitemap/sitemaphttp"
)

// serve prints the sitemap of a source.
func serve(source sitemaphttp.Source) {
	handler, err := sitemaphttp.New("https://example.com/", []sitemaphttp.Section{{Name: "pages", Source: source}},
		&sitemaphttp.Options{Stylesheets: []sitemap.Stylesheet{}})
	if err != nil {
		log.Fatal(err)
	}
	defer handler.Close()
	show(handler, "/sitemap.xml")
}

// A sequence that yields all pages, for example from a cache.
func ExampleSeq() {
	serve(sitemaphttp.Seq(func(yield func(*sitemaphttp.Row, error) bool) {
		for _, name := range []string{"coffee", "tea"} {
			row := sitemaphttp.Row{Key: sitemaphttp.Text(name), URL: sitemap.URL{Loc: "/" + name}}
			if !yield(&row, nil) {
				return
			}
		}
	}))
	// Output:
	// <?xml version="1.0" encoding="UTF-8"?>
	// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
	// <url><loc>https://example.com/coffee</loc></url>
	// <url><loc>https://example.com/tea</loc></url>
	// </urlset>
}

// A function that begins at any key: here the products have numbers from 1 to 3.
func ExampleSourceFunc() {
	products := func(_ context.Context, keys sitemaphttp.Range) iter.Seq2[*sitemaphttp.Row, error] {
		return func(yield func(*sitemaphttp.Row, error) bool) {
			for number := range int64(3) {
				row := sitemaphttp.Row{Key: sitemaphttp.Int(number + 1)}
				row.Loc = fmt.Sprintf("/products/%d", number+1)
				if keys.Contains(row.Key) && !yield(&row, nil) {
					return
				}
			}
		}
	}
	serve(sitemaphttp.SourceFunc(products))
	// Output:
	// <?xml version="1.0" encoding="UTF-8"?>
	// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
	// <url><loc>https://example.com/products/1</loc></url>
	// <url><loc>https://example.com/products/2</loc></url>
	// <url><loc>https://example.com/products/3</loc></url>
	// </urlset>
}

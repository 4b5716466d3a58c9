package linttest_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/mapatools/mapa/lint"
	"github.com/mapatools/mapa/lint/linttest"
)

// printer prints what a test would report.
type printer struct{ testing.TB }

func (printer) Helper()                  {}
func (printer) Context() context.Context { return context.Background() }
func (printer) Log(args ...any)          { fmt.Println(args...) }
func (printer) Error(args ...any)        { fmt.Println(args...) }

// The sitemap that a site serves is checked without a server.
func ExampleCheckHandler() {
	site := http.NewServeMux()
	site.HandleFunc("/sitemap.xml", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/xml")
		fmt.Fprint(w, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url>
    <loc>https://example.com/</loc>
    <changefreq>Daily</changefreq>
  </url>
</urlset>`)
	})
	var t testing.TB = printer{} // the t of a real test

	options := &lint.Options{Only: []string{"changefreq-invalid"}}
	linttest.CheckHandler(t, site, "https://example.com/sitemap.xml", options)
	// Output:
	// https://example.com/sitemap.xml:4:5: error: changefreq "Daily" must be lower case: daily [changefreq-invalid]
	// 	    <changefreq>Daily</changefreq>
	// 	fix: Write one of the seven values, or leave changefreq out: Google and Bing do not use it.
}

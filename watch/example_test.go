package watch_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/mapatools/mapa/watch"
)

// A pass yields what changed since the one before.
func Example() {
	sitemap := `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
		<url><loc>https://example.com/</loc><lastmod>2026-01-30</lastmod></url>
		<url><loc>https://example.com/old</loc></url>
	</urlset>`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sitemap.xml" {
			fmt.Fprint(w, sitemap)
		}
	}))
	defer server.Close()

	watcher, err := watch.New(watch.NewMemoryStore(), &watch.Options{
		Sites:       []string{server.URL + "/sitemap.xml"},
		SkipInitial: true,
	})
	if err != nil {
		log.Fatal(err)
	}
	defer watcher.Close()
	for range 2 {
		for event, err := range watcher.Pass(context.Background()) {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(event.Type, event.Loc, event.Fields)
		}
		sitemap = strings.ReplaceAll(sitemap, "2026-01-30", "2026-01-31")
		sitemap = strings.ReplaceAll(sitemap, "/old", "/new")
	}
	// Unordered output:
	// changed https://example.com/ [lastmod]
	// gone https://example.com/old []
	// new https://example.com/new []
}

package watch_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/watch"
)

// TestSpellingsOfHost follows an index that spells its own host in other ways.
func TestSpellingsOfHost(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			fmt.Fprintln(w, "Sitemap: http://b\u00fccher.example/index.xml")
		case "/index.xml":
			fmt.Fprint(w, `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`+
				"<sitemap><loc>http://xn--bcher-kva.example/1.xml</loc></sitemap>"+
				"<sitemap><loc>http://B\u00dcCHER.example:80/2.xml</loc></sitemap></sitemapindex>")
		case "/1.xml", "/2.xml":
			fmt.Fprintf(w, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`+
				"<url><loc>http://xn--bcher-kva.example%s/page</loc></url></urlset>", r.URL.Path)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(proxy.Close)
	for _, site := range []string{"http://b\u00fccher.example", "http://xn--bcher-kva.example:80",
		"http://B\u00dccher.example/index.xml"} {
		w, err := watch.New(&watch.MemoryStore{}, &watch.Options{
			Sites: []string{site}, Access: access.Access{Proxy: proxy.URL, Rate: access.PerSecond(0)},
		})
		if err != nil {
			t.Fatal(err)
		}
		pages := 0
		for _, err := range w.Pass(t.Context()) {
			if err != nil {
				t.Error(err)
				continue
			}
			pages++
		}
		if pages != 2 {
			t.Errorf("%s has %d pages", site, pages)
		}
		w.Close()
	}
}

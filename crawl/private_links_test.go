package crawl_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
)

// TestPrivateLinks checks links of a stranger's page to this machine and to private networks:
// none is requested, and each is a broken link.
func TestPrivateLinks(t *testing.T) {
	t.Parallel()
	var reached atomic.Int64
	private := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer private.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(private.URL, "http://"), ":")
	links := []string{
		private.URL + "/page", "http://localhost:" + port + "/", "http://[::ffff:127.0.0.1]:" + port + "/",
		"http://10.1.2.3/", "http://192.168.1.1/", "http://169.254.169.254/latest/meta-data/", "http://[fd00::1]/",
	}
	site := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		for _, link := range links {
			fmt.Fprintf(w, "<a href=%q>link</a>", link)
		}
	})
	store := &crawl.MemoryStore{}
	_, err := run(t, store, &crawl.Options{
		Start: "http://site.example/", Local: crawl.Local{Transport: inProcess{site}},
		Access: access.Access{PublicOnly: true}, Checks: crawl.Checks{External: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for url, got := range decisions(store, "http://site.example") {
		if strings.HasPrefix(url, "http") {
			checked++
			if !strings.HasPrefix(string(got), string(crawl.ReasonUnreachable)+": robots.txt: ") {
				t.Errorf("%s: %s", url, got)
			}
		}
	}
	if checked != len(links) || reached.Load() > 0 {
		t.Errorf("%d of %d links were checked, with %d requests", checked, len(links), reached.Load())
	}
}

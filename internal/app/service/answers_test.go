package service

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/mapatools/mapa/internal/app"
)

// TestAnswers requests a URL of another site once for all crawls of a server.
func TestAnswers(t *testing.T) {
	t.Parallel()
	var mutex sync.Mutex
	asked := map[string]int{}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		asked[r.Host+r.URL.Path]++
		mutex.Unlock()
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<title>Home</title><p>home <a href="http://other.example/there">there</a>`)
	}))
	t.Cleanup(web.Close)
	s, _ := start(t, Options{Folder: t.TempDir(), App: &app.App{Version: "test", CacheFolder: t.TempDir()}})
	crawl := func(options map[string][]string) {
		t.Helper()
		options["rate"], options["external"], options["proxy"] = []string{"0"}, []string{"true"}, []string{web.URL}
		c, err := s.Start(t.Context(), Request{URL: web.URL, Options: options})
		if err != nil {
			t.Fatal(err)
		}
		if c = ended(t, s, c.ID); c.State != StateDone {
			t.Fatalf("%+v", c)
		}
	}
	for _, test := range []struct {
		age  string
		want int
	}{{"24h", 1}, {"24h", 1}, {"0", 2}, {"24h", 2}} {
		crawl(map[string][]string{"external-max-age": {test.age}})
		mutex.Lock()
		if asked["other.example/there"] != test.want || asked["other.example/robots.txt"] != test.want {
			t.Errorf("after a crawl with %s: %v", test.age, asked)
		}
		if own := asked[strings.TrimPrefix(web.URL, "http://")+"/"]; own == 0 {
			t.Errorf("the site was not requested: %v", asked)
		}
		mutex.Unlock()
	}
}

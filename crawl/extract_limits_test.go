package crawl_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl"
)

// TestLongFields crawls pages whose fields are all too long to keep.
func TestLongFields(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 100_000)
	origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"`+long+`"`)
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, `<title>Home</title><meta property="og:type" content="article"><meta property="og:title" content="%s">
				<meta property="article:published_time" content="%s"><p>home</p><a href="/moved#%.5000[1]s">m</a> <a href="/file">f</a>`,
				long, time.Now().UTC().Format(time.RFC3339))
		case "/moved":
			http.Redirect(w, r, "/"+long, http.StatusFound)
		case "/file":
			w.Header().Set("Content-Type", "application/"+long)
		default:
			http.NotFound(w, r)
		}
	}))
	store := &crawl.MemoryStore{}
	if _, err := run(t, store, &crawl.Options{Start: origin}); err != nil {
		t.Fatal(err)
	}
	read := 0
	store.Each(func(link crawl.Link, page *crawl.Page) {
		if page == nil {
			return
		}
		read++
		text, err := json.Marshal(page)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > 12_000 {
			t.Errorf("%.40s: the result has %d bytes", strings.TrimPrefix(link.URL, origin), len(text))
		}
		if link.ID == 1 && (len(page.Links) != 2 || len(page.Links[0].Fragment) > 100) {
			t.Errorf("links %+v", page.Links)
		}
		if link.ID == 1 && (page.Extensions == nil || len(page.Extensions.News) != 1 || page.Extensions.News[0].Title == "") {
			t.Errorf("extensions %+v", page.Extensions)
		}
	})
	if read != 3 {
		t.Errorf("%d URLs were requested", read)
	}
}

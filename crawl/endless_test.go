package crawl_test

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
)

// endlessParts returns the links of a page of each endless part, by the path that it begins with.
var endlessParts = map[string]func(r *http.Request) (links []string){
	"/calendar": func(r *http.Request) []string {
		month, _ := strconv.Atoi(r.FormValue("month"))
		return []string{fmt.Sprint("/calendar?month=", month+1), fmt.Sprint("/calendar?month=", month-1)}
	},
	"/shop": func(r *http.Request) (links []string) {
		for _, filter := range []string{"color", "size", "brand", "price", "sort"} {
			for n := range 4 {
				query := r.URL.Query()
				query.Set(filter, strconv.Itoa(n))
				links = append(links, "/shop?"+query.Encode())
			}
		}
		return links
	},
	"/list": func(r *http.Request) []string {
		page, _ := strconv.Atoi(r.FormValue("page"))
		return []string{fmt.Sprint("/list?page=", page+1)}
	},
	"/tree": func(r *http.Request) []string {
		path := strings.TrimSuffix(r.URL.Path, "/")
		return []string{path + "/oak/", path + "/elm/", path + "/ash/"}
	},
}

// endlessBounds are how many requests each part may cost, with those under way when it is recognized.
var endlessBounds = map[string]int{"/calendar": 40, "/shop": 300, "/list": 35, "/tree": 100}

// endlessVariants are what each page of an endless part may have of its own.
var endlessVariants = map[string]func(r *http.Request) (head, body string){
	"plain": func(r *http.Request) (head, body string) { return "", "" },
	"canonical": func(r *http.Request) (head, body string) {
		return `<link rel=canonical href="http://` + r.Host + strings.ReplaceAll(r.URL.RequestURI(), "&", "&amp;") + `">`, ""
	},
	"number": func(r *http.Request) (head, body string) {
		return "", "<p>Number " + strconv.Itoa(int(sumOf(r.URL.RequestURI()))) + "</p>"
	},
	"random picture": func(r *http.Request) (head, body string) {
		return "", fmt.Sprintf(`<img src="/picture-%d.jpg">`, rand.IntN(100_000))
	},
	"one of ten pictures": func(r *http.Request) (head, body string) {
		return "", fmt.Sprintf(`<img src="/picture-%d.jpg">`, sumOf(r.URL.RequestURI())%10)
	},
}

func sumOf(text string) uint32 {
	hash := fnv.New32a()
	hash.Write([]byte(text))
	return hash.Sum32()
}

// TestEndless bounds what is requested and listed of endless parts, whatever their pages have of their own.
func TestEndless(t *testing.T) {
	t.Parallel()
	for part, linksOf := range endlessParts {
		for variant, own := range endlessVariants {
			t.Run(part[1:]+" "+variant, func(t *testing.T) {
				t.Parallel()
				listed, requests := crawlEndless(t, part, linksOf, own)
				t.Logf("%d of %d listed", listed, requests)
				if bound := endlessBounds[part]; listed > 28 || requests > bound {
					t.Errorf("%d of %d listed, want 28 of %d", listed, requests, bound)
				}
			})
		}
	}
}

// crawlEndless crawls a site with an endless part, and counts its pages that are listed, and the requests.
func crawlEndless(
	t *testing.T, part string, linksOf func(*http.Request) []string, own func(*http.Request) (string, string),
) (listed, requests int) {
	t.Helper()
	var count atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		count.Add(1)
		w.Header().Set("Content-Type", "text/html")
		switch {
		case r.URL.Path == "/":
			fmt.Fprintf(w, `<title>Home</title><p>Welcome to our site.<a href="%s">More</a>`, part)
		case strings.HasPrefix(r.URL.Path, part):
			head, body := own(r)
			fmt.Fprint(w, "<title>Part</title>", head, "<main><p>The same text on each of these pages.</p>", body, "</main>")
			for _, link := range linksOf(r) {
				fmt.Fprintf(w, `<a href="%s">more</a> `, strings.ReplaceAll(link, "&", "&amp;"))
			}
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	store := &crawl.MemoryStore{}
	options := &crawl.Options{Start: server.URL + "/", Access: access.Access{Rate: access.PerSecond(0)}}
	if _, err := crawl.Run(t.Context(), store, options); err != nil {
		t.Fatal(err)
	}
	for range store.Listed(t.Context()) {
		listed++
	}
	return listed, int(count.Load())
}

// TestFinite crawls sixty pages that show the same and lead to each other, and that another page links to, which
// answers first or last: all are listed.
func TestFinite(t *testing.T) {
	t.Parallel()
	const pages, early = 60, 40
	for _, hubIsLast := range []bool{false, true} {
		var count atomic.Int64
		reached := make(chan struct{})
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			number, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/soon/"))
			switch {
			case r.URL.Path == "/":
				fmt.Fprint(w, `<title>Home</title><p>Welcome<a href="/hub">all</a> <a href="/soon/1">one</a>`)
			case r.URL.Path == "/hub":
				if hubIsLast {
					select {
					case <-reached:
					case <-r.Context().Done():
					}
				}
				fmt.Fprint(w, "<title>All</title><p>All of our pages.")
				for n := range pages {
					fmt.Fprintf(w, `<a href="/soon/%d">page</a> `, n+1)
				}
			case err == nil && number <= pages:
				fmt.Fprint(w, `<title>Soon</title><main><p>This page will be here soon.</p>`)
				for next := number + 1; next < number+early; next++ { // page 1 alone leads to the pages that the hub waits for
					fmt.Fprintf(w, `<a href="/soon/%d">page</a> `, next)
				}
				fmt.Fprint(w, "</main>")
				if count.Add(1) == early {
					close(reached)
				}
			default:
				http.NotFound(w, r)
			}
		}))
		store := &crawl.MemoryStore{}
		options := &crawl.Options{Start: server.URL + "/", Access: access.Access{Rate: access.PerSecond(0)}}
		_, err := crawl.Run(t.Context(), store, options)
		server.Close()
		listed := 0
		for range store.Listed(t.Context()) {
			listed++
		}
		if err != nil || listed != pages+2 {
			t.Errorf("%d pages are listed, %v; the hub is last: %t", listed, err, hubIsLast)
		}
	}
}

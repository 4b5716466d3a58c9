package crawl_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl"
)

// shop is a site of categories with products. Every list can be sorted, filtered, shown
// in several ways and, page by page, turned; each link carries a new session.
type shop struct {
	categories, products int // products of one category
	perPage              int
	// canonical returns the query of the canonical of a list.
	canonical func(query url.Values) string
	reference bool // products are linked with ?ref= only

	requests atomic.Int64
}

// pageOnly keeps the number of the page, as it should be.
func pageOnly(query url.Values) string {
	if n := query.Get("page"); n != "" && n != "1" {
		return "?page=" + n
	}
	return ""
}

// firstPage names the first page as canonical of all, which is wrong.
func firstPage(url.Values) string { return "" }

func (s *shop) pages() (all []string) {
	all = append(all, "/", "/calendar")
	for c := range s.categories {
		all = append(all, fmt.Sprintf("/c/%d", c))
		for p := range s.products {
			all = append(all, s.product(c, p))
		}
		if s.canonical(url.Values{"page": {"2"}}) != "" {
			for n := 2; n <= s.lastPage(); n++ {
				all = append(all, fmt.Sprintf("/c/%d?page=%d", c, n))
			}
		}
	}
	for month, event := range events {
		all = append(all, "/event/"+event, "/calendar/"+month)
	}
	for n := range 30 {
		all = append(all, fmt.Sprintf("/article?id=%d", n))
	}
	return all
}

func (s *shop) product(c, p int) string { return fmt.Sprintf("/product/%s", spelled(c*s.products+p)) }

func (s *shop) lastPage() int { return (s.products + s.perPage - 1) / s.perPage }

// events are those of the calendar, by month.
var events = map[string]string{"2026/05": "fair", "2026/06": "sale", "2026/11": "market", "2025/12": "party"}

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := s.requests.Add(1)
	w.Header().Set("Content-Type", "text/html")
	link := func(target string) {
		separator := "?"
		if strings.Contains(target, "?") {
			separator = "&"
		}
		fmt.Fprintf(w, "<a href=\"%s\">x</a>\n", html.EscapeString(target+separator+fmt.Sprintf("PHPSESSID=%032x", n)))
	}
	head := func(title, canonical string) {
		fmt.Fprintf(w, `<title>%s</title><link rel="canonical" href="%s">`, title, html.EscapeString(canonical))
		fmt.Fprintf(w, "<main><h1>%s</h1><p>What there is about %s</p></main>", title, title)
		link("/")
		link("/calendar")
	}
	query := r.URL.Query()
	query.Del("PHPSESSID")
	folder, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch folder {
	case "":
		head("Home", "/")
		for c := range s.categories {
			link(fmt.Sprintf("/c/%d", c))
		}
		for n := range 30 {
			link(fmt.Sprintf("/article?id=%d", n))
		}
	case "article":
		id, _ := strconv.Atoi(query.Get("id"))
		head("Article "+spelled(id), "/article?id="+query.Get("id"))
	case "c":
		c, err := strconv.Atoi(name)
		if err != nil || c >= s.categories {
			http.NotFound(w, r)
			return
		}
		s.list(head, link, c, query)
	case "product":
		head("Product "+name, r.URL.Path)
	case "event":
		head("Event "+name, r.URL.Path)
	case "calendar":
		serveCalendar(w, head, link, name)
	default:
		http.NotFound(w, r)
	}
}

// list writes one page of a category.
func (s *shop) list(head func(title, canonical string), link func(string), c int, query url.Values) {
	path := fmt.Sprintf("/c/%d", c)
	head("Category "+spelled(c)+" "+query.Encode(), path+s.canonical(query))
	variant := func(name, value string) {
		other := url.Values{}
		for had := range query {
			other[had] = query[had]
		}
		other.Set(name, value)
		link(path + "?" + other.Encode())
	}
	page := 1
	if n, err := strconv.Atoi(query.Get("page")); err == nil {
		page = n
	}
	order := make([]int, s.products)
	for p := range order {
		order[p] = p
	}
	if query.Get("sort") == "price" {
		slices.Reverse(order)
	}
	for _, p := range order[min((page-1)*s.perPage, s.products):min(page*s.perPage, s.products)] {
		if s.reference {
			link(s.product(c, p) + fmt.Sprintf("?ref=%d", c))
		} else {
			link(s.product(c, p))
		}
	}
	for _, by := range []string{"price", "name", "date"} {
		variant("sort", by)
	}
	for _, color := range []string{"red", "green", "blue"} {
		variant("color", color)
	}
	for _, view := range []string{"grid", "list"} {
		variant("view", view)
	}
	if page < s.lastPage() {
		variant("page", strconv.Itoa(page+1))
	}
}

// serveCalendar shows a month, with links to the months around it.
func serveCalendar(w http.ResponseWriter, head func(title, canonical string), link func(string), name string) {
	if name == "" {
		head("Calendar", "/calendar")
		link("/calendar/2026/06")
		return
	}
	month, err := time.Parse("2006/01", name)
	if err != nil {
		http.Error(w, "no such month", http.StatusNotFound)
		return
	}
	event := events[name]
	fmt.Fprintf(w, "<title>%s</title><main><h1>%s</h1><p>%s</p></main>", month.Format("January 2006"),
		month.Format("January 2006"), event+" is what happens")
	link("/")
	if event != "" {
		link("/event/" + event)
	}
	for _, step := range []int{-12, -1, 1, 12} {
		link("/calendar/" + month.AddDate(0, step, 0).Format("2006/01"))
	}
}

func TestShop(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		shop  *shop
		bound float64 // requests for each page that is listed
	}{
		"right canonicals":  {&shop{categories: 12, products: 24, perPage: 6, canonical: pageOnly}, 1.5},
		"wrong canonicals":  {&shop{categories: 12, products: 24, perPage: 6, canonical: firstPage}, 2},
		"linked with a ref": {&shop{categories: 12, products: 24, perPage: 6, canonical: pageOnly, reference: true}, 1.5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			origin, store := serve(t, test.shop), &crawl.MemoryStore{}
			if _, err := run(t, store, &crawl.Options{Start: origin}); err != nil {
				t.Fatal(err)
			}
			listed, waiting := map[string]bool{}, 0
			for target, d := range decisions(store, origin) {
				if d == "" {
					listed[target] = true
				} else if d == "waiting" {
					waiting++
				}
			}
			missing, further := 0, 0
			for _, page := range test.shop.pages() {
				if !listed[page] {
					missing++
					t.Errorf("%s is not listed", page)
				}
				delete(listed, page)
			}
			for page := range listed {
				further++
				t.Errorf("%s is listed", page)
			}
			pages, requests := len(test.shop.pages()), test.shop.requests.Load()
			t.Logf("%d pages, %d requests, %d missing, %d further", pages, requests, missing, further)
			if perPage := float64(requests) / float64(pages); perPage > test.bound || waiting > 0 {
				t.Errorf("%.2f requests for a page, want at most %.2f; %d URLs wait", perPage, test.bound, waiting)
			}
		})
	}
}

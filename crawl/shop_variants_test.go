package crawl_test

import (
	"context"
	"errors"
	"fmt"
	"html"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
)

// page is what a handler says about a URL.
type page struct {
	title, canonical string
	links            []string
}

// servePages answers with the pages that a function makes from a target. They never change.
func servePages(find func(target string) (page, bool), requests *atomic.Int64) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		p, found := find(r.URL.RequestURI())
		if !found {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("ETag", `"1"`)
		if r.Header.Get("If-None-Match") != "" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		fmt.Fprintf(w, "<title>%s</title>", p.title)
		if p.canonical != "" {
			fmt.Fprintf(w, `<link rel="canonical" href="%s">`, html.EscapeString(p.canonical))
		}
		fmt.Fprintf(w, "<main>%s</main>", p.title)
		for _, link := range p.links {
			fmt.Fprintf(w, `<a href="%s">x</a>`, html.EscapeString(link))
		}
	})
}

func numbered(format string, n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf(format, i))
	}
	return all
}

// parameterSites are sites on which a canonical drops a parameter, with pages that must be
// listed all the same.
var parameterSites = map[string]struct {
	find func(target string) (page, bool)
	want []string
	most int64 // requests
}{
	// The parameter that a cart drops names the articles of another folder.
	"other meaning elsewhere": {
		func(target string) (page, bool) {
			path, id, _ := strings.Cut(target, "?id=")
			switch path {
			case "/":
				return page{"Home", "", append(numbered("/cart?id=%d", 40), "/index")}, true
			case "/index":
				return page{"Index", "", numbered("/article?id=%d", 30)}, true
			case "/cart":
				return page{"Cart", "/cart", nil}, true
			case "/article":
				n, _ := strconv.Atoi(id)
				return page{"Article " + spelled(n), "", nil}, true
			}
			return page{}, false
		},
		numbered("/article?id=%d", 30), 100,
	},
	// Each part of a long list names the first as canonical.
	"pages without canonicals of their own": {
		func(target string) (page, bool) {
			path, part, _ := strings.Cut(target, "?page=")
			n, _ := strconv.Atoi(part)
			switch {
			case path == "/" && n < 60:
				links := []string{fmt.Sprintf("/item-%d", n)}
				if n < 59 {
					links = append(links, fmt.Sprintf("/?page=%d", n+1))
				}
				return page{"List " + spelled(n), "/", links}, true
			case strings.HasPrefix(path, "/item-"):
				n, _ := strconv.Atoi(path[len("/item-"):])
				return page{"Item " + spelled(n), "", []string{"/"}}, true
			}
			return page{}, false
		},
		numbered("/item-%d", 60), 130,
	},
	// Only links with a parameter lead to the pages.
	"pages linked with a parameter only": {
		func(target string) (page, bool) {
			path, _, _ := strings.Cut(target, "?")
			if path == "/" {
				return page{"Home", "", numbered("/item-%d?ref=home", 100)}, true
			}
			n, err := strconv.Atoi(strings.TrimPrefix(path, "/item-"))
			return page{"Item " + spelled(n), path, []string{"/", fmt.Sprintf("/item-%d?ref=next", (n+1)%100)}}, err == nil
		},
		numbered("/item-%d", 100), 145,
	},
	// Only the last list is longer than what it shows at first.
	"needed in the last list": {
		func(target string) (page, bool) {
			path, view, _ := strings.Cut(target, "?view=")
			if path == "/" {
				return page{"Home", "", numbered("/list/%d", 16)}, true
			}
			if n, err := strconv.Atoi(strings.TrimPrefix(path, "/item/")); err == nil {
				return page{"Item " + spelled(n), path, nil}, true
			}
			n, err := strconv.Atoi(strings.TrimPrefix(path, "/list/"))
			p := page{"List " + spelled(n), path, numbered(path+"?view=%d", 3)}
			if view != "" && n == 15 {
				p.links = append(p.links, numbered("/item/%d", 20)...)
			}
			return p, err == nil
		},
		numbered("/item/%d", 20), 90,
	},
	// A forum has one path, and orders its topics by a parameter.
	"one path": {
		func(target string) (page, bool) {
			path, query, _ := strings.Cut(target, "?")
			if path == "/" {
				return page{"Home", "", numbered("/index.php?board=%d", 20)}, true
			}
			subject, _, _ := strings.Cut(query, "&")
			name, number, _ := strings.Cut(subject, "=")
			n, err := strconv.Atoi(number)
			if err != nil {
				return page{}, false
			}
			p := page{name + spelled(n), "/index.php?" + subject, []string{"/"}}
			if name == "board" {
				for i := range 5 {
					p.links = append(p.links, fmt.Sprintf("/index.php?topic=%d", n*5+i))
				}
				for _, by := range []string{"date", "author", "title"} {
					p.links = append(p.links, "/index.php?"+subject+"&sort="+by)
				}
			}
			return p, true
		},
		append(numbered("/index.php?topic=%d", 100), numbered("/index.php?board=%d", 20)...), 165,
	},
}

func TestDroppedParameters(t *testing.T) {
	t.Parallel()
	for name, test := range parameterSites {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, workers := range []int{1, 16} {
				var requests atomic.Int64
				origin, store := serve(t, servePages(test.find, &requests)), &crawl.MemoryStore{}
				options := &crawl.Options{Start: origin, Concurrency: workers}
				if _, err := run(t, store, options); err != nil {
					t.Fatal(err)
				}
				got := decisions(store, origin)
				for _, target := range test.want {
					if d, found := got[target]; !found || d != "" {
						t.Errorf("%d workers: %s: found %t, %q", workers, target, found, d)
					}
				}
				t.Logf("%d workers: %d requests", workers, requests.Load())
				if requests.Load() > test.most {
					t.Errorf("%d workers: %d requests, want at most %d", workers, requests.Load(), test.most)
				}
				crawlUnchanged(t, origin)
			}
		})
	}
}

// calendars are sites with calendars, and the months that must be listed.
var calendars = map[string]struct {
	format string // of a month's URL
	steps  []int  // months
	// text and links are those of a month, by its number.
	text   func(month int) string
	links  func(month int) []string
	listed []int // months from June 2026
	others int   // further ones that may be listed
	most   int64 // requests
}{
	"no event": {"/calendar/2006/01", []int{-1, 1}, nil, nil, nil, 0, 60},
	"by parameter": {"/calendar?year=2006&month=1", []int{-12, -1, 1, 12}, nil,
		func(m int) []string { return map[int][]string{3: {"/event"}}[m] }, []int{3}, 0, 110},
	"the event of each month is known": {"/calendar?month=2006-01", []int{-1, 1}, nil,
		func(m int) []string { return []string{"/event"} }, nil, 0, 60},
	"text only": {"/calendar/2006-01", []int{-1, 1},
		func(m int) string { return map[int]string{0: "a fair", 5: "a sale"}[m] }, nil, []int{0, 5}, 0, 60},
	"exports and days": {"/calendar/2006-01", []int{-1, 1}, nil, func(m int) []string {
		month := time.Date(2026, time.Month(6+m), 1, 0, 0, 0, 0, time.UTC).Format("2006-01")
		return []string{"/export/" + month + ".ics", "/event/new?date=" + month + "-01"}
	}, nil, 0, 160},
	"archive": {"/2006/01", []int{-300, -200, -100, -50, -1}, nil, func(m int) []string {
		return []string{fmt.Sprintf("/post%d", -m)}
	}, []int{-300, -200, -100, -50, -1}, 1000, 700},
}

func TestEmptyMonths(t *testing.T) {
	t.Parallel()
	for name, test := range calendars {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
			var requests atomic.Int64
			find := func(target string) (page, bool) {
				month, err := time.Parse(test.format, target)
				number := 12*(month.Year()-2026) + int(month.Month()) - 6
				switch {
				case target == "/":
					return page{"Home", "", []string{first.Format(test.format), "/event"}}, true
				case err != nil:
					return page{"Other " + target, "", nil}, target != "/robots.txt"
				}
				p := page{month.Format("January 2006"), "", []string{"/"}}
				if test.text != nil {
					p.title += test.text(number)
				}
				if test.links != nil {
					p.links = append(p.links, test.links(number)...)
				}
				for _, step := range test.steps {
					if number+step >= -310 {
						p.links = append(p.links, month.AddDate(0, step, 0).Format(test.format))
					}
				}
				return p, true
			}
			origin, store := serve(t, servePages(find, &requests)), &crawl.MemoryStore{}
			if _, err := run(t, store, &crawl.Options{Start: origin}); err != nil {
				t.Fatal(err)
			}
			wanted := map[string]bool{}
			for _, number := range test.listed {
				wanted[first.AddDate(0, number, 0).Format(test.format)] = true
			}
			for target, d := range decisions(store, origin) {
				if _, err := time.Parse(test.format, target); err != nil {
					continue
				}
				switch {
				case d != "":
				case wanted[target]:
					delete(wanted, target)
				case test.others == 0:
					t.Errorf("%s is listed", target)
				default:
					test.others--
				}
			}
			if len(wanted) > 0 {
				t.Errorf("not listed: %v", wanted)
			}
			t.Logf("%d requests", requests.Load())
			if requests.Load() > test.most {
				t.Errorf("%d requests, want at most %d", requests.Load(), test.most)
			}
			crawlUnchanged(t, origin)
		})
	}
}

// TestContinueShop interrupts the crawl of a shop now and then.
func TestContinueShop(t *testing.T) {
	t.Parallel()
	site := &shop{categories: 6, products: 24, perPage: 6, canonical: pageOnly, reference: true}
	var interrupt atomic.Pointer[context.CancelFunc] // of the run; a request of the one before may still be answered
	origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site.ServeHTTP(w, r)
		if site.requests.Load()%100 == 0 {
			(*interrupt.Load())()
		}
	}))
	store := &crawl.MemoryStore{}
	options := &crawl.Options{Start: origin, Access: access.Access{Rate: access.PerSecond(0)}}
	for {
		ctx, cancel := context.WithCancel(t.Context())
		interrupt.Store(&cancel)
		_, err := crawl.Run(ctx, store, options)
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, crawl.ErrStopped) {
			t.Fatal(err)
		}
	}
	got := decisions(store, origin)
	for _, target := range site.pages() {
		if d, found := got[target]; !found || d != "" {
			t.Errorf("%s: found %t, %q", target, found, d)
		}
	}
	t.Logf("%d requests", site.requests.Load())
}

// TestMonthsAndParametersOff switches both bounds off.
func TestMonthsAndParametersOff(t *testing.T) {
	t.Parallel()
	site := &shop{categories: 2, products: 6, perPage: 6, canonical: pageOnly}
	origin, store := serve(t, site), &crawl.MemoryStore{}
	traps := crawl.Traps{Canonical: -1, Months: -1, YearsAhead: 1, YearsBack: 4}
	if _, err := run(t, store, &crawl.Options{Start: origin, Traps: traps}); err != nil {
		t.Fatal(err)
	}
	summary, err := store.Summary(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []crawl.TrapKind{crawl.TrapCanonical, crawl.TrapMonths} {
		if n := summary.Traps[kind.Detail()]; n > 0 {
			t.Errorf("%v: %d URLs", kind, n)
		}
	}
	if summary.Traps[crawl.TrapYearsBack.Detail()] == 0 {
		t.Error("the calendar has no end")
	}
}

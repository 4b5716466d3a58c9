package crawl_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/source"
)

// TestSitemapLines requests every sitemap that robots.txt names once, and none that
// the robots.txt of its host forbids.
func TestSitemapLines(t *testing.T) {
	t.Parallel()
	var mutex sync.Mutex
	requests := map[string]int{}
	count := func(name string) {
		mutex.Lock()
		defer mutex.Unlock()
		requests[name]++
	}
	other := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		count("other " + r.URL.Path)
		fmt.Fprint(w, "User-agent: *\nDisallow: /\n")
	}))
	var origin string
	origin = serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		count(r.URL.Path)
		switch r.URL.Path {
		case "/robots.txt":
			for i := range 300 {
				fmt.Fprintf(w, "Sitemap: /one.xml\nSitemap: /one.xml#%d\nSitemap: %s/%d.xml\n", i, other, i)
			}
			fmt.Fprint(w, "User-agent: *\nDisallow: /forbidden\nSitemap: /forbidden.xml\nSitemap: two.xml\n")
		case "/one.xml", "/two.xml":
			fmt.Fprintf(w, "<urlset><url><loc>%s/page%s</loc></url></urlset>", origin, r.URL.Path)
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<title>%s</title>", r.URL.Path)
		}
	}))
	progress, err := run(t, &crawl.MemoryStore{}, &crawl.Options{Start: origin})
	if err != nil || progress.Pages != 3 {
		t.Errorf("%d pages, want 3; %v", progress.Pages, err)
	}
	for path, want := range map[string]int{
		"/robots.txt": 1, "/one.xml": 1, "/two.xml": 1, "/forbidden.xml": 0, "other /robots.txt": 1,
	} {
		if requests[path] != want {
			t.Errorf("%d requests for %s, want %d", requests[path], path, want)
		}
	}
	for name, n := range requests {
		if strings.HasPrefix(name, "other ") && name != "other /robots.txt" {
			t.Errorf("%d requests for %s, which robots.txt forbids", n, name)
		}
	}
}

// TestSitemapsOfSite reports what is at the URLs of the sitemaps that robots.txt names, and at the usual one if it
// names none.
func TestSitemapsOfSite(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ robots, want string }{
		{"Sitemap: /0.xml\nSitemap: /sitemap.xml", "named /0.xml 0 the server answers 404 Not Found; named /sitemap.xml 2"},
		{"", " /sitemap.xml 2"},
	} {
		origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/robots.txt":
				fmt.Fprint(w, test.robots)
			case "/sitemap.xml":
				fmt.Fprintf(w, "http://%s/\nhttp://%s/other\n", r.Host, r.Host)
			case "/":
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprint(w, "<title>Home</title><p>home")
			default:
				http.NotFound(w, r)
			}
		}))
		var found []string
		progress, err := run(t, &crawl.MemoryStore{}, &crawl.Options{Start: origin, OnSitemap: func(one crawl.SiteSitemap) {
			text := strings.TrimPrefix(fmt.Sprintf(" %s %d", strings.TrimPrefix(one.URL, origin), one.Pages), " ")
			if text = " " + text; one.Named {
				text = "named" + text
			}
			if status, is := errors.AsType[*source.StatusError](one.Err); is {
				text += " " + status.Error()
			}
			found = append(found, text)
		}})
		wantPages := 1
		if test.robots != "" {
			wantPages = 2
		}
		if got := strings.Join(found, "; "); err != nil || got != test.want || progress.Pages != wantPages {
			t.Errorf("%q: %v, %d pages, %q, want %q", test.robots, err, progress.Pages, got, test.want)
		}
	}
}

// TestTimeLimitUnderWay ends soon after the limit of time, whatever is under way.
func TestTimeLimitUnderWay(t *testing.T) {
	t.Parallel()
	for _, hangs := range []string{"/page", "/robots.txt", "/sitemap.xml", "seed"} {
		t.Run(hangs, func(t *testing.T) {
			t.Parallel()
			inBubble(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch {
				case r.URL.Path == hangs:
					<-r.Context().Done()
				case r.URL.Path == "/robots.txt":
					fmt.Fprint(w, "Sitemap: /sitemap.xml\n")
				case r.URL.Path == "/":
					w.Header().Set("Content-Type", "text/html")
					fmt.Fprint(w, `<title>Home</title><a href="/page">p</a>`)
				}
			}), func(t *testing.T, a access.Access) {
				const limit, grace = 10 * time.Second, 2 * time.Second
				options := &crawl.Options{Start: pipeOrigin, Access: a, Limits: crawl.Limits{Time: limit}}
				if hangs == "seed" {
					released := make(chan struct{})
					defer close(released)
					options.Seeds = func(yield func(crawl.Seed, error) bool) { <-released }
				}
				store := &crawl.MemoryStore{}
				start := time.Now()
				progress, err := run(t, store, options)
				took := time.Since(start)
				if err != nil || progress.Limit != crawl.LimitTime || took < limit || took > limit+grace {
					t.Errorf("after %v: limit %q, %v", took, progress.Limit, err)
				}
				if progress.Waiting+progress.Listed == 0 || store.Finished() {
					t.Errorf("the next run would not continue: %+v", progress)
				}
			})
		})
	}
}

// TestReading names the sitemap that is read, while no page is requested.
func TestReading(t *testing.T) {
	t.Parallel()
	inBubble(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			fmt.Fprint(w, "Sitemap: /sitemap.xml\n")
		case "/sitemap.xml":
			time.Sleep(1500 * time.Millisecond) // progress is reported once in the meantime
		}
	}), func(t *testing.T, a access.Access) {
		var read []string
		progress, err := run(t, &crawl.MemoryStore{}, &crawl.Options{
			Start: pipeOrigin, Access: a, OnProgress: func(p crawl.Progress) { read = append(read, p.Reading) },
		})
		if err != nil || !slices.Equal(read, []string{pipeOrigin + "/sitemap.xml"}) || progress.Reading != "" {
			t.Errorf("reading %q, at the end %q; %v", read, progress.Reading, err)
		}
	})
}

// TestTooManySitemaps reports that the sitemaps of a site are not all read.
func TestTooManySitemaps(t *testing.T) {
	t.Parallel()
	origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			fmt.Fprint(w, "Sitemap: /index.xml\n")
		case "/index.xml":
			fmt.Fprint(w, "<sitemapindex>", strings.Repeat("<sitemap><loc>http://other.example/</loc></sitemap>", 50_001),
				"</sitemapindex>")
		}
	}))
	var notices []string
	_, err := run(t, &crawl.MemoryStore{}, &crawl.Options{Start: origin, OnNotice: func(text string) {
		notices = append(notices, text)
	}})
	if notice := strings.Join(notices, "\n"); err != nil || !strings.Contains(notice, "/index.xml") ||
		!strings.Contains(notice, "50,000") || len(notices) > 1 {
		t.Errorf("notices %q; %v", notices, err)
	}
}

// TestCrawlDelayNotice reports a Crawl-delay that makes the crawl long before it waits.
func TestCrawlDelayNotice(t *testing.T) {
	t.Parallel()
	for delay, want := range map[int]bool{3600: true, 600: true, 1: false} {
		t.Run(fmt.Sprint(delay), func(t *testing.T) {
			t.Parallel()
			inBubble(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				fmt.Fprintf(w, "User-agent: *\nCrawl-delay: %d\n", delay)
				for i := range 6 {
					fmt.Fprintf(w, "Sitemap: /%d.xml\n", i)
				}
			}), func(t *testing.T, a access.Access) {
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				var notices []string
				progress, err := crawl.Run(ctx, &crawl.MemoryStore{}, &crawl.Options{
					Start: pipeOrigin, Access: a, Limits: crawl.Limits{Time: 3 * time.Second},
					OnNotice: func(text string) {
						notices = append(notices, text)
						stop()
					},
				})
				if want != errors.Is(err, crawl.ErrStopped) || !want && err != nil {
					t.Fatalf("limit %q, %v", progress.Limit, err)
				}
				if asked := time.Duration(delay) * time.Second; progress.Delay != asked {
					t.Errorf("the progress has a delay of %v, want %v", progress.Delay, asked)
				}
				said := len(notices) == 1 && strings.Contains(notices[0], (time.Duration(delay)*time.Second).String())
				if said != want || !want && len(notices) > 0 {
					t.Errorf("notices %q", notices)
				}
			})
		})
	}
}

// TestCrawlDelayResumed has the Crawl-delay in the progress of a crawl that goes on.
func TestCrawlDelayResumed(t *testing.T) {
	t.Parallel()
	inBubble(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			fmt.Fprint(w, "User-agent: *\nCrawl-delay: 100\n")
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<title>Home</title><a href="/page">page</a>`)
	}), func(t *testing.T, a access.Access) {
		store := &crawl.MemoryStore{}
		for _, resumed := range []bool{false, true} {
			options := &crawl.Options{Start: pipeOrigin, Access: a, Limits: crawl.Limits{Time: time.Second}}
			progress, err := crawl.Run(t.Context(), store, options)
			if err != nil || progress.Delay != 100*time.Second || progress.Resumed != resumed {
				t.Errorf("resumed %t: %+v, %v", resumed, progress, err)
			}
		}
	})
}

// TestTimeBeforeRobots has a crawl that goes on reach its limit of time before the site
// has sent its robots.txt: this is no outage of the site.
func TestTimeBeforeRobots(t *testing.T) {
	t.Parallel()
	var hangs bool
	inBubble(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if hangs {
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<title>Home</title><a href="/page">page</a>`)
	}), func(t *testing.T, a access.Access) {
		store := &crawl.MemoryStore{}
		options := &crawl.Options{Start: pipeOrigin, Access: a, Limits: crawl.Limits{Time: time.Second, Pages: 1}}
		if _, err := crawl.Run(t.Context(), store, options); err != nil {
			t.Fatal(err)
		}
		hangs, options.Limits.Pages = true, 0
		progress, err := crawl.Run(t.Context(), store, options)
		if err != nil || progress.Limit != crawl.LimitTime || !progress.Resumed {
			t.Errorf("%+v, %v", progress, err)
		}
	})
}

// TestCrawlDelayOfCopy does not wait for the delay of a public site on a copy of it.
func TestCrawlDelayOfCopy(t *testing.T) {
	t.Parallel()
	origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			fmt.Fprint(w, "User-agent: *\nCrawl-delay: 100\nDisallow: /private\n")
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<title>Home</title><a href="/page">page</a> <a href="/private">private</a>`)
	}))
	options := &crawl.Options{Start: origin, BaseURL: "https://example.com/", Limits: crawl.Limits{Time: 20 * time.Second}}
	progress, err := crawl.Run(t.Context(), &crawl.MemoryStore{}, options)
	if err != nil || progress.Pages != 2 || progress.Delay != 0 || progress.Limit != crawl.LimitNone {
		t.Errorf("%+v, %v", progress, err)
	}
}

// TestRetryAfterNotice says what the crawl waits for when the start is to be requested
// again later.
func TestRetryAfterNotice(t *testing.T) {
	t.Parallel()
	for wait, want := range map[string]string{"50": "waiting for 50s", "3": "waiting for 3s", "1": ""} {
		var requests atomic.Int32
		origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/robots.txt" && requests.Add(1) == 1 {
				w.Header().Set("Retry-After", wait)
				w.WriteHeader(http.StatusServiceUnavailable)
			}
		}))
		ctx, stop := context.WithCancel(t.Context())
		var notices []string
		_, _ = crawl.Run(ctx, &crawl.MemoryStore{}, &crawl.Options{Start: origin, OnNotice: func(text string) {
			notices = append(notices, text)
			stop()
		}})
		stop()
		said := strings.Join(notices, "; ")
		if want == "" && said != "" || want != "" && said != origin+"/ answers 503 Service Unavailable: "+want {
			t.Errorf("Retry-After: %s: %q", wait, said)
		}
	}
}

// TestSitemapsOfOtherHosts reads no sitemap of another host in a crawl of this machine, whether
// robots.txt or an index names it, and reports that robots.txt names one.
func TestSitemapsOfOtherHosts(t *testing.T) {
	t.Parallel()
	const robots, index = "Sitemap: https://shop.example/sitemap.xml\nSitemap: /index.xml\nSitemap: http://localhost:1/a.xml\n",
		"<sitemapindex><sitemap><loc>https://shop.example/pages.xml</loc></sitemap></sitemapindex>"
	for start, want := range map[string]string{
		"http://127.0.0.1:8000": "127.0.0.1:8000 localhost:1",
		"http://192.0.2.1:8000": "192.0.2.1:8000 localhost:1 shop.example",
	} {
		var mutex sync.Mutex
		asked := map[string]bool{}
		site := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mutex.Lock()
			asked[r.Host] = true
			mutex.Unlock()
			switch r.URL.Path {
			case "/robots.txt":
				fmt.Fprint(w, robots)
			case "/index.xml":
				fmt.Fprint(w, index)
			default:
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprint(w, "<title>Home</title>")
			}
		})
		var found []crawl.SiteSitemap
		_, err := run(t, &crawl.MemoryStore{}, &crawl.Options{
			Start: start, Concurrency: 1, Access: access.Access{Transport: inProcess{site}},
			OnSitemap: func(one crawl.SiteSitemap) { found = append(found, one) },
		})
		if got := strings.Join(slices.Sorted(maps.Keys(asked)), " "); err != nil || got != want {
			t.Errorf("%s: requests to %s, %v, want %s", start, got, err, want)
		}
		isNamed := func(one crawl.SiteSitemap) bool { return one.URL == "https://shop.example/sitemap.xml" && one.Named }
		if !slices.ContainsFunc(found, isNamed) {
			t.Errorf("%s: %+v", start, found)
		}
	}
}

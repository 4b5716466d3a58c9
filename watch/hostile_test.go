package watch_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/source"
	"github.com/mapatools/mapa/watch"
)

const urlset = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`

// passOver makes one pass over a server and returns its events and its error.
func passOver(
	t *testing.T, store watch.Store, site string, options watch.Options,
) (events []watch.Event, failure error) {
	t.Helper()
	options.Sites = []string{site}
	options.Access.Rate = access.PerSecond(0)
	w, err := watch.New(store, &options)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for event, err := range w.Pass(t.Context()) {
		if err != nil {
			failure = err
			continue
		}
		events = append(events, event)
	}
	return events, failure
}

// TestEndlessIndexes ends although every index lists two new ones.
func TestEndlessIndexes(t *testing.T) {
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			return
		}
		requests++
		name := strings.TrimSuffix(r.URL.Path, ".xml")
		fmt.Fprintf(w, `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
			<sitemap><loc>http://%s%s0.xml</loc></sitemap><sitemap><loc>http://%[1]s%[2]s1.xml</loc></sitemap></sitemapindex>`,
			r.Host, name)
	}))
	defer server.Close()
	events, err := passOver(t, &watch.MemoryStore{}, server.URL+"/i.xml", watch.Options{})
	if !errors.Is(err, watch.ErrTooMany) || len(events) > 0 {
		t.Errorf("%d events, %v", len(events), err)
	}
	if requests > 40 {
		t.Errorf("%d requests", requests)
	}
}

// TestManyChildren does not follow an index of more sitemaps than the protocol allows.
func TestManyChildren(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/i.xml" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
		for i := range 100_000 {
			fmt.Fprintf(w, "<sitemap><loc>http://%s/%d.xml</loc></sitemap>", r.Host, i)
		}
		fmt.Fprint(w, "</sitemapindex>")
	}))
	defer server.Close()
	_, err := passOver(t, &watch.MemoryStore{}, server.URL+"/i.xml", watch.Options{})
	if !errors.Is(err, watch.ErrTooMany) {
		t.Error(err)
	}
}

// TestSilentChildren leaves the rest of a site that no longer answers to the next pass.
func TestSilentChildren(t *testing.T) {
	const children = 1000
	var requests atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
		case "/i.xml":
			fmt.Fprint(w, `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
			for i := range children {
				fmt.Fprintf(w, "<sitemap><loc>http://%s/%d.xml</loc></sitemap>", r.Host, i)
			}
			fmt.Fprint(w, "</sitemapindex>")
		default:
			requests.Add(1)
			<-r.Context().Done()
		}
	}))
	defer server.Close()
	problems := 0
	_, err := passOver(t, &watch.MemoryStore{}, server.URL+"/i.xml", watch.Options{
		Access: access.Access{Timeout: 50 * time.Millisecond}, OnProblem: func(string, error) { problems++ },
	})
	if n := requests.Load(); err == nil || n > children/10 || problems > 30 {
		t.Errorf("%d requests, %d problems, %v", n, problems, err)
	}
}

// TestManyProblems reports the first problems and the number of the others.
func TestManyProblems(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		for i := range 500 {
			fmt.Fprintf(w, "Sitemap: /%d.xml\n", i)
		}
	}))
	defer server.Close()
	var problems []string
	_, _ = passOver(t, &watch.MemoryStore{}, server.URL, watch.Options{
		OnProblem: func(_ string, err error) { problems = append(problems, err.Error()) },
	})
	if len(problems) != 21 || !strings.HasSuffix(problems[20], ": 480 more sitemaps could not be read") {
		t.Errorf("%d problems: %q", len(problems), problems[max(len(problems)-2, 0):])
	}
}

// TestGrowingChild keeps what was known of a sitemap that has no end now.
func TestGrowingChild(t *testing.T) {
	endless := false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path != "/s.xml":
			http.NotFound(w, r)
		case !endless:
			fmt.Fprint(w, urlset+"<url><loc>https://example.com/</loc></url></urlset>")
		default:
			fmt.Fprint(w, urlset)
			page := []byte("<url><loc>https://example.com/" + strings.Repeat("x", 2000) + "</loc></url>")
			for {
				if _, err := w.Write(page); err != nil {
					return
				}
			}
		}
	}))
	defer server.Close()
	store := &watch.MemoryStore{}
	if events, err := passOver(t, store, server.URL+"/s.xml", watch.Options{}); len(events) != 1 || err != nil {
		t.Fatalf("%v, %v", events, err)
	}
	endless = true
	events, err := passOver(t, store, server.URL+"/s.xml", watch.Options{})
	if len(events) > 0 || !errors.Is(err, watch.ErrTooLarge) {
		t.Errorf("%d events, %v", len(events), err)
	}
}

// TestPrivateAddresses refuses servers and redirects that are not on the public internet.
func TestPrivateAddresses(t *testing.T) {
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests++ }))
	defer server.Close()
	options := watch.Options{Access: access.Access{PublicOnly: true}}
	_, err := passOver(t, &watch.MemoryStore{}, server.URL+"/s.xml", options)
	if !errors.Is(err, fetch.KindBlocked) || requests > 0 {
		t.Errorf("%d requests, %v", requests, err)
	}
}

// TestOtherHosts does not follow an index or a redirect to another host.
func TestOtherHosts(t *testing.T) {
	otherRequests := 0
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/robots.txt" {
			otherRequests++
		}
		fmt.Fprint(w, urlset+"<url><loc>https://example.com/other</loc></url></urlset>")
	}))
	defer other.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/i.xml":
			fmt.Fprintf(w, `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
				<sitemap><loc>%s/s.xml</loc></sitemap><sitemap><loc>http://%s/moved.xml</loc></sitemap>
				<sitemap><loc>javascript:alert(1)</loc></sitemap></sitemapindex>`, other.URL, r.Host)
		case "/moved.xml":
			http.Redirect(w, r, other.URL+"/s.xml", http.StatusFound)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	events, err := passOver(t, &watch.MemoryStore{}, server.URL+"/i.xml", watch.Options{})
	if len(events) > 0 || !errors.Is(err, source.ErrOtherHost) || otherRequests > 0 {
		t.Errorf("%v, %v, %d requests to the other host", events, err, otherRequests)
	}
	events, err = passOver(t, &watch.MemoryStore{}, server.URL+"/i.xml", watch.Options{CrossHost: true})
	if len(events) != 1 || err == nil { // the script stays refused
		t.Errorf("with CrossHost: %v, %v", events, err)
	}
}

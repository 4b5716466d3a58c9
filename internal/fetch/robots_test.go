package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mapatools/mapa/robots"
)

// robotsServer answers /robots.txt with one file and everything else with an empty
// page, and counts the requests for the file.
type robotsServer struct {
	file     string
	takes    time.Duration
	requests atomic.Int64
	delay    atomic.Int64 // of the last page
}

func (s *robotsServer) Fetch(ctx context.Context, req *Request) (*Response, error) {
	if !strings.HasSuffix(req.URL, "/robots.txt") {
		s.delay.Store(int64(req.Delay))
		return &Response{URL: req.URL, Status: http.StatusOK}, nil
	}
	s.requests.Add(1)
	if err := sleep(ctx, s.takes); err != nil {
		return nil, &Error{URL: req.URL, Kind: KindCanceled, Err: err}
	}
	return &Response{URL: req.URL, Status: http.StatusOK, Body: []byte(s.file)}, nil
}

func TestRobotsAnswers(t *testing.T) {
	const file = "User-agent: *\nDisallow: /private\nSitemap: https://a.example/s.xml\n"
	refused := &Error{URL: "https://a.example/robots.txt", Kind: KindRefused}
	endless := &Error{URL: "https://a.example/robots.txt", Kind: KindTooManyRedirects}
	for name, test := range map[string]struct {
		response        *Response
		err             error
		public, private bool // are they allowed?
		failed          bool
		cause           error
	}{
		"file":      {response: &Response{Status: 200, Body: []byte(file)}, public: true},
		"missing":   {response: &Response{Status: 404}, public: true, private: true},
		"forbidden": {response: &Response{Status: 403}, public: true, private: true},
		"broken":    {response: &Response{Status: 503}, failed: true},
		"refused":   {err: refused, failed: true, cause: refused},
		"endless":   {response: &Response{Status: 302}, err: endless, public: true, private: true},
	} {
		t.Run(name, func(t *testing.T) {
			r := NewRobots(fetcherFunc(func(_ context.Context, req *Request) (*Response, error) {
				if req.URL != "https://a.example/robots.txt" || req.Limit != robots.ReadLimit+1 {
					t.Errorf("request %+v", req)
				}
				return test.response, test.err
			}), nil)
			rules := r.Rules(t.Context(), "https://a.example")
			public, private := rules.Verdict("https://a.example/").Allowed, rules.Verdict("https://a.example/private").Allowed
			if public != test.public || private != test.private || rules.Failed != test.failed || rules.Err != test.cause {
				t.Errorf("allowed %t and %t, failed %t, error %v", public, private, rules.Failed, rules.Err)
			}
			if sitemaps := len(rules.Sitemaps); sitemaps != 0 != (name == "file") {
				t.Errorf("%d sitemaps", sitemaps)
			}
		})
	}
}

// TestRobotsRedirect obeys the file that five redirects lead to, and none that six
// lead to.
func TestRobotsRedirect(t *testing.T) {
	for hops, allowed := range map[int]bool{5: false, 6: true} {
		r := NewRobots(fetcherFunc(func(_ context.Context, req *Request) (*Response, error) {
			hop := 0
			if _, err := fmt.Sscanf(req.URL, "https://b.example/%d", &hop); err == nil && hop == hops {
				return &Response{Status: 200, Body: []byte("User-agent: *\nDisallow: /\n")}, nil
			}
			return &Response{Status: 301, RedirectTo: fmt.Sprintf("https://b.example/%d", hop+1)}, nil
		}), nil)
		if got := r.Rules(t.Context(), "https://a.example").Verdict("https://a.example/"); got.Allowed != allowed {
			t.Errorf("%d redirects: %v", hops, got)
		}
	}
}

// TestRobotsVerdict wants paths with two slashes judged as paths, and not as hosts.
func TestRobotsVerdict(t *testing.T) {
	r := NewRobots(&robotsServer{file: "User-agent: mapa\nDisallow: //private\n"}, nil)
	rules := r.Rules(t.Context(), "https://a.example")
	if got := rules.Verdict("https://a.example//private/page"); got.Allowed {
		t.Error(got)
	}
}

// TestRobotsOnce has many callers wait for one request.
func TestRobotsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &robotsServer{takes: time.Second}
		r := NewRobots(server, nil)
		start := time.Now()
		var all sync.WaitGroup
		for range 50 {
			all.Go(func() { r.Rules(t.Context(), "https://a.example") })
		}
		all.Wait()
		if took := time.Since(start); server.requests.Load() != 1 || took != time.Second {
			t.Errorf("%d requests in %v", server.requests.Load(), took)
		}
	})
}

// TestRobotsCancel ends the wait of a caller with its context. When that caller is
// the one that fetches, another takes its place, and the failure is not kept.
func TestRobotsCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &robotsServer{file: "User-agent: *\nDisallow: /private\n", takes: time.Minute}
		r := NewRobots(server, nil)
		start := time.Now()
		var all sync.WaitGroup
		for _, limit := range []time.Duration{time.Second, 2 * time.Second} { // the first fetches
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			all.Go(func() {
				rules := r.Rules(ctx, "https://a.example")
				if took := time.Since(start); took != limit || !errors.Is(rules.Err, KindCanceled) || !rules.Failed {
					t.Errorf("canceled after %v: %v", took, rules.Err)
				}
			})
			synctest.Wait()
		}
		all.Go(func() {
			if rules := r.Rules(t.Context(), "https://a.example"); rules.Err != nil || !rules.Verdict("/").Allowed {
				t.Errorf("rules of the caller that waited: %+v", rules)
			}
		})
		all.Wait()
		if requests := server.requests.Load(); requests < 2 || requests > 3 {
			t.Errorf("%d requests", requests)
		}
	})
}

// TestRobotsAge requests the file again after a day, and goes on with the old one
// when there is no answer.
func TestRobotsAge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		requests := 0
		r := NewRobots(fetcherFunc(func(_ context.Context, req *Request) (*Response, error) {
			if requests++; requests > 2 {
				return nil, &Error{URL: req.URL, Kind: KindRefused}
			}
			return &Response{Status: 200, Body: fmt.Appendf(nil, "User-agent: *\nCrawl-delay: %d\n", requests)}, nil
		}), nil)
		for day, want := range []time.Duration{1, 2, 2} {
			for range 2 {
				if rules := r.Rules(t.Context(), "https://a.example"); rules.Delay != want*time.Second || rules.Err != nil {
					t.Errorf("day %d: %+v", day, rules)
				}
			}
			if requests != day+1 {
				t.Errorf("day %d: %d requests", day, requests)
			}
			time.Sleep(robots.MaxAge)
		}
	})
}

// TestRobotsMemory keeps the rules of many hosts with large files.
func TestRobotsMemory(t *testing.T) {
	var file strings.Builder
	file.WriteString("User-agent: *\n")
	for i := 0; file.Len() < 500<<10; i++ {
		fmt.Fprintf(&file, "Disallow: /folder/%d\n", i)
	}
	const site, hosts = "https://site.example", 40
	server := &robotsServer{file: file.String()}
	r := NewRobots(server, &RobotsOptions{Site: site})
	first := r.Rules(t.Context(), site)
	before := heap()
	for i := range hosts {
		r.Rules(t.Context(), fmt.Sprintf("https://%d.example", i))
	}
	if grown := int64(heap()) - int64(before); grown > 16<<20 {
		t.Errorf("%d hosts take %d MiB", hosts, grown>>20)
	}
	if r.Rules(t.Context(), site) != first {
		t.Error("the site itself was evicted")
	}
	if r.Rules(t.Context(), fmt.Sprintf("https://%d.example", hosts-1)); server.requests.Load() != hosts+1 {
		t.Errorf("%d requests for %d hosts: the last was evicted", server.requests.Load(), hosts+1)
	}
	if r.Rules(t.Context(), "https://0.example"); server.requests.Load() != hosts+2 {
		t.Error("the first was not evicted")
	}
}

// TestRobotsCount bounds the number of hosts with small files.
func TestRobotsCount(t *testing.T) {
	r := NewRobots(&robotsServer{}, nil)
	for i := range maxCachedOrigins + 100 {
		r.Rules(t.Context(), fmt.Sprintf("https://%d.example", i))
	}
	if got := len(r.cache.byOrigin); got != maxCachedOrigins || r.cache.recent.Len() != got {
		t.Errorf("%d origins, %d in the list", got, r.cache.recent.Len())
	}
}

func heap() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

func TestRobotsFetch(t *testing.T) {
	server := &robotsServer{file: "User-agent: mapa\nDisallow: /private\nCrawl-delay: 5\n"}
	r := NewRobots(server, nil)
	_, err := r.Fetch(t.Context(), &Request{URL: "https://a.example/"})
	if err != nil || server.delay.Load() != int64(5*time.Second) {
		t.Errorf("delay %v, error %v", time.Duration(server.delay.Load()), err)
	}
	if _, err := r.Fetch(t.Context(), &Request{URL: "https://a.example/robots.txt"}); err != nil {
		t.Error(err)
	}
	_, err = r.Fetch(t.Context(), &Request{URL: "https://a.example/private#top"})
	refused, ok := errors.AsType[*RobotsError](err)
	if !errors.Is(err, KindDisallowed) || !ok || refused.Error() != "disallowed by line 2: Disallow: /private" {
		t.Error(err)
	}
}

// TestRobotsLongDelay returns at once from a host whose Crawl-delay is a day.
func TestRobotsLongDelay(t *testing.T) {
	server := &robotsServer{file: "User-agent: *\nCrawl-delay: 86400\n"}
	r := NewRobots(server, &RobotsOptions{Site: "https://site.example", MaxDelay: 30 * time.Second})
	_, err := r.Fetch(t.Context(), &Request{URL: "https://a.example/"})
	refused, ok := errors.AsType[*RobotsError](err)
	if !errors.Is(err, KindDelayTooLong) || !ok || refused.Delay != 24*time.Hour || server.delay.Load() != 0 {
		t.Error(err)
	}
	rules := r.Rules(t.Context(), "https://a.example")
	if rules.Delay != 30*time.Second || rules.AskedDelay != 24*time.Hour {
		t.Errorf("delay %v of %v", rules.Delay, rules.AskedDelay)
	}
	if rules := r.Rules(t.Context(), "https://site.example"); rules.Delay != 24*time.Hour {
		t.Errorf("delay of the site itself %v", rules.Delay)
	}
}

func TestRobotsIgnored(t *testing.T) {
	server := &robotsServer{file: "User-agent: *\nDisallow: /\nCrawl-delay: 5\nSitemap: https://a.example/s.xml\n"}
	rules := NewRobots(server, &RobotsOptions{IgnoreRules: true}).Rules(t.Context(), "https://a.example")
	if !rules.Verdict("https://a.example/").Allowed || rules.Delay != 5*time.Second || len(rules.Sitemaps) != 1 {
		t.Errorf("%+v", rules)
	}
}

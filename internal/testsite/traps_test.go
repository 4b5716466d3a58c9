package testsite

import (
	"compress/gzip"
	"context"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

var href = regexp.MustCompile(`<a href="([^"]*)"`)

// links returns where an answer leads, by redirect or links.
func links(t *testing.T, target string, answer *httptest.ResponseRecorder) []string {
	t.Helper()
	base, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	found := []string{}
	if to := answer.Header().Get("Location"); to != "" {
		found = append(found, to)
	} else {
		for _, match := range href.FindAllStringSubmatch(answer.Body.String(), -1) {
			found = append(found, html.UnescapeString(match[1]))
		}
	}
	for i, to := range found {
		u, err := base.Parse(to)
		if err != nil {
			t.Fatal(err)
		}
		found[i] = u.RequestURI()
	}
	return found
}

func TestEveryPageIsReached(t *testing.T) {
	site := Traps()
	reached := map[string]bool{"/": true}
	for _, target := range links(t, "/", get(t, site, "/")) {
		reached[target] = true
		for next := target; strings.HasPrefix(next, "/page-"); {
			reached[next] = true
			onward := links(t, next, get(t, site, next))
			next = onward[len(onward)-1]
		}
	}
	for _, trap := range site.All() {
		if !reached[trap.Start] {
			t.Errorf("%s is not reached", trap.Start)
		}
		if len(trap.Pages) > 0 {
			for _, target := range links(t, trap.Start, get(t, site, trap.Start)) {
				reached[target] = true
			}
		}
	}
	if n := len(site.Pages()); n < 50 {
		t.Errorf("only %d pages", n)
	}
	for _, page := range site.Pages() {
		if !reached[page] {
			t.Errorf("%s is not reached", page)
		}
	}
	if n := site.Requests()["busy"]; n != 1 {
		t.Errorf("busy was asked %d times", n)
	}
}

func TestEndlessAddresses(t *testing.T) {
	for _, name := range []string{"calendar", "deep-links", "repeated-segments", "session-ids", "facets",
		"same-content", "escape-growth", "soft-404", "redirect-chain"} {
		site := Traps()
		target := site.byName[name].Start
		seen := map[string]bool{target: true}
		steps := 30
		if name == "facets" {
			steps = 8
		}
		for range steps {
			next := ""
			for _, to := range links(t, target, get(t, site, target)) {
				if !seen[to] {
					next = to
				}
			}
			if next == "" || folder(next) != name {
				t.Errorf("%s: %s leads to nothing new but %q", name, target, next)
				break
			}
			seen[next], target = true, next
		}
	}
}

func TestEscapesGrow(t *testing.T) {
	site := Traps()
	onward := links(t, "/escape-growth/a%20b?c&d", get(t, site, "/escape-growth/a%20b?c&d"))
	if onward[0] != "/escape-growth/a%2520b?c" || onward[1] != "/escape-growth/a%20b?c&amp;d" {
		t.Errorf("%q", onward)
	}
}

func TestRedirectLoop(t *testing.T) {
	site, target := Traps(), "/redirect-loop/a"
	for range 3 {
		target = links(t, target, get(t, site, target))[0]
	}
	if target != "/redirect-loop/a" {
		t.Errorf("three redirects lead to %s", target)
	}
}

// TestSlowEndsWithTheRequest would hang if one did not.
func TestSlowEndsWithTheRequest(t *testing.T) {
	for _, name := range []string{"hang", "drip", "endless-body", "huge-body"} {
		ctx, cancel := context.WithCancel(t.Context())
		client := &firstByte{header: http.Header{}, cancel: cancel}
		if name == "hang" {
			cancel()
		}
		Traps().ServeHTTP(client, httptest.NewRequestWithContext(ctx, "GET", "/"+name+"/", nil))
		if client.written != (name != "hang") {
			t.Errorf("%s: written %t", name, client.written)
		}
		cancel()
	}
}

// A firstByte is a client that leaves with the first byte of the body. The site
// must see it by the request alone: writing to it never fails.
type firstByte struct {
	header  http.Header
	cancel  func()
	written bool
}

func (c *firstByte) Header() http.Header { return c.header }
func (c *firstByte) WriteHeader(int)     {}
func (c *firstByte) Write(b []byte) (int, error) {
	c.written = true
	c.cancel()
	return len(b), nil
}

func TestSizes(t *testing.T) {
	site := Traps()
	if n := len(get(t, site, "/huge-header/").Header().Get("X-Long")); n < 1<<20-5 {
		t.Errorf("the header has %d bytes", n)
	}
	if n := strings.Count(get(t, site, "/many-links/").Body.String(), "<a "); n != 200_000 {
		t.Errorf("%d links", n)
	}
	if n := strings.Count(get(t, site, "/nested/").Body.String(), "<div>"); n != 500_000 {
		t.Errorf("%d elements", n)
	}
	if n := len(href.FindStringSubmatch(get(t, site, "/huge-href/").Body.String())[1]); n < 1<<20-3 {
		t.Errorf("the href has %d bytes", n)
	}
}

func TestBomb(t *testing.T) {
	answer := get(t, Traps(), "/gzip-bomb/")
	// deflate shrinks to a 1032nd at best, so a gigabyte needs this much.
	if n := answer.Body.Len(); n < 1<<30/1032 || n > 2<<20 || answer.Header().Get("Content-Encoding") != "gzip" {
		t.Errorf("%d bytes of %q", n, answer.Header().Get("Content-Encoding"))
	}
	z, err := gzip.NewReader(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := io.CopyN(io.Discard, z, 64<<20); err != nil {
		t.Errorf("%d bytes, then %v", n, err)
	}
}

func TestBusyRecovers(t *testing.T) {
	site := Traps()
	for _, page := range site.byName["busy"].Pages[1:] {
		refused := get(t, site, page)
		after := refused.Header().Get("Retry-After")
		_, notSeconds := strconv.Atoi(after)
		_, notDate := http.ParseTime(after)
		if strconv.Itoa(refused.Code) != page[6:9] || (notDate == nil) != strings.HasSuffix(page, "date") ||
			notSeconds != nil && notDate != nil {
			t.Errorf("%s: %d, Retry-After %q", page, refused.Code, after)
		}
		if again := get(t, site, page); again.Code != 200 {
			t.Errorf("%s: %d when asked again", page, again.Code)
		}
	}
}

// TestFaultyAnswers asks as a real client does.
func TestFaultyAnswers(t *testing.T) {
	server := httptest.NewServer(Traps())
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}
	read := func(method, target string) (int, error) {
		request, err := http.NewRequest(method, server.URL+target, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := client.Do(request)
		if err != nil {
			return 0, err
		}
		defer answer.Body.Close()
		_, err = io.Copy(io.Discard, answer.Body)
		return answer.StatusCode, err
	}
	for _, test := range []struct {
		method, target string
		status         int
		fails          bool
	}{
		{"GET", "/dropped/always", 0, true},
		{"GET", "/dropped/once", 0, true},
		{"GET", "/dropped/once", 200, false},
		{"GET", "/dropped/halfway", 200, true},
		{"HEAD", "/lying-head/", 404, false},
		{"GET", "/lying-head/", 200, false},
		{"GET", "/broken-encodings/not-gzip", 200, true},
		{"GET", "/broken-encodings/half-gzip", 200, true},
		{"GET", "/broken-encodings/latin-1", 200, false},
		{"GET", "/robots.txt", 200, false},
		{"GET", "/nowhere", 200, false},
	} {
		status, err := read(test.method, test.target)
		if status != test.status || (err != nil) != test.fails {
			t.Errorf("%s %s: %d, %v", test.method, test.target, status, err)
		}
	}
}

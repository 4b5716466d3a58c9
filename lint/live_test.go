package lint_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/lint"
	"github.com/mapatools/mapa/source"
)

// countingSite counts the requests for each page and those at the same time.
type countingSite struct {
	mutex      sync.Mutex
	requested  map[string]int
	under, top int
	stop       func()
}

// RoundTrip implements [http.RoundTripper].
func (g *countingSite) RoundTrip(r *http.Request) (*http.Response, error) {
	missing := &http.Response{StatusCode: http.StatusNotFound, Header: http.Header{}, Body: http.NoBody, Request: r}
	if r.URL.Path == "/robots.txt" {
		return missing, nil
	}
	g.mutex.Lock()
	g.requested[r.URL.String()]++
	g.under++
	g.top = max(g.top, g.under)
	if g.stop != nil && len(g.requested) == 20 {
		g.stop()
	}
	g.mutex.Unlock()
	defer func() {
		g.mutex.Lock()
		g.under--
		g.mutex.Unlock()
	}()
	return missing, nil
}

// requestedBy are the sources of a site that a transport answers for.
func requestedBy(transport http.RoundTripper) source.Options {
	return source.Options{Access: access.Access{Transport: transport, Rate: access.PerSecond(0)}}
}

func countedSitemap(t *testing.T, pages int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(head)
	for i := range pages {
		fmt.Fprintf(&b, "<url><loc>https://example.com/%d</loc></url>\n", i)
	}
	b.WriteString("</urlset>")
	path := filepath.Join(t.TempDir(), "sitemap.xml")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRequests wants every page of a sample, or of all, requested once, no more
// requests at the same time than allowed, and the findings in the order of the lines.
func TestRequests(t *testing.T) {
	path := countedSitemap(t, 3000)
	for sample, want := range map[int]int{0: 200, 7: 7, -1: 3000} {
		g := &countingSite{requested: map[string]int{}}
		options := lint.Options{
			Source: requestedBy(g), Live: true, Sample: sample, Concurrency: 3, MaxPerRule: -1, Only: []string{"page-4xx"},
		}
		lines, last := 0, 0
		for f, err := range newLinter(t, options).Check(t.Context(), path) {
			if err != nil {
				t.Fatal(err)
			}
			if f.Line < last {
				t.Errorf("line %d after line %d", f.Line, last)
			}
			last = f.Line
			lines++
		}
		if lines != want || len(g.requested) != want {
			t.Errorf("sample %d: %d findings, %d pages requested, want %d", sample, lines, len(g.requested), want)
		}
		for url, n := range g.requested {
			if n != 1 {
				t.Errorf("%s requested %d times", url, n)
			}
		}
		if g.top > 3 {
			t.Errorf("%d requests at once", g.top)
		}
	}
}

// TestRequestsEnd wants an end soon after the caller stops.
func TestRequestsEnd(t *testing.T) {
	path := countedSitemap(t, 3000)
	g := &countingSite{requested: map[string]int{}}
	options := lint.Options{Source: requestedBy(g), Live: true, Sample: -1, Only: []string{"page-4xx"}}
	for range newLinter(t, options).Check(t.Context(), path) {
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	h := &countingSite{requested: map[string]int{}, stop: cancel}
	var failed error
	options.Source = requestedBy(h)
	for _, err := range newLinter(t, options).Check(ctx, path) {
		failed = err
	}
	if failed == nil {
		t.Error("a cancelled check ends without an error")
	}
	for _, n := range []int{len(g.requested), len(h.requested)} {
		if n > 200 {
			t.Errorf("%d pages requested", n)
		}
	}
}

// unicodeSite is a site whose robots.txt spells its host in Unicode.
type unicodeSite struct{}

// RoundTrip implements [http.RoundTripper].
func (unicodeSite) RoundTrip(r *http.Request) (*http.Response, error) {
	body := ""
	switch url := r.URL.String(); url {
	case "https://xn--bcher-kva.example/robots.txt":
		body = "Sitemap: https://b\u00fccher.example/sitemap.xml\nSitemap: https://b\u00fccher.example:8443/old.xml\n"
	case "https://xn--bcher-kva.example:8443/robots.txt", "https://xn--bcher-kva.example/sitemap.xml",
		"https://xn--bcher-kva.example:8443/old.xml":
	default:
		return nil, fmt.Errorf("not requested in Punycode: %s", url)
	}
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), Request: r,
	}, nil
}

// TestRobotsInUnicode requests the sitemaps of a robots.txt in Punycode, and does not take
// the host for another one.
func TestRobotsInUnicode(t *testing.T) {
	path := write(t, "sitemap.xml", head+"<url><loc>https://xn--bcher-kva.example/</loc></url></urlset>")
	options := lint.Options{
		BaseURL: "https://xn--bcher-kva.example/", Source: requestedBy(unicodeSite{}), Live: true,
		Only: []string{"robots-sitemap-404", "robots-lists-other-host"},
	}
	if found := check(t, options, path); len(found) > 0 {
		t.Errorf("found\n%s", listed(found))
	}
}

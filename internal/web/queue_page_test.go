package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/mapatools/mapa/internal/app/service"
)

// newHeldSite starts a site that does not answer until it is opened.
func newHeldSite(t *testing.T) (address string, open func()) {
	t.Helper()
	gate := make(chan struct{})
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-gate:
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<title>Home</title><p>A page with words of its own."))
		case <-r.Context().Done():
		}
	}))
	open = sync.OnceFunc(func() { close(gate) })
	t.Cleanup(func() { open(); target.Close() })
	return target.URL, open
}

// TestQueue types a site twice, and stops a crawl that waits.
func TestQueue(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(_ *Options, o *service.Options) { o.Parallel = 1 })
	address, open := newHeldSite(t)
	start := func(form url.Values) string {
		t.Helper()
		answer, text := s.post("/crawls", form)
		if answer.StatusCode != http.StatusSeeOther {
			t.Fatalf("%v: %s: %s", form, answer.Status, text)
		}
		return answer.Header.Get("Location")
	}
	first := start(url.Values{"url": {address}})
	again := start(url.Values{"url": {strings.TrimPrefix(address, "http://") + "/"}})
	if again != first+"?active" {
		t.Errorf("the same site leads to %s, not %s", again, first)
	}
	if _, text := s.do("GET", again, ""); !strings.Contains(text, "already being crawled") {
		t.Errorf("the page does not say that the site is being crawled: %s", text)
	}
	again = start(url.Values{"url": {address}, "max-pages": {"5"}})
	if again != first+"?active=other" {
		t.Errorf("the same site with other options leads to %s, not %s", again, first)
	}
	if _, text := s.do("GET", again, ""); !strings.Contains(text, "with other options") {
		t.Errorf("the page does not say that the site is crawled with other options: %s", text)
	}
	waiting := start(url.Values{"url": {address + "/two"}})
	for _, operation := range []string{"/stop", "/stop", "/pause"} { // the second of a page that is old
		if answer, _ := s.post(waiting+operation, url.Values{"x": {""}}); answer.Header.Get("Location") != waiting {
			t.Errorf("%s of a crawl that was stopped: %s", operation, answer.Status)
		}
	}
	answer, text := s.do("GET", waiting, "")
	if answer.StatusCode != http.StatusOK || !strings.Contains(text, "was cancelled before it began") {
		t.Errorf("a crawl that was stopped while it waited: %s: %s", answer.Status, text)
	}
	if strings.Contains(text, "The crawl failed") || !strings.Contains(text, `<a class="button primary" href="/">`) {
		t.Errorf("the page of a cancelled crawl: %s", text)
	}
	if answer, _ := s.do("GET", waiting, "", "Accept-Language", "es"); answer.StatusCode != http.StatusOK {
		t.Errorf("in Spanish: %s", answer.Status)
	}
	host := strings.TrimPrefix(address, "http://")
	if answer, _ := s.post(waiting+"/delete", url.Values{"x": {""}}); answer.Header.Get("Location") != "/sites/"+host {
		t.Errorf("a deleted crawl leads to %s", answer.Header.Get("Location"))
	}
	open()
	s.wait("/api/v1" + first)
	next := start(url.Values{"url": {address}})
	if strings.HasPrefix(next, first) {
		t.Error("a crawl that has ended is not crawled again")
	}
	s.wait("/api/v1" + next)
	s.post(first+"/delete", url.Values{"x": {""}})
	if answer, _ := s.post(next+"/delete", url.Values{"x": {""}}); answer.Header.Get("Location") != "/sites" {
		t.Errorf("the last crawl of a site that is deleted leads to %s", answer.Header.Get("Location"))
	}
}

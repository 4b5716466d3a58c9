package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// TestSites shows a site that fails after it was crawled: its last good figures, equal failures
// as one line, and trends from the second crawl on. A crawl that had no more time is a try too. A site
// that never answered is not listed.
func TestSites(t *testing.T) {
	t.Parallel()
	var down, slow atomic.Bool
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if slow.Load() && r.URL.Path == "/gone" {
			<-r.Context().Done()
		}
		if down.Load() || r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Home</title><p>A page with words of its own. <a href=/gone>gone</a>")
	}))
	t.Cleanup(target.Close)
	s := newSite(t, nil)
	host := strings.TrimPrefix(target.URL, "http://")
	page := func(path string) string {
		t.Helper()
		answer, text := s.do("GET", path, "")
		if answer.StatusCode != http.StatusOK {
			t.Fatalf("%s answers %s", path, answer.Status)
		}
		return text
	}
	s.crawl(`{"url":"` + target.URL + `"}`)
	one := page("/sites/" + host)
	if strings.Contains(one, "<polyline") || !strings.Contains(one, "from the second crawl on") {
		t.Error("one crawl has a trend")
	}
	down.Store(true)
	for range 3 {
		s.crawl(`{"url":"` + target.URL + `/typo"}`)
	}
	none := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(none.Close)
	s.crawl(`{"url":"` + none.URL + `"}`)
	sites := page("/sites")
	for _, want := range []string{
		`href="/sites/` + host, `<span class="tag bad">Bad</span>`, "1 page listed", "1 broken URL", "last try failed on",
	} {
		if !strings.Contains(sites, want) {
			t.Errorf("the list of sites has no %q: %s", want, sites)
		}
	}
	if strings.Contains(sites, strings.TrimPrefix(none.URL, "http://")) {
		t.Error("a site that never answered is listed")
	}
	text := page("/sites?text=nowhere")
	if strings.Contains(text, `href="/sites/`) || !strings.Contains(text, "“nowhere”") {
		t.Errorf("a search that finds nothing: %s", text)
	}
	site := page("/sites/" + host)
	if strings.Count(site, ">failed<") != 1 || !strings.Contains(site, "3 times") {
		t.Errorf("three equal failures are not one line: %s", site)
	}
	if !strings.Contains(site, `name="url" value="`+target.URL+`"`) {
		t.Error("the crawl that is repeated is not the one with the result")
	}
	if start := page("/"); strings.Count(start, ">failed<") != 2 {
		t.Error("the start page has each of three equal failures")
	}
	down.Store(false)
	s.crawl(`{"url":"` + target.URL + `"}`)
	if text := page("/sites/" + host); strings.Count(text, "<polyline") != 3 {
		t.Error("two crawls have no trends")
	}
	slow.Store(true)
	crawl := func(options string) string {
		t.Helper()
		return fmt.Sprint("/crawls/", s.crawl(`{"url":"` + target.URL + `","options":{` + options + `}}`)["id"])
	}
	part := crawl(`"max-time":["2s"]`)
	sites = page("/sites")
	if !strings.Contains(sites, "1 page listed") || !strings.Contains(sites, "last try ended early on") {
		t.Errorf("a crawl that ended early has the figures of the site: %s", sites)
	}
	if text := page("/sites/" + host); strings.Count(text, "<circle") != 6 {
		t.Error("a crawl that ended early is in the trends")
	}
	if text := page(part + "/changes"); !strings.Contains(text, "The crawl did not finish.") {
		t.Errorf("a crawl that ended early has changes: %s", text)
	}
	slow.Store(false)
	few := crawl(`"max-pages":["1"]`)
	for _, address := range []string{few, few + "/changes"} {
		text := page(address)
		if !strings.Contains(text, "other options (--max-pages).") || !strings.Contains(text, `<a href="/compare?new=`) {
			t.Errorf("%s does not say why it is not compared: %s", address, text)
		}
	}
	if answer, _ := s.do("GET", "/sites/nowhere.example", ""); answer.StatusCode != http.StatusNotFound {
		t.Errorf("a site without crawls answers %s", answer.Status)
	}
}

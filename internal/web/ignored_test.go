package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mapatools/mapa/internal/app/service"
)

// ignoringShop is a site with a broken link and pages with little text. The link can be repaired, or lead elsewhere.
func ignoringShop(t *testing.T) (address string, target *atomic.Value) {
	target = &atomic.Value{}
	target.Store("/gone")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			fmt.Fprint(w, `<!doctype html><title>Shop</title><p>Welcome <a href=/tags/a>a</a> <a href=/chair>chair</a>`)
		case "/chair":
			fmt.Fprintf(w, `<!doctype html><title>Chair</title><p>A chair <a href=%s>%d</a>`, target.Load(), len(r.URL.Path))
		case "/tags/a", "/tags/b":
			fmt.Fprint(w, `<!doctype html><title>Tag`+r.URL.Path+`</title><p>Tagged <a href=/tags/b>b</a>`)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, target
}

// numbersOf returns the sign and some numbers of the newest result of a site, as the API has them.
func (s *site) numbersOf(name string) string {
	s.t.Helper()
	site, err := s.service.Site(s.t.Context(), name)
	if err != nil {
		s.t.Fatal(err)
	}
	n := site.Result.Counts
	return fmt.Sprintf("%s, %d broken, %d ignored", site.Sign, n.Broken, n.Ignored)
}

func TestIgnore(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	address, target := ignoringShop(t)
	crawl := s.crawl(`{"url":"` + address + `","options":{"rate":0}}`)
	id, name := crawl["id"].(string), crawl["site"].(string)
	if got := s.numbersOf(name); got != "to-fix, 1 broken, 0 ignored" {
		t.Fatal(got)
	}
	// The list of broken links leads to the form, which needs a reason.
	_, list := s.do("GET", "/crawls/"+id+"/findings?rule=link-broken&severity=error", "")
	_, rest, found := strings.Cut(list, `href="/sites/`+name+`/ignore?rule=link-broken&amp;target=`)
	if !found {
		t.Fatal(list)
	}
	fields := strings.ReplaceAll(rest[:strings.IndexByte(rest, '"')], "&amp;", "&")
	query, err := url.ParseQuery("rule=link-broken&target=" + fields)
	if err != nil || query.Get("target") != "/gone" || query.Get("value") != "404" {
		t.Fatalf("%v, %v", query, err)
	}
	form := "/sites/" + name + "/ignore"
	if answer, page := s.do("GET", form+"?"+query.Encode(), ""); !strings.Contains(page, "/gone") {
		t.Errorf("%s %s", answer.Status, page)
	}
	answer, page := s.post(form, query)
	if answer.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(page, "reason") {
		t.Errorf("without a reason: %s", answer.Status)
	}
	query.Set("reason", "gone on <b>purpose")
	if answer, page := s.post(form, query); answer.StatusCode != http.StatusSeeOther {
		t.Fatalf("%s %s", answer.Status, page)
	}
	if got := s.numbersOf(name); got != "good, 0 broken, 1 ignored" {
		t.Error(got)
	}
	_, page = s.do("GET", "/sites/"+name+"/ignored", "")
	if !strings.Contains(page, "gone on &lt;b&gt;purpose") || !strings.Contains(page, "/gone") {
		t.Error(page)
	}
	_, overview := s.do("GET", "/api/v1/crawls/"+id+"/overview", "")
	if !strings.Contains(overview, `"ignored":1`) || strings.Contains(overview, `"rule":"link-broken"`) {
		t.Error(overview)
	}
	_, report := s.do("GET", "/crawls/"+id+"/files/report.html", "")
	if strings.Contains(report, "link-broken") {
		t.Error("report.html has what is ignored")
	}
	// A folder covers later pages. The next crawl ignores the same, also after the results are deleted.
	thin := url.Values{"rule": {"thin-content"}, "folder": {"/tags/"}, "reason": {"tags"}, "name": {"Ana"}}
	if answer, page := s.post(form, thin); answer.StatusCode != http.StatusSeeOther {
		t.Fatalf("%s %s", answer.Status, page)
	}
	if got := s.numbersOf(name); got != "good, 0 broken, 3 ignored" {
		t.Error(got)
	}
	s.crawl(`{"url":"` + address + `","options":{"rate":0}}`)
	if answer, _ := s.do("DELETE", "/api/v1/crawls/"+id, ""); answer.StatusCode != http.StatusNoContent {
		t.Error(answer.Status)
	}
	if got := s.numbersOf(name); got != "good, 0 broken, 3 ignored" {
		t.Error(got)
	}
	// Another target counts, and the one that is gone is fixed.
	target.Store("/elsewhere")
	s.crawl(`{"url":"` + address + `","options":{"rate":0}}`)
	if got := s.numbersOf(name); got != "to-fix, 1 broken, 2 ignored" {
		t.Error(got)
	}
	if _, page := s.do("GET", "/sites/"+name+"/ignored", ""); !strings.Contains(page, "not found any more since") {
		t.Error("nothing is fixed")
	}
	target.Store("/gone")
	s.crawl(`{"url":"` + address + `","options":{"rate":0}}`)
	if got := s.numbersOf(name); got != "to-fix, 1 broken, 2 ignored" {
		t.Errorf("what was fixed and is back: %s", got)
	}
	checkIgnoredList(t, s, name)
}

// checkIgnoredList replaces the list by the API and the form.
func checkIgnoredList(t *testing.T, s *site, name string) {
	t.Helper()
	path := "/api/v1/sites/" + name + "/ignored"
	_, before := s.do("GET", path, "")
	if !strings.Contains(before, `"rule":"thin-content","folder":"/tags/","reason":"tags"`) {
		t.Error(before)
	}
	for _, body := range []string{
		"", "[]", `{"version":1}`, `{"version":2,"ignored":[{"rule":""}]}`,
		`{"version":2,"ignored":[{"rule":"orphan","path":"/"}]}`,
		`{"version":2,"ignored":[{"rule":"orphan","folder":"tags"}]}`, `{"version":2,"ignored":[`,
		`{"version":2,"ignored":[` + strings.Repeat(`{"rule":"orphan"},`, service.MaxIgnored) + `{"rule":"orphan"}]}`,
	} {
		if answer, text := s.do("PUT", path, body); answer.StatusCode != http.StatusBadRequest {
			t.Errorf("%.60s: %d %s", body, answer.StatusCode, text)
		}
	}
	if _, after := s.do("GET", path, ""); after != before {
		t.Error(after)
	}
	const all = `{"version":2,"ignored":[{"rule":"link-broken","folder":"/"}]}`
	if answer, text := s.do("PUT", path, all); answer.StatusCode != http.StatusNoContent {
		t.Errorf("%d %s", answer.StatusCode, text)
	}
	if got := s.numbersOf(name); got != "good, 0 broken, 1 ignored" {
		t.Error(got)
	}
	forget := url.Values{"key": {strings.Join([]string{"link-broken", "/", "", "", "", ""}, "\x1f")}}
	if answer, text := s.post("/sites/"+name+"/ignored/forget", forget); answer.StatusCode != http.StatusSeeOther {
		t.Errorf("%s %s", answer.Status, text)
	}
	if got := s.numbersOf(name); got != "to-fix, 1 broken, 0 ignored" {
		t.Error(got)
	}
	for _, path := range []string{
		"/sites/other.example/ignored", "/api/v1/sites/other.example/ignored",
		"/sites/other.example/ignore?rule=orphan",
	} {
		if answer, _ := s.do("GET", path, ""); answer.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, answer.Status)
		}
	}
	if answer, _ := s.do("GET", "/sites/"+name+"/ignore?rule=nothing", ""); answer.StatusCode != http.StatusBadRequest {
		t.Error(answer.Status)
	}
}

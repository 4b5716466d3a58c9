package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// newChanging returns the address of a site, and what changes it: a page is gone, another is to be left out, and a
// third is new.
func newChanging(t *testing.T) (address string, change func()) {
	t.Helper()
	var changed atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		isNow := changed.Load()
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/":
			fmt.Fprint(w, `<!doctype html><title>Home</title><p>Welcome <a href=/gone>the lost page</a> <a href=/out>out</a>`)
			if isNow {
				fmt.Fprint(w, `<a href=/new>new</a>`)
			}
			return
		case "/out":
			if isNow {
				fmt.Fprint(w, `<meta name=robots content=noindex>`)
			}
			fmt.Fprint(w, `<title>Out</title><p>A page about something`)
			return
		case "/gone":
			if !isNow {
				fmt.Fprint(w, `<title>Gone</title><p>Another page that goes away`)
				return
			}
		case "/new":
			fmt.Fprint(w, `<title>New</title><p>Words that nobody has read before`)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, func() { changed.Store(true) }
}

// read decodes the answer to a request, which must succeed.
func (s *site) read(path string, into any, header ...string) {
	s.t.Helper()
	answer, body := s.do("GET", path, "", header...)
	if answer.StatusCode != http.StatusOK {
		s.t.Fatalf("%s: %d %s", path, answer.StatusCode, body)
	}
	if err := json.Unmarshal([]byte(body), into); err != nil {
		s.t.Fatalf("%s: %v: %s", path, err, body)
	}
}

// TestAPIChanges lists what changed between two crawls, and what is lost, part by part.
func TestAPIChanges(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	address, change := newChanging(t)
	start := func() string { return "/api/v1/crawls/" + s.crawl(`{"url":"` + address + `"}`)["id"].(string) }
	first := start()
	change()
	second := start()
	type list struct {
		Changes []struct{ Change, URL string }
		Kinds   []struct {
			Kind        string
			Count, Rows int
		}
		Counts struct {
			New         int
			LeftSitemap int `json:"left_sitemap"`
		}
		Compared    bool
		NotCompared string `json:"not_compared"`
		Previous    string
		Next        string
	}
	var none list
	s.read(first+"/changes", &none)
	if none.Changes == nil || len(none.Changes) > 0 || none.Kinds == nil || none.Compared || none.NotCompared != "first" {
		t.Errorf("of the first crawl: %+v", none)
	}
	var seen []string
	for cursor, parts := "", 0; ; parts++ {
		var part list
		s.read(second+"/changes?limit=1&cursor="+cursor, &part)
		if len(part.Changes) != 1 || len(part.Kinds) != 4 || part.Counts.New != 1 || part.Counts.LeftSitemap != 1 ||
			!part.Compared || part.Previous == "" || parts > 3 {
			t.Fatalf("part %d: %+v", parts, part)
		}
		seen = append(seen, part.Changes[0].Change+" "+strings.TrimPrefix(part.Changes[0].URL, address))
		if cursor = part.Next; cursor == "" {
			break
		}
	}
	if want := []string{"newly-broken /gone", "left-sitemap /out", "new /new", "changed /"}; !slices.Equal(seen, want) {
		t.Errorf("%q, want %q", seen, want)
	}
	var one list
	s.read(second+"/changes?kind=left-sitemap", &one)
	if len(one.Changes) != 1 || one.Changes[0].Change != "left-sitemap" || len(one.Kinds) != 4 {
		t.Errorf("of one kind: %+v", one)
	}

	type losses struct {
		Losses []struct {
			URL, Change, Decision, Since, Title string
			Status                              int
		}
		Counts []struct {
			Change, Decision string
			Count            int
		}
		Total int
		Next  string
	}
	var lost losses
	s.read(first+"/losses", &lost)
	if lost.Losses == nil || len(lost.Losses) > 0 || lost.Counts == nil || lost.Total != 0 {
		t.Errorf("losses of the first crawl: %+v", lost)
	}
	s.read(second+"/losses?limit=1", &lost)
	if lost.Total != 2 || len(lost.Counts) != 2 || len(lost.Losses) != 1 || lost.Next == "" ||
		lost.Losses[0].URL != address+"/gone" || lost.Losses[0].Status != 404 || lost.Losses[0].Title != "Gone" ||
		lost.Losses[0].Since == "" {
		t.Errorf("the first part: %+v", lost)
	}
	next := lost.Next
	lost = losses{}
	s.read(second+"/losses?limit=1&cursor="+next, &lost)
	if lost.Next != "" || len(lost.Losses) != 1 || lost.Losses[0].URL != address+"/out" {
		t.Errorf("the second part: %+v", lost)
	}
	lost = losses{}
	s.read(second+"/losses?kind=left-sitemap", &lost)
	if lost.Total != 1 || len(lost.Losses) != 1 || lost.Losses[0].Decision != "noindex" {
		t.Errorf("of one kind: %+v", lost)
	}
	if _, body := s.do("GET", second+"/overview", ""); !strings.Contains(body, `"losses":[`) {
		t.Errorf("the overview has no losses: %s", body)
	}
	for _, path := range []string{
		"/changes?kind=x", "/changes?cursor=x", "/changes?limit=0", "/losses?kind=new", "/losses?cursor=-1",
		"/losses?limit=x", "/why", "/why?url=", "/why?url=ftp://x/", "/why?url=http://[", "/why?url=%00",
		"/why?url=" + strings.Repeat("x", 5000),
	} {
		if answer, body := s.do("GET", second+path, ""); answer.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %d %s", path, answer.StatusCode, body)
		}
	}
	for _, path := range []string{"/changes", "/losses", "/why?url=/"} {
		if answer, _ := s.do("GET", "/api/v1/crawls/nothing"+path, ""); answer.StatusCode != http.StatusNotFound {
			t.Errorf("%s of no crawl: %d", path, answer.StatusCode)
		}
	}
	waiting, _ := s.do("POST", "/api/v1/crawls", `{"url":"`+slowSite(t)+`"}`)
	for _, path := range []string{"/changes", "/losses", "/why?url=/"} {
		answer, body := s.do("GET", waiting.Header.Get("Location")+path, "")
		if answer.StatusCode != http.StatusConflict || !strings.Contains(body, "#state") {
			t.Errorf("%s of a crawl that runs: %d %s", path, answer.StatusCode, body)
		}
	}
}

// TestAPIWhy explains pages by their addresses, in the language of the request.
func TestAPIWhy(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	address, change := newChanging(t)
	s.crawl(`{"url":"` + address + `"}`)
	change()
	path := "/api/v1/crawls/" + s.crawl(`{"url":"` + address + `"}`)["id"].(string) + "/why?url="
	for _, test := range []struct{ url, language, want string }{
		{address + "/gone", "", `"explanation":"The server has no such page`},
		{address + "/gone", "es", `"explanation":"El servidor no tiene`},
		{address + "/gone", "", `"text":"the lost page"`},
		{address + "/gone", "fr", `"status":404`},
		{address + "/gone#part", "", `"change":"newly-broken"`},
		{"/out", "", `"decision":"noindex"`},
		{strings.TrimPrefix(address, "http://") + "/new?utm_source=mail", "", `"decision":"listed"`},
		{address + "/none", "", `"found":false`},
		{"https://other.example/", "", `"found":false`},
	} {
		var header []string
		if test.language != "" {
			header = []string{"Accept-Language", test.language}
		}
		answer, body := s.do("GET", path+url.QueryEscape(test.url), "", header...)
		if answer.StatusCode != http.StatusOK || !strings.Contains(body, test.want) ||
			answer.Header.Get("Content-Language") == "" {
			t.Errorf("%s in %q: %d %s", test.url, test.language, answer.StatusCode, body)
		}
	}
}

// TestAPISiteFilter lists the sites with a text in their names, or with a sign, part by part.
func TestAPISiteFilter(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	broken := s.crawl(`{"url":"` + shop(t) + `"}`)["site"].(string)
	for _, name := range []string{"a.example", "b.example", "c.other"} {
		if answer, body := s.do("POST", "/api/v1/schedules", `{"url":"`+name+`","every":"24h"}`); answer.StatusCode != 201 {
			t.Fatal(body)
		}
	}
	list := func(query string) (names []string, next string) {
		t.Helper()
		var sites struct {
			Sites []struct{ Name string }
			Next  string
		}
		s.read("/api/v1/sites?"+query, &sites)
		for _, site := range sites.Sites {
			names = append(names, site.Name)
		}
		return names, sites.Next
	}
	for query, want := range map[string][]string{
		"": {broken, "a.example", "b.example", "c.other"}, "text=EXAMPLE": {"a.example", "b.example"}, "text=none": nil,
		"sign=to-fix": {broken}, "sign=unknown": {"a.example", "b.example", "c.other"}, "sign=good": nil,
		"sign=unknown&text=b.": {"b.example"}, "sign=unknown&limit=3": {"a.example", "b.example", "c.other"},
	} {
		if names, next := list(query); !slices.Equal(names, want) || next != "" {
			t.Errorf("%q: %q, next %q, want %q", query, names, next, want)
		}
	}
	first, next := list("sign=unknown&limit=2")
	second, end := list("sign=unknown&limit=2&cursor=" + next)
	if !slices.Equal(first, []string{"a.example", "b.example"}) || !slices.Equal(second, []string{"c.other"}) ||
		end != "" {
		t.Errorf("%q, then %q, next %q", first, second, end)
	}
	for _, query := range []string{"sign=x", "text=" + strings.Repeat("x", maxFilter+1)} {
		if answer, _ := s.do("GET", "/api/v1/sites?"+query, ""); answer.StatusCode != http.StatusBadRequest {
			t.Errorf("%.20s: %d", query, answer.StatusCode)
		}
	}
}

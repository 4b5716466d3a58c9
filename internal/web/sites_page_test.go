package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mapatools/mapa/internal/app/service"
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
		`href="/sites/` + host, `<span class="tag bad">Bad</span>`, `data-name="Listed">1<`, `data-name="Broken"><span class="tag bad">1<`,
		`<span class="tag bad">failed</span>`, "1 of 1 sites got worse",
	} {
		if !strings.Contains(sites, want) {
			t.Errorf("the list of sites has no %q: %s", want, sites)
		}
	}
	if strings.Contains(sites, strings.TrimPrefix(none.URL, "http://")) {
		t.Error("a site that never answered is listed")
	}
	text := page("/sites?text=nowhere")
	if strings.Contains(text, `href="/sites/`) || !strings.Contains(text, "No site matches") {
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
	if !strings.Contains(sites, `"Listed">1<`) || !strings.Contains(sites, "ended early") {
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

// manySites answers for all hosts, as a proxy. Some have a page that is not to be listed.
type manySites struct {
	*httptest.Server
	lost sync.Map // of hosts
}

func newManySites(t *testing.T) *manySites {
	t.Helper()
	m := &manySites{}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodConnect || r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		robots := "all"
		if _, lost := m.lost.Load(r.Host); lost && r.URL.Path == "/two" {
			robots = "noindex"
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<!doctype html><html lang=en><meta name=robots content=%s><title>Page %s of %s</title>"+
			"<p>The words of page %[2]s. <a href=/>home</a> <a href=/one>one</a> <a href=/two>two</a>",
			robots, r.URL.Path, r.Host)
	}))
	t.Cleanup(m.Close)
	return m
}

// crawl crawls sites, one after the other.
func (m *manySites) crawl(s *site, names []string) {
	for _, name := range names {
		s.crawl(fmt.Sprintf(`{"url":"http://%s/","options":{"rate":["0"],"proxy":[%q]}}`, name, m.URL))
	}
}

// siteNames returns the names of the sites in a list, in its order.
func siteNames(page string) (names []string) {
	for _, part := range strings.Split(page, `<a href="/sites/`)[1:] {
		name, _, _ := strings.Cut(part, `"`)
		names = append(names, name)
	}
	return names
}

// TestManySites lists 15 sites. The three that lost pages come first, the newest loss at the top, also after another
// crawl of each in which nothing changed. Labels and signs select some, which are exported.
func TestManySites(t *testing.T) {
	t.Parallel()
	sites := newManySites(t)
	s := newSite(t, nil)
	var all, sorted []string
	for i := range 15 {
		all = append(all, fmt.Sprintf("c%d.test", 15-i))
		sorted = append(sorted, fmt.Sprintf("c%d.test", i+1))
	}
	page := func(path string) string {
		t.Helper()
		answer, text := s.do("GET", path, "")
		if answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s", path, answer.Status)
		}
		return text
	}
	sites.crawl(s, all)
	if got := siteNames(page("/sites")); !slices.Equal(got, sorted) {
		t.Errorf("sites in the order %q, want %q", got, sorted)
	}
	lost := []string{"c11.test", "c3.test", "c7.test"}
	for _, name := range lost {
		sites.lost.Store(name, true)
	}
	sites.crawl(s, lost)
	others := slices.DeleteFunc(slices.Clone(sorted), func(name string) bool { return slices.Contains(lost, name) })
	want := append([]string{"c7.test", "c3.test", "c11.test"}, others...)
	for round := range 2 {
		if round == 1 {
			sites.crawl(s, all) // the loss that was noticed first is crawled last
		}
		text := page("/sites")
		if got := siteNames(text); !slices.Equal(got, want) {
			t.Errorf("round %d: sites in the order %q, want %q", round, got, want)
		}
		if !strings.Contains(text, "3 of 15 sites got worse") || strings.Count(text, "<polyline") != []int{3, 15}[round] {
			t.Errorf("round %d: %s", round, text)
		}
		if changed := strings.Contains(text, "▼1"); changed != (round == 0) {
			t.Errorf("round %d: a change is shown: %v", round, changed)
		}
	}

	label := func(name, labels string, status int) string {
		t.Helper()
		answer, text := s.post("/sites/"+name+"/labels", url.Values{"labels": {labels}})
		if answer.StatusCode != status {
			t.Errorf("labels %q of %s: %s", labels, name, answer.Status)
		}
		return text
	}
	label("c10.test", " client , shop,, client", http.StatusSeeOther)
	label("c2.test", "client,=1+1", http.StatusSeeOther)
	label("none.test", "client", http.StatusNotFound)
	long := strings.Repeat("x", 31)
	text := label("c2.test", long, http.StatusBadRequest)
	if !strings.Contains(text, "at most 30 characters") || !strings.Contains(text, `value="`+long) {
		t.Errorf("a long label: %s", text)
	}
	label("c2.test", "1,2,3,4,5,6,7,8,9", http.StatusBadRequest)
	for query, want := range map[string]string{
		"label=client": "c2.test c10.test", "label=shop": "c10.test", "label=none": "",
		"sign=bad": "c7.test c3.test c11.test", "sign=good&label=client&text=C1": "c10.test", "text=c1&sign=bad": "c11.test",
		"sign=x&label=client&from=1": "c10.test", "from=99": "", "from=-1&label=shop": "c10.test",
	} {
		if got := strings.Join(siteNames(page("/sites?"+query)), " "); got != want {
			t.Errorf("%s selects %q, want %q", query, got, want)
		}
	}
	answer, table := s.do("GET", "/sites?format=csv&label=client", "", "Accept-Language", "es")
	const head, row = "\ufeffSitio;Señal;Etiquetas;", `c2.test;Bien;"'=1+1, client";3;3;0;0;0;`
	if rows := strings.Split(table, "\r\n"); answer.Header.Get("Content-Type") != "text/csv; charset=utf-8" ||
		len(rows) != 4 || !strings.HasPrefix(rows[0], head) || !strings.HasPrefix(rows[1], row) {
		t.Errorf("a table: %q", table)
	}
	if _, text := s.do("GET", "/sites?format=json", ""); strings.Count(text, `"name":"c`) != 15 {
		t.Errorf("JSON: %s", text)
	}
}

// TestAddMany adds sites with one schedule: all of them, or none when a line is wrong.
func TestAddMany(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	form := url.Values{"every": {"days"}, "at": {"04:30"}, "day": {"monday"}, "labels": {"client"}}
	add := func(list string) (*http.Response, string) {
		t.Helper()
		form.Set("urls", list)
		return s.post("/schedules/many", form)
	}
	schedules := func() []service.Schedule {
		t.Helper()
		all, err := s.service.Schedules(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	for list, want := range map[string]string{
		"c1.test\n\nftp://c2.test/\nc3.test\nhttp://\n": "Line 3: ", " \n": "Type from 1 to 500 addresses",
		"": "Type from 1 to 500 addresses", strings.Repeat("c.test\n", 501): "Type from 1 to 500 addresses",
		strings.Repeat("ftp://x/\n", 100): "Line 20: ",
	} {
		answer, text := add(list)
		if answer.StatusCode != http.StatusBadRequest || !strings.Contains(text, want) || strings.Contains(text, "Line 21") {
			t.Errorf("%.60q: %s: %s", list, answer.Status, text)
		}
		if list != "" && !strings.Contains(text, "</textarea>") {
			t.Errorf("%.60q is not kept: %s", list, text)
		}
		if all := schedules(); len(all) != 0 {
			t.Fatalf("%.60q: %d schedules", list, len(all))
		}
	}
	form.Set("at", "late")
	answer, text := add("c1.test")
	if answer.StatusCode != http.StatusBadRequest || !strings.Contains(text, ">c1.test</textarea>") {
		t.Errorf("a wrong time: %s: %s", answer.Status, text)
	}
	form.Set("at", "04:30")
	answer, _ = add("127.0.0.1:1\r\nhttp://127.0.0.2:1/\n\n 127.0.0.1:1/ \n")
	if answer.Header.Get("Location") != "/sites?added=2&known=1" {
		t.Fatalf("%s to %s", answer.Status, answer.Header.Get("Location"))
	}
	all := schedules()
	if len(all) != 2 || all[0].Cron != "30 4 * * 1" || all[1].Cron != all[0].Cron || all[0].URL != "127.0.0.1:1" {
		t.Errorf("schedules %+v", all)
	}
	_, text = s.do("GET", answer.Header.Get("Location"), "")
	for _, want := range []string{
		"2 sites were added.", "1 address was left out", `href="/sites/127.0.0.2:1"`, "?label=client",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the list has no %q: %s", want, text)
		}
	}
	crawls, _, err := s.service.Crawls(t.Context(), "", "", 10)
	if err != nil || len(crawls) != 2 {
		t.Errorf("%d crawls, %v", len(crawls), err)
	}
	if answer, _ := add("http://127.0.0.2:1\n127.0.0.3:1"); answer.Header.Get("Location") != "/sites?added=1&known=1" {
		t.Errorf("once more: %s", answer.Header.Get("Location"))
	}
}

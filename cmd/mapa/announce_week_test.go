package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mapatools/mapa/announce/announcetest"
)

// gone is the state of a page that is not in the sitemap.
const gone = 0

// An announced site has a sitemap in a folder, and engines that its changes are announced to.
// It remembers what they have to receive.
type announced struct {
	folder  string
	site    *httptest.Server
	engine  *httptest.Server
	engines *announcetest.Server
	random  *rand.Rand
	logged  int // requests of the engines that were read

	running sync.WaitGroup // requests to the engines

	mutex  sync.Mutex
	fate   *rand.Rand
	states map[string]int // of pages, by path; each change is a new one
	last   int
	kill   func()
	killAt int // announcements

	pending map[string]map[string]bool // changed pages, by engine
	sent    map[string]map[string]int  // states that were received, by engine
	unsure  map[string]map[string]bool // received by runs that were killed, by engine
}

var announcedTo = []string{"baidu", "bing", "yandex"}

func newAnnounced(t *testing.T, random *rand.Rand) *announced {
	a := &announced{folder: t.TempDir(), random: random, fate: rand.New(rand.NewPCG(random.Uint64(), 1)),
		states:  map[string]int{},
		pending: map[string]map[string]bool{}, sent: map[string]map[string]int{}, unsure: map[string]map[string]bool{}}
	for _, engine := range announcedTo {
		a.pending[engine], a.sent[engine], a.unsure[engine] = map[string]bool{}, map[string]int{}, map[string]bool{}
	}
	a.site = httptest.NewServer(http.HandlerFunc(a.page))
	t.Cleanup(a.site.Close)
	const many = 1_000_000
	a.engines = announcetest.New(announcetest.Options{Sites: []string{a.site.URL}, BingKey: "bing-secret",
		YandexToken: "yandex-secret", BaiduToken: "baidu-secret", BingQuota: many, YandexQuota: many, BaiduQuota: many,
		RecrawlQuota: many})
	a.engine = httptest.NewServer(a)
	t.Cleanup(a.engine.Close)
	for range 10 {
		a.last++
		a.states[fmt.Sprintf("/page-%d", a.last)] = a.last
	}
	return a
}

// page serves the pages that are in the sitemap.
func (a *announced) page(w http.ResponseWriter, r *http.Request) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.states[r.URL.Path] == gone {
		http.NotFound(w, r)
		return
	}
	fmt.Fprint(w, "<title>page</title>")
}

// ServeHTTP is that of the engines. It kills the process before a request is received, or
// before it is answered.
func (a *announced) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.running.Add(1)
	defer a.running.Done()
	a.mutex.Lock()
	if r.Method == http.MethodPost {
		a.killAt--
	}
	kill := a.kill
	isTime, first := kill != nil && a.killAt <= 0, a.fate.IntN(3) > 0
	a.mutex.Unlock()
	if isTime && first {
		kill()
		return
	}
	a.engines.ServeHTTP(w, r)
	if isTime {
		kill()
	}
}

// edit changes pages and writes the sitemap.
func (a *announced) edit(t *testing.T) {
	a.mutex.Lock()
	before := maps.Clone(a.states)
	paths := slices.Sorted(maps.Keys(a.states))
	for range a.random.IntN(8) {
		path := fmt.Sprintf("/page-%d", a.last+1)
		if a.random.IntN(3) > 0 {
			path = paths[a.random.IntN(len(paths))]
		}
		a.last++
		was := a.states[path]
		if a.states[path] = a.last; was != gone && a.random.IntN(3) == 0 {
			a.states[path] = gone
		}
	}
	a.mutex.Unlock()
	for path, state := range a.states {
		for _, engine := range announcedTo {
			a.pending[engine][path] = a.pending[engine][path] || before[path] != state
		}
	}
	var b strings.Builder
	b.WriteString(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for path, state := range a.states {
		if state != gone {
			fmt.Fprintf(&b, "<url><loc>%s%s</loc><lastmod>%s</lastmod></url>", a.site.URL, path, hourText(state))
		}
	}
	b.WriteString("</urlset>")
	if err := os.WriteFile(filepath.Join(a.folder, "sitemap.xml"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// run runs the program, and returns the pages that each engine received.
func (a *announced) run(t *testing.T, killed bool, engines []string, arguments ...string) map[string][]string {
	t.Helper()
	all := append([]string{"announce", a.folder, "--base-url", a.site.URL + "/", "--endpoint", a.engine.URL,
		"--wait", "0s", "--to", strings.Join(engines, ",")}, arguments...)
	c := exec.Command(os.Args[0], all...)
	c.Env = append(os.Environ(), runVariable+"=1", "BING_WEBMASTER_KEY=bing-secret",
		"YANDEX_WEBMASTER_TOKEN=yandex-secret", "BAIDU_PUSH_TOKEN=baidu-secret")
	a.mutex.Lock()
	if a.kill, a.killAt = nil, 1+a.random.IntN(6); killed {
		a.kill = func() { _ = c.Process.Kill() } // it may have ended
	}
	var out strings.Builder
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	a.mutex.Unlock()
	if err := c.Wait(); err != nil && !killed {
		t.Fatalf("%v: %s", err, out.String())
	}
	a.engine.CloseClientConnections() // of a killed process
	a.running.Wait()
	return a.received(t)
}

// received returns the pages that each engine received since the last call.
func (a *announced) received(t *testing.T) map[string][]string {
	all := map[string][]string{}
	requests := a.engines.Requests()
	for _, r := range requests[a.logged:] {
		var body struct {
			URL     string   `json:"url"`
			URLList []string `json:"urlList"`
		}
		engine, urls := "", []string(nil)
		switch {
		case r.Path == "/urls":
			engine, urls = "baidu", strings.Fields(r.Body)
		case strings.HasSuffix(r.Path, "/SubmitUrlbatch"), strings.HasSuffix(r.Path, "/recrawl/queue"):
			if err := json.Unmarshal([]byte(r.Body), &body); err != nil {
				t.Fatal(err)
			}
			engine, urls = "bing", body.URLList
			if body.URL != "" {
				engine, urls = "yandex", []string{body.URL}
			}
		}
		if r.Status >= 500 {
			continue
		}
		for _, address := range urls {
			all[engine] = append(all[engine], strings.TrimPrefix(address, a.site.URL))
		}
	}
	a.logged = len(requests)
	return all
}

// check compares what a run sent with what the engines had to receive. A killed run may
// send a part, and what it sent may come again.
func (a *announced) check(t *testing.T, killed bool, engines []string, got map[string][]string, everything bool) {
	t.Helper()
	for _, engine := range announcedTo {
		want := maps.Clone(a.pending[engine])
		maps.DeleteFunc(want, func(_ string, pending bool) bool { return !pending })
		for path, state := range a.states {
			if everything && state != gone && a.sent[engine][path] != state {
				want[path] = true
			}
		}
		for _, path := range got[engine] {
			if !want[path] && !a.unsure[engine][path] {
				t.Errorf("%s got %s again", engine, path)
			}
			delete(want, path)
			delete(a.pending[engine], path)
			delete(a.unsure[engine], path)
			a.sent[engine][path] = a.states[path]
		}
		if killed {
			for _, path := range got[engine] {
				a.unsure[engine][path] = true
			}
			continue
		}
		if slices.Contains(engines, engine) && len(want) > 0 {
			t.Errorf("%s did not get %v", engine, slices.Sorted(maps.Keys(want)))
		}
	}
}

// TestAnnounceWeek announces a site that changes, in processes that are killed, to engines
// that are chosen at random. Each engine receives every change, once unless a kill left its
// outcome open, and nothing else.
func TestAnnounceWeek(t *testing.T) {
	sites, edits := uint64(1), 5
	if os.Getenv("MAPA_TORTURE") != "" {
		sites, edits = 20, 100
	}
	for seed := range sites {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			a := newAnnounced(t, rand.New(rand.NewPCG(seed, 13)))
			a.edit(t)
			for _, engine := range announcedTo {
				clear(a.pending[engine]) // the first run only records
			}
			a.check(t, false, announcedTo, a.run(t, false, announcedTo), false)
			for range edits {
				a.tick(t)
			}
			t.Logf("%d requests", a.logged)
		})
	}
}

// tick makes edits and runs the program until all engines have received them.
func (a *announced) tick(t *testing.T) {
	t.Helper()
	a.edit(t)
	for a.random.IntN(3) > 0 {
		engines := announcedTo[a.random.IntN(len(announcedTo)):]
		killed := a.random.IntN(4) > 0
		a.check(t, killed, engines, a.run(t, killed, engines), false)
	}
	if a.random.IntN(4) == 0 {
		a.check(t, false, announcedTo, a.run(t, false, announcedTo, "--all", "--yes"), true)
	}
	a.check(t, false, announcedTo, a.run(t, false, announcedTo), false)
	before := len(a.engines.Requests())
	if again := a.run(t, false, announcedTo); len(again) > 0 {
		t.Errorf("a run without a change sent %v", again)
	}
	for _, r := range a.engines.Requests()[before:] {
		if r.Method == http.MethodPost {
			t.Errorf("a run without a change sent %s %s", r.Method, r.Path)
		}
	}
}

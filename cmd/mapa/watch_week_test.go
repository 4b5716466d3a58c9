package main

import (
	"bufio"
	"bytes"
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
	"time"

	"github.com/mapatools/mapa/watch"
)

// A fault is what is wrong with an answer.
type fault int

const (
	faultNone   fault = iota
	faultStatus       // 500
	faultCut          // the document ends early
	faultPage         // an HTML page with status 200
	faultEmpty        // nothing, with status 200
	faults
)

// A weekServer serves a generator, with the faults of real servers, and remembers what it
// sent, which is all that a follower can know.
type weekServer struct {
	generator
	server *httptest.Server
	tagged bool // it has ETags, new ones with every deployment

	mutex   sync.Mutex
	version int
	faults  map[string]fault
	failed  bool // a fault was sent
	sent    map[string]document
	request func() // called at every request
}

func newWeekServer(t *testing.T, g generator, tagged bool) *weekServer {
	s := &weekServer{generator: g, tagged: tagged, sent: map[string]document{}, request: func() {}}
	s.server = httptest.NewServer(s)
	t.Cleanup(s.server.Close)
	return s
}

// change makes the edits of some hours.
func (s *weekServer) change(random *rand.Rand, hours int) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.edit(random, hours)
	s.version++
	s.faults = map[string]fault{}
	if hours == 0 {
		return
	}
	for path := range s.documents() {
		if random.IntN(15) == 0 {
			s.faults[path] = 1 + fault(random.IntN(int(faults)-1))
		}
	}
}

// ServeHTTP implements [http.Handler].
func (s *weekServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.request()
	host := "http://" + r.Host
	if r.URL.Path == "/robots.txt" {
		fmt.Fprintf(w, "User-agent: *\nDisallow: /wp-admin/\n\nSitemap: %s/sitemap.xml\n", host)
		return
	}
	d, found := s.documents()[r.URL.Path]
	if !found {
		http.NotFound(w, r)
		return
	}
	text := d.text(host)
	s.failed = s.failed || s.faults[r.URL.Path] != faultNone
	switch s.faults[r.URL.Path] {
	case faultStatus:
		http.Error(w, "Error establishing a database connection", http.StatusInternalServerError)
		return
	case faultCut:
		text = text[:len(text)*2/3]
	case faultPage:
		text = "<!doctype html><title>Maintenance</title><p>We will be back soon"
	case faultEmpty:
		text = ""
	default:
		if tag := fmt.Sprintf(`"%d"`, s.version); s.tagged {
			w.Header().Set("ETag", tag)
			if r.Header.Get("If-None-Match") == tag {
				w.WriteHeader(http.StatusNotModified)
				return
			}
		}
		s.send(r.URL.Path, d)
	}
	w.Header().Set("Content-Type", "text/xml; charset=UTF-8")
	fmt.Fprint(w, text)
}

// send notes that a document was sent. What an index does not list any more is forgotten.
func (s *weekServer) send(path string, d document) {
	s.sent[path] = d
	if len(d.children) == 0 {
		return
	}
	maps.DeleteFunc(s.sent, func(other string, _ document) bool {
		return other != path && !slices.ContainsFunc(d.children, func(child [2]string) bool { return child[0] == other })
	})
}

// text returns a document as XML.
func (d document) text(host string) string {
	absolute := func(loc string) string {
		if strings.HasPrefix(loc, "/") {
			return host + loc
		}
		return loc
	}
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	if len(d.children) > 0 {
		b.WriteString(`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
		for _, child := range d.children {
			fmt.Fprintf(&b, "<sitemap><loc>%s</loc>%s</sitemap>\n", absolute(child[0]), element("lastmod", child[1]))
		}
		return b.String() + "</sitemapindex>"
	}
	b.WriteString(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"` +
		` xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">`)
	for _, e := range d.entries {
		fmt.Fprintf(&b, "<url><loc>%s</loc>%s%s",
			absolute(e.loc), element("lastmod", e.lastMod), element("priority", e.priority))
		if e.title != "" {
			fmt.Fprintf(&b, "<news:news><news:publication><news:name>The Times</news:name><news:language>en</news:language>"+
				"</news:publication><news:title>%s</news:title></news:news>", e.title)
		}
		b.WriteString("</url>\n")
	}
	return b.String() + "</urlset>"
}

func element(name, text string) string {
	if text == "" {
		return ""
	}
	return "<" + name + ">" + text + "</" + name + ">"
}

// listed returns the pages of documents, and those that they list in different ways.
func (s *weekServer) listed(documents map[string]document) (pages map[string]pageEntry, unclear map[string]bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	pages, unclear = map[string]pageEntry{}, map[string]bool{}
	root := documents["/sitemap.xml"]
	all := []document{root}
	for _, child := range root.children {
		all = append(all, documents[child[0]])
	}
	for _, d := range all {
		for _, e := range d.entries {
			loc := e.loc
			if strings.HasPrefix(loc, "/") {
				loc = s.server.URL + loc
			}
			if other, twice := pages[loc]; twice && other != e.pageEntry {
				unclear[loc] = true
			}
			pages[loc] = e.pageEntry
		}
	}
	return pages, unclear
}

// A week follows sites with the program, in processes that are killed.
type week struct {
	sites  []*weekServer
	random *rand.Rand
	state  string
	seen   map[string]map[string]pageEntry // what the events say, by site
	ids    map[string]string               // events by ID
	ticks  map[string]bool                 // pages with an event in this tick

	mutex    sync.Mutex
	received []watch.Event // by the webhook
	webhook  *httptest.Server

	kill      func() // the process, nil when it is to live
	killAt    moment
	killAfter int // so many of these moments
}

// A moment is one at which a process is killed.
type moment int

const (
	momentRequest  moment = iota // it requests a document
	momentDelivery               // it delivers events
	momentAny                    // some time after its start
	moments
)

// at kills the process if this is the moment, and reports whether it did.
func (w *week) at(m moment) bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.kill == nil || w.killAt != m {
		return false
	}
	if w.killAfter--; w.killAfter > 0 {
		return false
	}
	w.kill()
	return true
}

// ServeHTTP takes events, as a webhook. Those at which it kills are lost.
func (w *week) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	var body struct{ Events []watch.Event }
	if json.NewDecoder(r.Body).Decode(&body) != nil || w.at(momentDelivery) {
		return
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.received = append(w.received, body.Events...)
}

// pass runs the program once and applies its events. A killed one ends at a random
// request, delivery or moment.
func (w *week) pass(t *testing.T, killed bool) {
	t.Helper()
	args := []string{"watch", "--state", w.state, "--rate", "0"}
	posts := w.random.IntN(2) == 0
	if posts {
		args = append(args, "--webhook", w.webhook.URL)
	}
	for _, s := range w.sites {
		args = append(args, s.server.URL+"/")
	}
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), runVariable+"=1")
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	w.begin(nil)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if killed {
		kill := func() { _ = c.Process.Kill() } // it may have ended
		w.begin(kill)
		if w.killAt == momentAny {
			late := time.AfterFunc(time.Duration(w.random.IntN(200))*time.Millisecond, kill)
			defer late.Stop()
		}
	}
	w.read(t, out)
	err = c.Wait()
	if killed {
		return
	}
	want := 0
	if w.hasFailed() {
		want = 3
	}
	if c.ProcessState.ExitCode() != want {
		t.Fatalf("exit %d, want %d, error %v: %s", c.ProcessState.ExitCode(), want, err, errs.String())
	}
}

// begin begins to count for a process, which is killed at some time unless kill is nil.
func (w *week) begin(kill func()) {
	for _, s := range w.sites {
		s.mutex.Lock()
		s.failed = false
		s.mutex.Unlock()
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.received, w.kill, w.killAt = nil, kill, moment(w.random.IntN(int(moments)))
	if w.killAfter = 1; w.killAt == momentRequest {
		w.killAfter += w.random.IntN(12)
	}
}

// read applies the events of a process. A line without its end was not delivered.
func (w *week) read(t *testing.T, out interface{ Read([]byte) (int, error) }) {
	t.Helper()
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var e watch.Event
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		w.apply(t, &e)
		w.at(momentDelivery)
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for i := range w.received {
		w.apply(t, &w.received[i])
	}
}

// apply applies an event, unless it was delivered before.
func (w *week) apply(t *testing.T, e *watch.Event) {
	t.Helper()
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	if earlier, repeated := w.ids[e.ID]; repeated {
		if earlier != string(text) {
			t.Fatalf("one ID for two events: %s and %s", earlier, text)
		}
		return
	}
	w.ids[e.ID] = string(text)
	if w.ticks[e.Site+e.Loc] {
		t.Fatalf("two events for one change: %s", text)
	}
	w.ticks[e.Site+e.Loc] = true
	i := slices.IndexFunc(w.sites, func(s *weekServer) bool { return s.server.URL+"/" == e.Site })
	pages, unclear := w.sites[i].listed(w.sites[i].sent)
	known := w.seen[e.Site]
	was, isKnown := known[e.Loc]
	is, isListed := pages[e.Loc]
	if unclear[e.Loc] {
		is.lastMod = e.LastMod // of one of the sitemaps
	}
	right := false
	switch e.Type {
	case watch.EventNew:
		right = !isKnown && isListed && e.LastMod == is.lastMod
	case watch.EventGone:
		right = isKnown && !isListed && e.LastMod == was.lastMod
	case watch.EventChanged:
		right = isKnown && isListed && e.LastMod == is.lastMod && slices.Equal(e.Fields, is.differences(was))
	}
	if !right {
		t.Fatalf("%s: known %v %+v, listed %v %+v", text, isKnown, was, isListed, is)
	}
	if delete(known, e.Loc); isListed {
		known[e.Loc] = is
	}
}

// hasFailed reports whether a site answered wrongly since the process began.
func (w *week) hasFailed() bool {
	return slices.ContainsFunc(w.sites, func(s *weekServer) bool {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		return s.failed
	})
}

// compare fails when what the events say is not what the sites list.
func (w *week) compare(t *testing.T, documents func(*weekServer) map[string]document) {
	t.Helper()
	for _, s := range w.sites {
		want, unclear := s.listed(documents(s))
		got := w.seen[s.server.URL+"/"]
		for loc, entry := range want {
			if known, listed := got[loc]; !listed || known != entry && !unclear[loc] {
				t.Fatalf("%s: the events say %v %+v, the sitemaps %+v", loc, listed, known, entry)
			}
		}
		for loc := range maps.Keys(got) {
			if _, listed := want[loc]; !listed {
				t.Fatalf("%s is not listed, and was not reported as gone", loc)
			}
		}
	}
}

// TestWatchWeek follows a blog, a static site and a newspaper through a week of edits, with
// processes that are killed at any moment. Every change of what the sites sent is delivered
// once, apart from repetitions with the same ID, and nothing else. In the end ten passes
// find what the dates of the blog hid.
func TestWatchWeek(t *testing.T) {
	weeks, hours := uint64(1), 12
	if os.Getenv("MAPA_TORTURE") != "" {
		weeks, hours = 40, 2
	}
	for seed := range weeks {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			testWeek(t, seed, hours)
		})
	}
}

func testWeek(t *testing.T, seed uint64, hours int) {
	random := rand.New(rand.NewPCG(seed, 7))
	w := &week{random: random, state: filepath.Join(t.TempDir(), "watch.sqlite"),
		seen: map[string]map[string]pageEntry{}, ids: map[string]string{}}
	w.webhook = httptest.NewServer(w)
	t.Cleanup(w.webhook.Close)
	for _, g := range []generator{newBlog(random), newStaticSite(random), newNewspaper(random)} {
		_, isStatic := g.(*staticSite)
		s := newWeekServer(t, g, isStatic)
		s.request = func() { w.at(momentRequest) }
		w.sites = append(w.sites, s)
		w.seen[s.server.URL+"/"] = map[string]pageEntry{}
	}
	kills := 0
	for hour := 0; hour < 7*24; hour += hours {
		w.ticks = map[string]bool{}
		for random.IntN(2) == 0 {
			w.pass(t, true)
			kills++
		}
		w.pass(t, false)
		w.compare(t, func(s *weekServer) map[string]document { return s.sent })
		for _, s := range w.sites {
			s.change(random, hours)
		}
	}
	t.Logf("%d events, %d kills", len(w.ids), kills)
	for range 10 {
		w.ticks = map[string]bool{}
		for _, s := range w.sites {
			s.mutex.Lock()
			s.faults = nil
			s.mutex.Unlock()
		}
		w.pass(t, false)
	}
	w.compare(t, func(s *weekServer) map[string]document { return s.documents() })
}

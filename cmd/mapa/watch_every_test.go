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
	"sync"
	"testing"

	"github.com/mapatools/mapa/watch"
)

// A rush is a static site that is built again while it is followed, and the webhook of its
// follower, which is killed again and again.
type rush struct {
	t      *testing.T
	site   *staticSite
	server *httptest.Server

	mutex   sync.Mutex
	random  *rand.Rand
	builds  int // that are left
	sent    []map[string]pageEntry
	last    map[string]pageEntry // of the last build
	seen    map[string]pageEntry // what the events say
	at      map[string]int       // by page, the build that its last event fits
	ids     map[string]string
	process *exec.Cmd
	kills   int
	idle    int // requests since the last build
	done    bool
}

// ServeHTTP serves the site, and takes events. Now and then it kills the follower: before
// it answers, or afterwards.
func (r *rush) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.process == nil || r.done { // of a process that was killed
		return
	}
	likely := 12
	if request.URL.Path == "/hook" {
		likely = 4
	}
	fate := r.random.IntN(likely)
	if fate == 0 {
		r.kill()
		return
	}
	switch request.URL.Path {
	case "/robots.txt":
		fmt.Fprint(w, "Sitemap: /sitemap.xml")
	case "/sitemap.xml":
		fmt.Fprint(w, r.site.built.text(r.server.URL))
		r.sent = append(r.sent, r.pages())
		if r.random.IntN(2) == 0 && r.builds > 0 {
			r.builds--
			r.site.edit(r.random, 1)
			r.last = r.pages()
		}
	case "/hook":
		var body struct{ Events []watch.Event }
		if err := json.NewDecoder(request.Body).Decode(&body); err != nil {
			return // it was killed
		}
		for i := range body.Events {
			r.apply(&body.Events[i])
		}
	}
	if r.builds == 0 {
		r.idle++
	}
	const enough = 500
	if r.done = r.builds == 0 && maps.Equal(r.seen, r.last) || r.idle > enough; r.done || fate == 1 {
		r.kill()
	}
}

// kill kills the follower. The caller holds r.mutex.
func (r *rush) kill() {
	_ = r.process.Process.Kill() // it may have ended
	r.process = nil
	r.kills++
}

// pages returns what the site lists.
func (r *rush) pages() map[string]pageEntry {
	pages := map[string]pageEntry{}
	for _, e := range r.site.built.entries {
		loc := e.loc
		if loc[0] == '/' {
			loc = r.server.URL + loc
		}
		pages[loc] = e.pageEntry
	}
	return pages
}

// apply applies an event. It must be true of a build that was sent, not before the one of
// the last event of its page.
func (r *rush) apply(e *watch.Event) {
	text, _ := json.Marshal(e) // it came as JSON
	if earlier, repeated := r.ids[e.ID]; repeated {
		if earlier != string(text) {
			r.t.Errorf("one ID for two events: %s and %s", earlier, text)
		}
		return
	}
	r.ids[e.ID] = string(text)
	_, isKnown := r.seen[e.Loc]
	if isKnown != (e.Type != watch.EventNew) {
		r.t.Errorf("known %v: %s", isKnown, text)
	}
	for i := r.at[e.Loc]; i < len(r.sent); i++ {
		entry, isListed := r.sent[i][e.Loc]
		if isListed == (e.Type == watch.EventGone) || isListed && entry.lastMod != e.LastMod {
			continue
		}
		r.at[e.Loc] = i
		if delete(r.seen, e.Loc); isListed {
			r.seen[e.Loc] = entry
		}
		return
	}
	r.t.Errorf("no build says so: %s", text)
}

// TestWatchEvery follows a site that is built again and again while it is read, by a
// process that continues until it is killed, and is started again. Every event is true,
// and in the end they give the last build.
func TestWatchEvery(t *testing.T) {
	sites, builds := uint64(1), 20
	if os.Getenv("MAPA_TORTURE") != "" {
		sites, builds = 20, 300
	}
	for seed := range sites {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 11))
			r := &rush{t: t, site: newStaticSite(random), random: random, builds: builds,
				seen: map[string]pageEntry{}, at: map[string]int{}, ids: map[string]string{}}
			r.server = httptest.NewServer(r)
			defer r.server.Close()
			r.last = r.pages()
			state := filepath.Join(t.TempDir(), "watch.sqlite")
			for !r.run(t, state) {
			}
			if !maps.Equal(r.seen, r.last) {
				t.Error("the events do not give the last build")
			}
			t.Logf("%d kills, %d events of %d answers", r.kills, len(r.ids), len(r.sent))
		})
	}
}

// run runs the follower until it is killed, and reports whether that was the last time.
func (r *rush) run(t *testing.T, state string) (done bool) {
	c := exec.Command(os.Args[0], "watch", r.server.URL+"/", "--state", state, "--rate", "0", "--every", "1ms",
		"--webhook", r.server.URL+"/hook")
	c.Env = append(os.Environ(), runVariable+"=1")
	r.mutex.Lock()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	r.process = c
	r.mutex.Unlock()
	err := c.Wait()
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.process != nil {
		t.Fatalf("it ended by itself: %v", err)
	}
	return r.done || t.Failed()
}

package watch_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/watch"
)

// A modelSite is a site whose sitemaps change at random, served with the faults of real
// servers. It remembers what it sent, which is what a watcher can know.
type modelSite struct {
	mutex    sync.Mutex
	random   *rand.Rand
	children []*modelChild
	next     int // number of the next page or child
	step     int

	indexIsHonest bool // else its lastmods never move
	indexMoves    bool // its lastmods move in every step
	inRobots      bool // robots.txt names the index; else it is at a usual path
	failing       int  // requests for children that fail in this step, at most
	failed        bool // one did
	broken        map[string]bool

	cancel   context.CancelFunc // called at the request with the number cancelAt
	cancelAt int
	requests int
}

type modelChild struct {
	name    string
	pages   map[string]int // versions by path
	order   []string
	changed int // the step
	version int // of the ETag
	// wrongUnchanged answers 304 although the child changed.
	wrongUnchanged bool
	zipped         bool
	sent           map[string]int // pages of the last answer with a body, nil before it
}

func newModelSite(seed uint64) *modelSite {
	m := &modelSite{random: rand.New(rand.NewPCG(seed, 1)), broken: map[string]bool{}}
	m.indexIsHonest = m.random.IntN(2) == 0
	m.indexMoves = m.random.IntN(4) == 0
	m.inRobots = m.random.IntN(2) == 0
	for range 1 + m.random.IntN(4) {
		m.addChild()
	}
	return m
}

func (m *modelSite) addChild() {
	m.next++
	c := &modelChild{name: fmt.Sprintf("/child-%d.xml", m.next), pages: map[string]int{}, changed: m.step,
		zipped: m.random.IntN(4) == 0, wrongUnchanged: m.random.IntN(6) == 0}
	for range m.random.IntN(40) {
		m.addPage(c)
	}
	m.children = append(m.children, c)
}

func (m *modelSite) addPage(c *modelChild) {
	m.next++
	page := fmt.Sprintf("/page-%d", m.next)
	c.pages[page] = m.step
	c.order = append(c.order, page)
}

// change makes the edits of one step.
func (m *modelSite) change() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.step++
	m.failed, m.failing, m.requests = false, 0, 0
	clear(m.broken)
	if m.random.IntN(5) == 0 {
		m.addChild()
	}
	if len(m.children) > 1 && m.random.IntN(8) == 0 {
		i := m.random.IntN(len(m.children))
		m.children = slices.Delete(m.children, i, i+1)
	}
	for _, c := range m.children {
		if m.random.IntN(3) == 0 {
			m.changeChild(c)
		}
		if m.random.IntN(12) == 0 {
			m.broken[c.name] = true
		}
	}
	if m.random.IntN(10) == 0 {
		m.inRobots = !m.inRobots
	}
}

func (m *modelSite) changeChild(c *modelChild) {
	for range m.random.IntN(5) {
		m.addPage(c)
	}
	for range m.random.IntN(4) {
		if len(c.order) == 0 {
			break
		}
		i := m.random.IntN(len(c.order))
		page := c.order[i]
		switch to := m.children[m.random.IntN(len(m.children))]; m.random.IntN(3) {
		case 0:
			c.pages[page] = m.step
		case 1:
			delete(c.pages, page)
			c.order = slices.Delete(c.order, i, i+1)
		case 2: // moves to another child
			version := c.pages[page]
			delete(c.pages, page)
			c.order = slices.Delete(c.order, i, i+1)
			to.pages[page] = version
			to.order = append(to.order, page)
			to.version++
			to.changed = m.step
		}
	}
	m.random.Shuffle(len(c.order), func(i, j int) { c.order[i], c.order[j] = c.order[j], c.order[i] })
	c.version++
	c.changed = m.step
}

func (m *modelSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.requests++
	if m.cancel != nil && m.requests == m.cancelAt {
		m.cancel()
	}
	host := "http://" + r.Host
	switch {
	case r.URL.Path == "/robots.txt":
		if m.inRobots {
			fmt.Fprintf(w, "Sitemap: %s/sitemap.xml\n", host)
		}
		return
	case r.URL.Path == "/sitemap.xml":
		m.serveIndex(w, host)
		return
	}
	for _, c := range m.children {
		if c.name == r.URL.Path {
			m.serveChild(w, r, c)
			return
		}
	}
	http.NotFound(w, r)
}

func (m *modelSite) serveIndex(w http.ResponseWriter, host string) {
	fmt.Fprint(w, `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for _, c := range m.children {
		moved := 0
		switch {
		case m.indexMoves:
			moved = m.step
		case m.indexIsHonest:
			moved = c.changed
		}
		fmt.Fprintf(w, "<sitemap><loc>%s%s</loc><lastmod>%s</lastmod></sitemap>", host, c.name, day(moved))
	}
	fmt.Fprint(w, "</sitemapindex>")
}

func day(n int) string { return fmt.Sprintf("2026-%02d-%02d", 1+n/28%12, 1+n%28) }

func (m *modelSite) serveChild(w http.ResponseWriter, r *http.Request, c *modelChild) {
	tag := fmt.Sprintf("%q", fmt.Sprint(c.version))
	if c.wrongUnchanged {
		tag = `"always"`
	}
	if m.broken[c.name] {
		m.failed = true
		if m.random.IntN(2) == 0 {
			http.Error(w, "broken", http.StatusInternalServerError)
			return
		}
		fmt.Fprintf(w, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://%s/cut</loc></url><url>`, r.Host)
		return
	}
	w.Header().Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	var body bytes.Buffer
	fmt.Fprint(&body, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for _, page := range c.order {
		fmt.Fprintf(&body, "<url><loc>http://%s%s</loc><lastmod>%s</lastmod></url>", r.Host, page, day(c.pages[page]))
	}
	fmt.Fprint(&body, "</urlset>")
	c.sent = maps.Clone(c.pages)
	if !c.zipped {
		w.Write(body.Bytes())
		return
	}
	zipper := gzip.NewWriter(w)
	zipper.Write(body.Bytes())
	zipper.Close()
}

// sent returns the pages that the site sent of the children that it lists, and those
// that it sent with two dates.
func (m *modelSite) sent() (pages map[string]string, unclear map[string]bool) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	pages, unclear = map[string]string{}, map[string]bool{}
	for _, c := range m.children {
		for page, version := range c.sent {
			if _, twice := pages[page]; twice {
				unclear[page] = true
			}
			pages[page] = day(version)
		}
	}
	return pages, unclear
}

// A failingStore loses changes, as a kill does.
type failingStore struct {
	watch.Store
	random *rand.Rand
	active bool
}

var errKilled = errors.New("killed")

func (s *failingStore) Update(ctx context.Context, site string, change func(watch.Tx) error) error {
	return s.Store.Update(ctx, site, func(tx watch.Tx) error {
		if err := change(tx); err != nil {
			return err
		}
		if s.active && s.random.IntN(3) == 0 {
			return errKilled
		}
		return nil
	})
}

// TestModel follows sites through random histories. The events, applied in their order
// with repeated IDs ignored, give the pages that the site sent at the last complete pass.
func TestModel(t *testing.T) {
	histories, steps := uint64(60), 15
	if os.Getenv("MAPA_TORTURE") != "" {
		histories, steps = 1000, 30
	}
	for seed := range histories {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			testHistory(t, seed, steps)
		})
	}
}

func testHistory(t *testing.T, seed uint64, steps int) {
	site := newModelSite(seed)
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	random := rand.New(rand.NewPCG(seed, 2))
	store := &failingStore{Store: &watch.MemoryStore{}, random: random}
	f := &follower{pages: map[string]string{}, ids: map[string]watch.Event{}, prefix: server.URL}
	for range steps {
		site.change()
		killed := random.IntN(4) == 0
		if killed {
			f.passes(t, store, site, server.URL, true)
		}
		if !f.passes(t, store, site, server.URL, false) {
			continue // not complete
		}
		want, unclear := site.sent()
		for page, date := range want {
			if got, listed := f.pages[page]; !listed || got != date && !unclear[page] {
				t.Fatalf("seed %d, step %d: %s is %q, %v, want %q", seed, site.step, page, got, listed, date)
			}
		}
		for page := range f.pages {
			if _, listed := want[page]; !listed {
				t.Fatalf("seed %d, step %d: %s is still there", seed, site.step, page)
			}
		}
	}
}

// A follower applies events.
type follower struct {
	pages  map[string]string
	ids    map[string]watch.Event
	prefix string
}

// passes makes one pass with a new watcher, and reports whether it was complete. A killed
// one loses changes of the store, or ends at a random request.
func (f *follower) passes(t *testing.T, store *failingStore, site *modelSite, url string, killed bool) bool {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	store.active = killed
	site.mutex.Lock()
	site.failed, site.requests, site.cancelAt, site.cancel = false, 0, 0, nil
	if killed {
		site.cancelAt, site.cancel = 1+store.random.IntN(8), cancel
	}
	site.mutex.Unlock()
	w, err := watch.New(store, &watch.Options{Sites: []string{url}, Access: access.Access{Rate: access.PerSecond(0)}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var failure error
	left := 0
	if killed {
		left = store.random.IntN(30)
	}
	for event, err := range w.Pass(ctx) {
		if err != nil {
			failure = err
			continue
		}
		f.apply(t, event)
		if left--; killed && left == 0 {
			break
		}
	}
	var document *watch.DocumentError
	switch {
	case killed:
		return false
	case failure == nil:
		return true
	case !errors.As(failure, &document):
		t.Fatal(failure)
	}
	site.mutex.Lock()
	defer site.mutex.Unlock()
	if !site.failed {
		t.Fatalf("nothing failed on the server, but the pass: %v", failure)
	}
	return false
}

func (f *follower) apply(t *testing.T, event watch.Event) {
	if earlier, repeated := f.ids[event.ID]; repeated {
		if fmt.Sprint(earlier) != fmt.Sprint(event) {
			t.Fatalf("one ID for two events: %+v and %+v", earlier, event)
		}
		return
	}
	f.ids[event.ID] = event
	page := strings.TrimPrefix(event.Loc, f.prefix)
	_, listed := f.pages[page]
	switch event.Type {
	case watch.EventNew:
		if listed {
			t.Fatalf("new again: %+v", event)
		}
		f.pages[page] = event.LastMod
	case watch.EventChanged:
		if !listed {
			t.Fatalf("changed, but not known: %+v", event)
		}
		if !slices.Equal(event.Fields, []string{"lastmod"}) {
			t.Fatalf("fields of %+v", event)
		}
		f.pages[page] = event.LastMod
	case watch.EventGone:
		if !listed {
			t.Fatalf("gone, but not known: %+v", event)
		}
		delete(f.pages, page)
	default:
		t.Fatalf("type of %+v", event)
	}
}

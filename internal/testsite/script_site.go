package testsite

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// ScriptOptions configure [NewScriptSite]. The same options make the same site.
type ScriptOptions struct {
	// Topics is the number of topics, at least 1. A sitemap must list 31 routes for each, and
	// [ScriptPages] others.
	Topics int
	// Delay is the shortest time before an answer of the API. The longest is twice that.
	Delay time.Duration
	// Lazy makes the application load the script of a view when it first shows it.
	Lazy bool
	// NotFoundRoute makes the application replace a missing route by /not-found, which the
	// server answers with status 404. Otherwise a missing route shows the same text in place.
	NotFoundRoute bool
	// Trouble adds to every page what fails or never ends on ordinary sites: a beacon and a
	// POST, a script that is missing, a request that the server answers with status 500, an
	// event stream, and a number that changes all the time. The home page then has few words.
	Trouble bool
	// App has the files of another application for the same API, with its shell in
	// index.html. Lazy then has no effect, and the application decides about missing routes.
	App fs.FS
}

// A ScriptSite is a single-page application: the server answers every path with the same
// shell, and scripts request the content of the route from an API. It is safe for concurrent use.
type ScriptSite struct {
	options ScriptOptions
	app     fs.FS
	shell   []byte
	pages   map[string]scriptPage // by route
	truth   []Route

	mu       sync.Mutex
	requests map[string]int
}

//go:embed script
var scriptFiles embed.FS

// trouble is the markup that the option of this name adds to the head of the shell. Its scripts run
// before those of the application, as trackers do. The number is in a footer: outside of the
// element that the application replaces, and no content of the page.
const trouble = `
<script async src="/missing.js"></script>
<script>
navigator.sendBeacon("/collect", "{}");
fetch("/collect", { method: "POST", body: "{}" }).catch(() => {});
fetch("/api/recommendations").then((response) => response.json()).catch(() => {});
new EventSource("/events");
addEventListener("DOMContentLoaded", () => {
  const footer = document.createElement("footer");
  let count = 0;
  setInterval(() => { footer.textContent = ++count; }, 250);
  document.body.append(footer);
});
</script>`

// eventPause is the time between two events of the event stream.
const eventPause = time.Second

// NewScriptSite returns the site for the options. It fails where App has no shell, and with Trouble
// where the shell has no head.
func NewScriptSite(o ScriptOptions) (*ScriptSite, error) {
	s := &ScriptSite{options: o, app: o.App, requests: map[string]int{}}
	if s.app == nil {
		var err error
		if s.app, err = fs.Sub(scriptFiles, "script"); err != nil {
			return nil, err
		}
	}
	shell, err := fs.ReadFile(s.app, "index.html")
	if err != nil {
		return nil, fmt.Errorf("the shell of the application: %w", err)
	}
	if o.Trouble {
		const head = "<head>"
		if !bytes.Contains(shell, []byte(head)) {
			return nil, errors.New("the shell of the application has no " + head)
		}
		shell = bytes.Replace(shell, []byte(head), []byte(head+trouble), 1)
	}
	entry := "/eager.js"
	if o.Lazy {
		entry = "/lazy.js"
	}
	attribute := ""
	if o.NotFoundRoute {
		attribute = " data-not-found-route"
	}
	s.shell = []byte(strings.NewReplacer("$ENTRY", entry, "$NOT_FOUND_ROUTE", attribute).Replace(string(shell)))
	s.pages, s.truth = scriptContent(o)
	return s, nil
}

// Truth returns the correct result for every route that a crawl finds.
func (s *ScriptSite) Truth() []Route { return slices.Clone(s.truth) }

// Requests returns how often each target was requested.
func (s *ScriptSite) Requests() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.requests)
}

// ServeHTTP implements [http.Handler].
func (s *ScriptSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests[r.RequestURI]++
	s.mu.Unlock()
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		http.Error(w, "only GET and HEAD are allowed", http.StatusMethodNotAllowed)
	case name == "robots.txt":
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, "User-agent: *\nDisallow:\n")
	case s.options.Trouble && name == "missing.js":
		http.NotFound(w, r)
	case s.options.Trouble && name == "api/recommendations":
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusInternalServerError)
		fmt.Fprint(w, `{"error":"the recommendations are broken"}`)
	case s.options.Trouble && name == "events":
		serveEvents(w, r)
	case strings.HasPrefix(name, "api/"):
		s.serveAPI(w, r)
	case name != "index.html" && s.hasFile(name):
		http.ServeFileFS(w, r, s.app, name)
	default:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if s.options.NotFoundRoute && name == notFoundRoute[1:] {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = w.Write(s.shell) // the client may have disconnected
	}
}

func (s *ScriptSite) hasFile(name string) bool {
	info, err := fs.Stat(s.app, name)
	return err == nil && !info.IsDir()
}

// serveAPI answers /api/pages/PATH.json?QUERY with the content of the route PATH?QUERY. The home
// page is named index.
func (s *ScriptSite) serveAPI(w http.ResponseWriter, r *http.Request) {
	if !s.waitForDelay(r) {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	route, isPage := strings.CutPrefix(r.URL.Path, "/api/pages")
	route, isJSON := strings.CutSuffix(route, ".json")
	if route == "/index" {
		route = "/"
	}
	if r.URL.RawQuery != "" {
		route += "?" + r.URL.RawQuery
	}
	page, known := s.pages[route]
	if !isPage || !isJSON || !known {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"error":"there is no such page"}`)
		return
	}
	_ = json.NewEncoder(w).Encode(page) // the client may have disconnected
}

// serveEvents sends an event now and then until the client leaves.
func serveEvents(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	pause := time.NewTicker(eventPause)
	defer pause.Stop()
	for n := 1; ; n++ {
		if _, err := fmt.Fprintf(w, "data: %d\n\n", n); err != nil {
			return
		}
		_ = http.NewResponseController(w).Flush() // a failure shows at the next event
		select {
		case <-r.Context().Done():
			return
		case <-pause.C:
		}
	}
}

// waitForDelay waits for the time that an answer takes, which is the same at every request. It
// reports whether the client is still there.
func (s *ScriptSite) waitForDelay(r *http.Request) bool {
	sum := fnv.New32a()
	fmt.Fprint(sum, r.RequestURI)
	select {
	case <-time.After(s.options.Delay + s.options.Delay*time.Duration(sum.Sum32()%1000)/1000):
		return true
	case <-r.Context().Done():
		return false
	}
}

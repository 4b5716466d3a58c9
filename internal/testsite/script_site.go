package testsite

import (
	"embed"
	"encoding/json"
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

// NewScriptSite returns the site for the options. It fails where App has no shell.
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

// waitForDelay waits for the time that an answer takes, which is the same at every request. It
// reports whether the client is still there.
func (s *ScriptSite) waitForDelay(r *http.Request) bool {
	sum := fnv.New32a()
	fmt.Fprint(sum, r.RequestURI)
	timer := time.NewTimer(s.options.Delay + s.options.Delay*time.Duration(sum.Sum32()%1000)/1000)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	}
}

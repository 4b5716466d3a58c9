package testsite

import (
	"fmt"
	"html"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// A Trap is one way in which a site can trap a crawler. Its URLs begin with its name
// as a folder: /calendar/ for the trap named "calendar".
type Trap struct {
	Name string
	// Start is the target that the home page links to.
	Start string
	// Pages are ordinary pages that a crawler must find in spite of the trap.
	Pages []string

	serve func(*TrapSite, http.ResponseWriter, *http.Request)
}

// traps are all traps, in the order of the links on the home page.
var traps = []Trap{
	{Name: "calendar", Start: "/calendar/2024/1", serve: calendar},
	{Name: "deep-links", Start: "/deep-links/", serve: deepLinks},
	{Name: "repeated-segments", Start: "/repeated-segments/a/b/", serve: repeatedSegments},
	{Name: "session-ids", Start: "/session-ids/", serve: sessionIDs},
	{Name: "facets", Start: "/facets/", serve: facets},
	{Name: "same-content", Start: "/same-content/1", serve: sameContent},
	{Name: "escape-growth", Start: "/escape-growth/a%20b?c&d", serve: escapeGrowth},
	{Name: "soft-404", Start: "/soft-404/", serve: softNotFound},
	{Name: "redirect-loop", Start: "/redirect-loop/a", serve: redirectLoop},
	{Name: "redirect-chain", Start: "/redirect-chain/1", serve: redirectChain},
	{Name: "hang", Start: "/hang/", serve: hang},
	{Name: "drip", Start: "/drip/", serve: drip},
	{Name: "endless-body", Start: "/endless-body/", serve: endlessBody},
	{Name: "huge-body", Start: "/huge-body/", serve: hugeBody},
	{Name: "gzip-bomb", Start: "/gzip-bomb/", serve: gzipBomb},
	{Name: "broken-encodings", Start: "/broken-encodings/", serve: brokenEncodings},
	{Name: "huge-header", Start: "/huge-header/", serve: hugeHeader},
	{Name: "dropped", Start: "/dropped/", Pages: []string{"/dropped/", "/dropped/once"}, serve: dropped},
	{Name: "busy", Start: "/busy/", serve: busy,
		Pages: []string{"/busy/", "/busy/429-seconds", "/busy/429-date", "/busy/503-seconds", "/busy/503-date"}},
	{Name: "lying-head", Start: "/lying-head/", Pages: []string{"/lying-head/"}, serve: lyingHead},
	{Name: "many-links", Start: "/many-links/", serve: manyLinks},
	{Name: "huge-href", Start: "/huge-href/", serve: hugeHref},
	{Name: "nested", Start: "/nested/", serve: nested},
}

// ordinary is the number of pages that are not traps.
const ordinary = 50

// A TrapSite is a website with traps and ordinary pages. It has an unlimited number
// of pages. It never sleeps: slow responses end with their request. Unknown URLs
// answer 200 with links to more of them. It is safe for concurrent use; each site has
// its own record of the pages that have recovered.
type TrapSite struct {
	byName   map[string]Trap
	ordinary map[string]int

	mu       sync.Mutex
	asked    map[string]int // by request target
	sessions int            // session IDs created
	missing  int            // unknown URLs created
}

// Traps returns a site with every trap.
func Traps() *TrapSite {
	s := &TrapSite{byName: map[string]Trap{}, ordinary: map[string]int{}, asked: map[string]int{}}
	for _, trap := range traps {
		s.byName[trap.Name] = trap
	}
	for i := range ordinary {
		s.ordinary[ordinaryPath(i)] = i
	}
	return s
}

// All returns the traps of the site.
func (s *TrapSite) All() []Trap { return slices.Clone(traps) }

// Pages returns the targets of all pages that a crawler must find: home, the
// ordinary ones, and those that answer in spite of a trap.
func (s *TrapSite) Pages() []string {
	pages := []string{"/"}
	for i := range ordinary {
		pages = append(pages, ordinaryPath(i))
	}
	for _, trap := range traps {
		pages = append(pages, trap.Pages...)
	}
	return pages
}

// Requests returns how often each trap was requested, by its name. Ordinary pages,
// robots.txt and unknown URLs have the empty name.
func (s *TrapSite) Requests() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	byName := map[string]int{}
	for target, n := range s.asked {
		name := folder(target)
		if _, known := s.byName[name]; !known {
			name = ""
		}
		byName[name] += n
	}
	return byName
}

// ServeHTTP implements [http.Handler].
func (s *TrapSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked[r.RequestURI]++
	s.mu.Unlock()
	if trap, found := s.byName[folder(r.URL.EscapedPath())]; found {
		trap.serve(s, w, r)
		return
	}
	if i, found := s.ordinary[r.RequestURI]; found {
		ordinaryPage(w, i)
		return
	}
	switch r.RequestURI {
	case "/":
		home(w)
	case "/robots.txt":
		w.Header().Set("Content-Type", "text/plain")
		_, _ = io.WriteString(w, "User-agent: *\nDisallow:\n")
	default:
		softNotFound(s, w, r)
	}
}

// folder returns the first segment of a path with several.
func folder(target string) string {
	name, _, deeper := strings.Cut(strings.TrimPrefix(target, "/"), "/")
	if !deeper {
		return ""
	}
	return name
}

func ordinaryPath(i int) string { return fmt.Sprintf("/page-%d.html", i) }

// home links to all traps and to the first ordinary pages, which link to the others.
func home(w http.ResponseWriter) {
	var links []string
	for i, trap := range traps {
		links = append(links, trap.Start, ordinaryPath(i%5))
	}
	write(w, "Home", "Welcome to the garden of forking paths.", links...)
}

// ordinaryPage links to one more page, so that the last are ten links from home.
func ordinaryPage(w http.ResponseWriter, i int) {
	links := []string{"/"}
	if next := i + 5; next < ordinary {
		links = append(links, ordinaryPath(next))
	}
	text := fmt.Sprintf("Page %d of the garden tells of path %d, bed %d and tree %d.", i, i*7919, i*104729, i*1299709)
	write(w, fmt.Sprint("Page ", i), text, links...)
}

// write answers with an HTML page; the text is HTML, the links are addresses.
func write(w http.ResponseWriter, title, text string, links ...string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	var b strings.Builder
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html><head><title>%s</title></head>\n<body>\n<h1>%s</h1>\n<p>%s</p>\n", title,
		title, text)
	for _, link := range links {
		fmt.Fprintf(&b, "<p><a href=\"%s\">more</a></p>\n", html.EscapeString(link))
	}
	b.WriteString("</body></html>\n")
	_, _ = io.WriteString(w, b.String())
}

// first reports whether this is the first request for its target.
func (s *TrapSite) first(r *http.Request) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[r.RequestURI] == 1
}

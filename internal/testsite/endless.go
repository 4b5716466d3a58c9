package testsite

import (
	"fmt"
	"html"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The traps of this file have an unlimited number of URLs, or loops.

// calendar has a page for every month, before and after; all pages differ.
func calendar(_ *TrapSite, w http.ResponseWriter, r *http.Request) {
	var year, month int
	if _, err := fmt.Sscanf(r.URL.Path, "/calendar/%d/%d", &year, &month); err != nil {
		http.NotFound(w, r)
		return
	}
	first := time.Date(year, time.Month(month), 1, 0, 0, 0, 0, time.UTC)
	var links []string
	for _, step := range []int{-12, -1, 1, 12} {
		links = append(links, first.AddDate(0, step, 0).Format("/calendar/2006/1"))
	}
	title := first.Format("January 2006")
	write(w, title, title+" begins on a "+first.Weekday().String()+". Nothing happens.", links...)
}

// deepLinks links relatively to a folder below itself.
func deepLinks(_ *TrapSite, w http.ResponseWriter, r *http.Request) {
	depth := strings.Count(r.URL.Path, "/")
	write(w, fmt.Sprint("Level ", depth), fmt.Sprintf("You are %d levels below the ground.", depth),
		fmt.Sprintf("level-%d/", depth))
}

// repeatedSegments has relative links that should be absolute.
func repeatedSegments(_ *TrapSite, w http.ResponseWriter, r *http.Request) {
	write(w, "A and B", fmt.Sprint("Folder number ", strings.Count(r.URL.Path, "/")), "a/b/", "b/")
}

// sessionIDs shows five items, with a new session ID in every link.
func sessionIDs(s *TrapSite, w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.sessions++
	id := s.sessions
	s.mu.Unlock()
	var links []string
	for item := range 5 {
		links = append(links,
			fmt.Sprintf("/session-ids/item-%d?PHPSESSID=%032x", item, id*5+item),
			fmt.Sprintf("/session-ids/item-%d;jsessionid=%032X", item, id*5+item))
	}
	name, _, _ := strings.Cut(r.URL.Path, ";")
	write(w, name, "What is for sale under "+name+".", links...)
}

// facets links to the same page with one more of eight filters with eight values, in
// any order.
func facets(_ *TrapSite, w http.ResponseWriter, r *http.Request) {
	query := r.URL.RawQuery
	if query != "" {
		query += "&"
	}
	var links []string
	for facet := range 8 {
		name := fmt.Sprint("filter", facet)
		if r.URL.Query().Has(name) {
			continue
		}
		for value := range 8 {
			links = append(links, fmt.Sprintf("/facets/?%s%s=%d", query, name, value))
		}
	}
	write(w, "Catalogue", fmt.Sprintf("There are %d goods for %s.", len(query), html.EscapeString(query)), links...)
}

// sameContent has the same content at every URL.
func sameContent(_ *TrapSite, w http.ResponseWriter, r *http.Request) {
	n, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/same-content/"))
	write(w, "Same", "It is the same wherever you go.", fmt.Sprint("/same-content/", n+1),
		fmt.Sprint("/same-content/", n+2))
}

// escapeGrowth escapes the escapes in its links again.
func escapeGrowth(_ *TrapSite, w http.ResponseWriter, r *http.Request) {
	path := strings.ReplaceAll(r.URL.EscapedPath(), "%", "%25")
	query := html.EscapeString(r.URL.RawQuery)
	write(w, "Escaped", fmt.Sprintf("This address has %d characters.", len(r.RequestURI)),
		path+"?c", r.URL.EscapedPath()+"?"+query)
}

// softNotFound answers 200 for missing pages, with further links.
func softNotFound(s *TrapSite, w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.missing++
	id := s.missing
	s.mu.Unlock()
	write(w, "Nothing here", "We are sorry, this page does not exist. Perhaps one of these does?",
		fmt.Sprintf("perhaps-%d.html", id), fmt.Sprintf("/soft-404/perhaps-%d/", id))
}

// redirectLoop redirects in a loop.
func redirectLoop(_ *TrapSite, w http.ResponseWriter, r *http.Request) {
	next := map[string]string{"/redirect-loop/a": "b", "/redirect-loop/b": "c"}[r.URL.Path]
	if next == "" {
		next = "a"
	}
	http.Redirect(w, r, "/redirect-loop/"+next, http.StatusFound)
}

// redirectChain redirects from number to number.
func redirectChain(_ *TrapSite, w http.ResponseWriter, r *http.Request) {
	n, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/redirect-chain/"))
	http.Redirect(w, r, fmt.Sprint("/redirect-chain/", n+1), http.StatusMovedPermanently)
}

package testsite

import (
	"fmt"
	"html"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The traps of this file lead to ever new addresses, or back to old ones.

// calendar has a page for every month before and after, none like the other.
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

// deepLinks links to a folder below itself, relatively.
func deepLinks(_ *TrapSite, w http.ResponseWriter, r *http.Request) {
	depth := strings.Count(r.URL.Path, "/")
	write(w, fmt.Sprint("Level ", depth), fmt.Sprintf("You are %d levels below the ground.", depth), fmt.Sprintf("level-%d/", depth))
}

// repeatedSegments links relatively to what should have been absolute.
func repeatedSegments(_ *TrapSite, w http.ResponseWriter, r *http.Request) {
	write(w, "A and B", fmt.Sprint("Folder number ", strings.Count(r.URL.Path, "/")), "a/b/", "b/")
}

// sessionIDs shows five items under a new session id in every link.
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

// facets offers to add one of eight filters with eight values to those chosen,
// in any order.
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

// sameContent says the same at every address.
func sameContent(_ *TrapSite, w http.ResponseWriter, r *http.Request) {
	n, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/same-content/"))
	write(w, "Same", "It is the same wherever you go.", fmt.Sprint("/same-content/", n+1), fmt.Sprint("/same-content/", n+2))
}

// escapeGrowth escapes in its links what is escaped already.
func escapeGrowth(_ *TrapSite, w http.ResponseWriter, r *http.Request) {
	path := strings.ReplaceAll(r.URL.EscapedPath(), "%", "%25")
	query := html.EscapeString(r.URL.RawQuery)
	write(w, "Escaped", fmt.Sprintf("This address has %d characters.", len(r.RequestURI)),
		path+"?c", r.URL.EscapedPath()+"?"+query)
}

// softNotFound says 200 where nothing is and leads on.
func softNotFound(s *TrapSite, w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.missing++
	id := s.missing
	s.mu.Unlock()
	write(w, "Nothing here", "We are sorry, this page does not exist. Perhaps one of these does?",
		fmt.Sprintf("perhaps-%d.html", id), fmt.Sprintf("/soft-404/perhaps-%d/", id))
}

// redirectLoop goes round in a circle.
func redirectLoop(_ *TrapSite, w http.ResponseWriter, r *http.Request) {
	next := map[string]string{"/redirect-loop/a": "b", "/redirect-loop/b": "c"}[r.URL.Path]
	if next == "" {
		next = "a"
	}
	http.Redirect(w, r, "/redirect-loop/"+next, http.StatusFound)
}

// redirectChain leads from number to number.
func redirectChain(_ *TrapSite, w http.ResponseWriter, r *http.Request) {
	n, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/redirect-chain/"))
	http.Redirect(w, r, fmt.Sprint("/redirect-chain/", n+1), http.StatusMovedPermanently)
}

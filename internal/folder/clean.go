package folder

import (
	"bytes"
	"net/url"
	"strings"

	"github.com/mapatools/mapa/internal/extract"
)

const (
	// enoughCleanLinks is how many paths such as /about, linked to for about.html, show that
	// the host serves it there. Fewer may be mistakes of the site.
	enoughCleanLinks = 3
	// maxCleanPages is how many pages are searched for them.
	maxCleanPages = 100
)

// needsCleanURLs reports whether pages link to others without their .html, where nothing else
// is. It reads the home page and the first others, so that the order of a crawl does not count.
func (s *Site) needsCleanURLs() bool {
	isClean, clean, pages := map[string]bool{}, 0, 0
	count := func(h *head) bool {
		s.eachPathTo(h, func(to string) {
			if _, known := isClean[to]; !known && clean < enoughCleanLinks {
				if isClean[to] = s.isServedClean(to); isClean[to] {
					clean++
				}
			}
		})
		pages++
		return clean == enoughCleanLinks || pages > maxCleanPages
	}
	s.readHead(s.indexIn(""), func(h *head) { count(h) })
	s.anyHead(count)
	return clean == enoughCleanLinks
}

// linksWithIndex reports whether more links between the pages lead to x/index.html than to x/. Those
// to the home page, whose URL is given, do not count.
func (s *Site) linksWithIndex() bool {
	if !s.anyHead(func(h *head) bool { return bytes.Contains(h.text, []byte("index.htm")) }) {
		return false // most sites: nothing is to be counted
	}
	more, forms := 0, map[string]int{}
	s.anyHead(func(h *head) bool {
		s.eachPathTo(h, func(to string) {
			form, known := forms[to]
			if !known {
				form = s.formOf(to)
				forms[to] = form
			}
			more += form
		})
		return false
	})
	return more > 0
}

// anyHead reports whether the beginning of one of the HTML files is what is asked for.
func (s *Site) anyHead(is func(*head) bool) (found bool) {
	for name, err := range s.htmlFiles() {
		if err != nil || found {
			break
		}
		s.readHead(name, func(h *head) { found = is(h) })
	}
	return found
}

// formOf returns 1 for the path of a file that is served for a folder, -1 for that of the folder, and
// 0 for other paths.
func (s *Site) formOf(requested string) int {
	inner, found := strings.CutPrefix(requested, s.path)
	switch {
	case !found || !isClean(inner) || inner == s.indexIn(""):
	case s.isIndex(inner):
		return 1
	case inner != "" && s.indexIn(strings.TrimSuffix(inner, "/")+"/") != "":
		return -1
	}
	return 0
}

// eachPathTo calls each with the paths that an HTML file links to.
func (s *Site) eachPathTo(h *head, each func(to string)) {
	page := h.scan(h.text)
	base := s.baseOf(h.name, page)
	for i := range page.Links {
		link := &page.Links[i]
		if link.Kind != extract.KindAnchor || len(link.URL) == 0 || link.URL[0] == '#' {
			continue
		}
		if to, err := url.PathUnescape(s.pathTo(base, link.URL)); err == nil && to != "" {
			each(to)
		}
	}
}

// isServedClean reports whether only a host with clean URLs has something at a path.
func (s *Site) isServedClean(requested string) bool {
	inner, found := strings.CutPrefix(requested, s.path)
	if !found || inner == "" || strings.HasSuffix(inner, "/") || !isClean(inner) || !s.isFile(inner+".html") {
		return false
	}
	if name, redirect := s.find(requested); name != "" || redirect != "" {
		return false
	}
	rule, _ := s.redirect(requested, false)
	return rule == nil
}

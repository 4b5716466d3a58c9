package folder

import (
	"net/url"
	"path"
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
	count := func(name string) {
		s.eachPathTo(name, func(to string) {
			if _, known := isClean[to]; !known && clean < enoughCleanLinks {
				if isClean[to] = s.isServedClean(to); isClean[to] {
					clean++
				}
			}
		})
		pages++
	}
	count(indexName)
	for name, err := range s.htmlFiles() {
		if err != nil || clean == enoughCleanLinks || pages > maxCleanPages {
			break
		}
		count(name)
	}
	return clean == enoughCleanLinks
}

// eachPathTo calls each with the paths without an ending that an HTML file links to.
func (s *Site) eachPathTo(name string, each func(to string)) {
	s.readHead(name, func(h *head) {
		page := h.scan(h.text)
		for i := range page.Links {
			link := &page.Links[i]
			if link.Kind != extract.KindAnchor || strings.Contains(path.Base(string(link.URL)), ".") {
				continue
			}
			if to, err := url.PathUnescape(s.pathTo(name, page, link.URL)); err == nil {
				each(to)
			}
		}
	})
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

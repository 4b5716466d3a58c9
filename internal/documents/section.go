package documents

import (
	"maps"
	"slices"
	"strings"
)

// A section has the links of a site that lead nowhere for one reason if a program makes what they lead to: the paths
// from the root with one first part, the relative ones of pages, or the anchors.
type section struct {
	site, first string
	isPage      bool
	isKnown     bool // the pages of the site have the paths of their files
	isAnchor    bool
}

// sectionOf returns the section of a path in a document, or none if a path that leads to no file is broken whatever
// others do.
func (w *rewriter) sectionOf(name string) section {
	in := section{site: w.site, isPage: isPagePath(name), isKnown: w.programs&knownPrograms != 0}
	isRoot := strings.HasPrefix(name, "/")
	if !w.source.generated || kindOf(name) == kindMarkdown || !isRoot && (in.isKnown || !in.isPage) {
		return section{}
	}
	if isRoot {
		in.first = "/"
		if first, _, isLonger := strings.Cut(strings.Trim(name, "/"), "/"); isLonger {
			in.first += first
		}
	}
	return in
}

// paths has the paths of a section, each once: many links may lead to a page that is gone.
type paths struct{ right, wrong map[string]bool }

const (
	maxSections = 10_000
	maxPaths    = 10_000 // of a section that are right, or wrong
)

// addPath adds a path to its section.
func (s *Set) addPath(in section, name string, isRight bool) {
	if in == (section{}) {
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	p := s.sections[in]
	if p == nil {
		if len(s.sections) >= maxSections {
			return
		}
		p = &paths{map[string]bool{}, map[string]bool{}}
		s.sections[in] = p
	}
	of := p.wrong
	if isRight {
		of = p.right
	}
	if len(of) < maxPaths {
		of[name] = true
	}
}

// minOthers is how many other paths in a section lead to a file at least, and minRight how many of a hundred, if one
// that does not is broken in the site of a program that Mapa does not know.
const minOthers, minRight = 3, 90

// isTrusted reports whether the others in a section show that a link that leads nowhere is broken, if the pages of the
// site have the paths of their files, or not. Code of a program that Mapa does not know may make each page in the root.
func (p *paths) isTrusted(in section, hasPaths bool) bool {
	right, wrong := len(p.right), max(0, len(p.wrong)-1)
	switch {
	case in.isAnchor:
		return wrong < minForm || right >= wrong
	case in.isKnown:
		return right >= wrong && (right > 0 || !in.isPage)
	}
	return hasPaths && in.first != "/" && right >= minOthers && right*100 >= (right+wrong)*minRight
}

// trustedLocked returns the sections in which a path that leads to no file is broken.
func (s *Set) trustedLocked() map[section]bool {
	right, all, trusted := map[string]int{}, map[string]int{}, map[section]bool{}
	for in, p := range s.sections {
		if in.isPage {
			right[in.site] += len(p.right)
			all[in.site] += len(p.right) + len(p.wrong)
		}
	}
	for in, p := range s.sections {
		trusted[in] = p.isTrusted(in, right[in.site]*100 >= all[in.site]*minRight)
	}
	trusted[section{}] = true
	return trusted
}

// settleLocked leaves those links undecided that only the other paths of their sections could show to be broken, and
// do not. It is called when all documents were read.
func (s *Set) settleLocked() {
	trusted := s.trustedLocked()
	isNear, searches := map[string]bool{}, 0
	for _, at := range slices.SortedFunc(maps.Keys(s.counts), comparePart) {
		c := s.counts[at]
		for _, line := range slices.Sorted(maps.Keys(c.wrong)) {
			l := c.wrong[line]
			if trusted[l.section] {
				continue
			}
			near, known := isNear[l.file]
			reason := Elsewhere
			switch {
			case l.section.isAnchor:
				near, reason = l.isNear, Components
			case !known && searches < maxSearches:
				searches++
				near = s.indexOf().isNear(strings.Trim(l.file, "/"))
				isNear[l.file] = near
			}
			if !near {
				delete(c.wrong, line)
				c.open[line] = true
				c.leave(reason)
			}
		}
	}
}

package documents

import (
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
)

// A section has the links of a site that lead nowhere for one reason if a program makes what they lead to: the paths
// from the root with one first part, the relative ones of pages, those of a folder, the anchors that are written in one
// way, or those of a page.
type section struct {
	site, first string // or a page with anchors
	kind        string // one of those below, or how an anchor is written; empty for paths with one first part
	isPage      bool
	isKnown     bool // Mapa knows the program
}

// These kinds are small sections.
const (
	folderPaths = "folder"
	pageAnchors = "page"
	placeNames  = "label"
)

// sectionOf returns the section of a path in a document, or none if a path that leads to no file is broken whatever
// others do.
func (w *rewriter) sectionOf(name string) section {
	if w.isReference(name) && labelName.MatchString(name) {
		return w.labelSection(name)
	}
	in := section{site: w.site, isPage: isPagePath(name), isKnown: w.programs&knownPrograms != 0}
	isRoot := strings.HasPrefix(name, "/")
	if !w.source.generated || kindOf(name) == kindMarkdown || !isRoot && (in.isKnown || !in.isPage) ||
		lostPage.MatchString(name) {
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

// sectionsOf returns the sections of an anchor: those of its site, or of the documents in a folder, that are written in
// one way, and those of its page.
func (w *rewriter) sectionsOf(d *document, file, fragment string) (written, ofPage section) {
	fragment = unescape(fragment)
	isKnown := w.programs&knownPrograms != 0 || !w.source.generated
	written = section{site: w.site, kind: d.formOf(fragment), isKnown: isKnown}
	if keepsLetters := w.programs&(docusaurus|exact|astro|docsify) != 0 || !w.source.generated; keepsLetters &&
		written.kind == transliteration {
		written.kind = "words"
	}
	if written.kind == transliteration && w.set.isInOriginal(file, strings.ToLower(fragment)) {
		return section{}, section{} // of the text before it was translated
	}
	if !w.source.generated {
		written.site = "."
		written.first = firstOf(path.Dir(w.name))
		plain := strings.ToLower(fragment)
		hasMarks := strings.Contains(plain, "--") || written.kind == otherLetters || written.kind == "signs"
		if d.hasName(plain) && (hasMarks || !d.hasAnchor(plain)) {
			written.kind = punctuation
		}
	}
	hasOthers := len(d.anchors) > 1 || !w.source.generated // or a program may write the page
	return written, section{site: file, kind: pageAnchors, isKnown: isKnown && hasOthers}
}

// punctuation is the kind of anchors with marks or accents, which programs write in different ways.
const punctuation = "punctuation"

// otherLetters is the kind of anchors in another alphabet, and transliteration that of missing ones in Latin letters on
// a page with headings in another alphabet, or with emoji.
const otherLetters, transliteration = "letters", "transliteration"

// formOf returns how an anchor of a document is written, as far as programs differ in it.
func (d *document) formOf(fragment string) string {
	isOther := func(r rune) bool { return r > unicode.MaxASCII }
	isSign := func(r rune) bool { return r != '-' && !unicode.IsLower(r) && !unicode.IsDigit(r) }
	switch {
	case strings.ContainsFunc(fragment, isOther):
		return otherLetters
	case strings.ToLower(fragment) != fragment:
		return "capitals"
	case strings.ContainsFunc(fragment, isSign):
		return "signs"
	case d.isForeign() && !d.hasName(fragment):
		return transliteration // perhaps, or an ID that no heading shows
	}
	return "words"
}

// paths has the paths of a section, each once: many links may lead to a page that is gone.
type paths struct {
	right, wrong map[string]bool
	pages        int // in the folder
}

const (
	maxSections = 10_000
	maxPaths    = 10_000 // of a section that are right, or wrong
)

// addPath adds a path to its section, and how many pages are in its folder.
func (s *Set) addPath(in section, name string, isRight bool, pages int) {
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
		p = &paths{right: map[string]bool{}, wrong: map[string]bool{}}
		s.sections[in] = p
	}
	p.pages = max(p.pages, pages)
	of := p.wrong
	if isRight {
		of = p.right
	}
	if len(of) < maxPaths {
		of[name] = true
	}
}

// maxFew is how many other anchors of a section are missing at most if one is broken without any that is right, and
// minRate is how many are right for each of these, if there are more. maxKnown is for those of a program that Mapa
// knows, where one is enough.
const maxFew, maxKnown, minRate = 2, 20, 3

// minOthers is how many other paths in a folder lead to a file at least, or pages are there, and minFolder is how many
// are for each path that does not, if one more is broken.
const minOthers, minFolder = 3, 5

// isTrusted reports whether the others in a section show that a link that leads nowhere is broken. Code of a program
// that Mapa does not know may make each page in the root.
func (p *paths) isTrusted(in section) bool {
	right, wrong := len(p.right), max(0, len(p.wrong)-1)
	switch {
	case in.kind == pageAnchors:
		return wrong <= maxFew || in.isKnown || right > 0
	case in.kind == folderPaths:
		right = max(right, p.pages)
		return in.first != "/" && right >= max(minOthers, minFolder*wrong)
	case in.kind == punctuation, in.kind == placeNames:
		return wrong <= maxFew || right >= wrong
	case in.kind != "" && !in.isKnown:
		return wrong <= maxFew || right >= minRate*wrong
	case in.kind != "":
		return p.areMost()
	}
	return in.isKnown && right >= wrong && (right > 0 || !in.isPage)
}

// areMost reports whether few others are missing, or not more than are right.
func (p *paths) areMost() bool {
	wrong := len(p.wrong) - 1
	return wrong < maxKnown || len(p.right) >= wrong
}

// trustedLocked returns the sections in which a path that leads to no file is broken.
func (s *Set) trustedLocked() map[section]bool {
	trusted := map[section]bool{{}: true}
	alone := 0 // anchors with marks in sections with few of them, and none that is right
	for in, p := range s.sections {
		if in.kind == punctuation && len(p.right) == 0 && p.isTrusted(in) {
			alone += len(p.wrong)
		}
	}
	for in, p := range s.sections {
		trusted[in] = p.isTrusted(in) && (in.kind != punctuation || len(p.right) > 0 || alone-1 <= maxFew)
		if in.kind == transliteration { // or the program keeps the letters
			other := in
			other.kind = otherLetters
			kept := s.sections[other]
			trusted[in] = len(p.wrong)-1 <= maxFew || kept != nil && len(kept.right) >= len(p.wrong)
		}
	}
	return trusted
}

// isTrusted reports whether the others of its sections show that a link that leads nowhere is broken.
func (l *wrongLink) isTrusted(trusted map[section]bool) bool {
	if l.anchor != "" {
		return trusted[l.section] && trusted[l.inner]
	}
	return !l.isDoubtful && trusted[l.section] || trusted[l.inner]
}

// settleLocked leaves those links undecided that only the others of their sections could show to be broken, and do not.
// It is called when all documents were read.
func (s *Set) settleLocked() {
	trusted := s.trustedLocked()
	isNear, searches := map[string]bool{}, 0
	for _, at := range slices.SortedFunc(maps.Keys(s.counts), comparePart) {
		c := s.counts[at]
		for _, place := range slices.SortedFunc(maps.Keys(c.wrong), comparePlace) {
			l := c.wrong[place]
			if l.isTrusted(trusted) {
				continue
			}
			near, known := isNear[l.file]
			reason := Elsewhere
			switch {
			case l.anchor != "":
				p := s.sections[l.section]
				near, reason = l.isNear && (p == nil || p.areMost()), Components
			case !known && searches < maxSearches:
				searches++
				near = s.indexOf().isNear(strings.Trim(l.file, "/"))
				isNear[l.file] = near
			}
			if !near {
				delete(c.wrong, place)
				c.open[place] = true
				if l.section.kind != punctuation { // else it is right, as the program of the folder writes it
					c.leave(reason)
				}
			}
		}
	}
}

package documents

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
)

// A Reason says why a link is neither right nor broken.
type Reason string

// The reasons.
const (
	Templates  Reason = "templates"  // places for values, or HTML that is a part of pages
	Components Reason = "components" // an anchor that a component, an include or another file may add
	Elsewhere  Reason = "elsewhere"  // a page of a part of the site that is not among the files
	Code       Reason = "code"       // the name of an item of code, not of a file
	// These are not of links, but of documents.
	Tests  Reason = "tests"  // they are of tests and other projects, and not read
	Markup Reason = "markup" // they have links to files that nobody reads, apart from URLs

	// doubtful is that of a link that is Elsewhere unless others in its folder show that it is broken.
	doubtful Reason = "doubtful"
)

// Undecided is how many links were not decided for a reason, or how many documents were left out for it.
type Undecided struct {
	Reason Reason
	Links  int
}

// counts has what is known of the links of a part of a document.
type counts struct {
	left  map[Reason]int
	notes []Note
	wrong map[place]*wrongLink // by their places in the page
	open  map[place]bool       // the places of links that are not decided, but which the page has
}

func newCounts() *counts {
	return &counts{left: map[Reason]int{}, wrong: map[place]*wrongLink{}, open: map[place]bool{}}
}

func (c *counts) leave(r Reason) { c.left[r]++ }

// maxWrong is how many links to nothing are kept of a part of a document.
const maxWrong = 10_000

// decide counts a link to a path. It is doubtful if only others can show that it is broken.
func (c *counts) decide(w *rewriter, name string, found target, isDoubtful bool) {
	l := wrongLink{target: unescape(name), document: w.name, file: w.fileOf(name), isMade: w.source.generated}
	l.section, l.isDoubtful = w.sectionOf(name), isDoubtful
	if w.source.generated {
		l.inner = section{site: w.site, kind: folderPaths, first: path.Dir(l.file), isPage: isPagePath(name)}
	}
	key := l.file
	if l.section.kind == placeNames {
		l.inner, key = l.section, name
	}
	isRight := found.file != "" || found.moved
	pages := 0
	if !isRight && l.inner.isPage {
		pages = w.siblings(l.target)
	}
	w.set.addPath(l.section, key, isRight, 0)
	isInFolder := strings.HasSuffix("/"+plainName(found.file), "/"+plainName(lastTwo(l.file)))
	if l.inner != l.section && (!isRight || isInFolder) {
		w.set.addPath(l.inner, l.file, isRight, pages) // the folder has no page that is only led from there
	}
	c.count(w, &l, isRight, found.isGuess)
}

// lastTwo returns the last two parts of a path.
func lastTwo(name string) string { return path.Join(path.Base(path.Dir(name)), path.Base(name)) }

// fileOf returns the file that a path names, from the root of the site with a slash before it.
func (w *rewriter) fileOf(name string) string {
	if name = unescape(name); strings.HasPrefix(name, "/") {
		return path.Clean(name)
	}
	return path.Join(path.Dir(w.name), name)
}

// decideAnchor counts a link to an anchor of Markdown.
func (c *counts) decideAnchor(w *rewriter, file, anchor string, isRight bool) {
	d := w.set.target(file)
	l := wrongLink{target: file, document: w.name, anchor: anchor, file: file + "#" + anchor, isMade: w.source.generated}
	l.isNear = !isRight && d.isNearName(strings.ToLower(unescape(anchor)))
	l.section, l.inner = w.sectionsOf(d, file, anchor)
	if !l.isNear {
		w.set.addPath(l.section, l.file, isRight, 0)
		w.set.addPath(l.inner, l.file, isRight, 0)
	}
	c.count(w, &l, isRight, false)
}

// count counts a link that is decided.
func (c *counts) count(w *rewriter, l *wrongLink, isRight, isGuess bool) {
	switch {
	case !isRight && len(c.wrong) < maxWrong:
		c.wrong[w.at] = l
	case isRight && !isGuess:
		w.set.addRight(l)
	}
}

// A wrongLink is a link that leads to no file, or to no anchor of one.
type wrongLink struct {
	target, document string // the target is as it is written, or the file with the anchor
	anchor           string // or empty
	file             string // that it names, from the root of the site with a slash before it, with the anchor
	part             partName
	at               place   // in the page of the part
	section, inner   section // that has the link, and a smaller one in this: a page or a folder
	isMade           bool    // the document is the source of a page
	isNear           bool    // it is a misspelled one
	isDoubtful       bool    // the path may be that of a page that is not among the files
	in               int     // the number of the misunderstanding that is reported in place of the link, from 1
}

// Undecided returns how many links were not decided, by reason. It is called when all documents were read.
func (s *Set) Undecided() (all []Undecided) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.settleLocked()
	total := map[Reason]int{}
	for _, c := range s.counts {
		for reason, n := range c.left {
			total[reason] += n
		}
	}
	for reason, documents := range s.left {
		if len(documents) > 0 {
			total[reason] = len(documents)
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(total)) {
		all = append(all, Undecided{reason, total[reason]})
	}
	return all
}

func comparePart(a, b partName) int {
	return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.number, b.number))
}

func comparePlace(a, b place) int {
	return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.column, b.column))
}

// IsUndecided reports whether a link of the page of a document that leads to no file is not decided. It is known after
// [Set.Undecided].
func (s *Set) IsUndecided(escaped string, line, column int) bool {
	name, part, _ := s.inner(escaped)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	c := s.counts[partName{name, part}]
	return c != nil && c.open[placeOf(line, column)]
}

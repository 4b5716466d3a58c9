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
	Tests      Reason = "tests"      // material of tests, or a file of another project
)

// Undecided is how many links were not decided for a reason.
type Undecided struct {
	Reason Reason
	Links  int
}

// counts has what is known of the links of a part of a document.
type counts struct {
	left  map[Reason]int
	notes []Note
	right map[form]bool     // with a link that leads to a file
	wrong map[int]wrongLink // of links that lead to none, by their lines in the page
}

// A form is a way to write links, in the files of a folder.
type form struct{ folder, kind string }

func newCounts() *counts {
	return &counts{left: map[Reason]int{}, right: map[form]bool{}, wrong: map[int]wrongLink{}}
}

func (c *counts) leave(r Reason) { c.left[r]++ }

// maxWrong is how many links to nothing are kept of a part of a document.
const maxWrong = 10_000

// decide counts a link to a path that is decided.
func (c *counts) decide(w *rewriter, name string, isRight bool) {
	of := form{path.Dir(w.name), formOf(name)}
	if isRight {
		c.right[of] = true
	} else if len(c.wrong) < maxWrong {
		c.wrong[w.line] = wrongLink{of, name}
	}
}

// A wrongLink is a link that leads to no file.
type wrongLink struct {
	form
	target string
}

// folders returns the form of the link, in each folder that it is in.
func (l *wrongLink) folders() (all []form) {
	for folder := l.folder; ; folder = path.Dir(folder) {
		all = append(all, form{folder, l.kind})
		if folder == "." {
			return all
		}
	}
}

// word returns the target of the link as a form, if it may be a word with a meaning of its own, such as [page](g).
func (l *wrongLink) word() (of form) {
	if l.kind == "bare" && !strings.Contains(l.target, "/") {
		of = form{".", "word " + l.target}
	}
	return of
}

// has reports whether the link has a form.
func (l *wrongLink) has(of form) bool { return l.word() == of || slices.Contains(l.folders(), of) }

// formOf returns how a path is written.
func formOf(name string) string {
	switch {
	case alias.MatchString(name):
		return "alias"
	case strings.HasPrefix(name, "/"):
		return "root"
	case path.Ext(name) == "":
		return "bare"
	case kindOf(name) == kindHTML:
		return "html"
	}
	return "file"
}

// Undecided returns how many links were not decided, by reason.
func (s *Set) Undecided() (all []Undecided) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	total := map[Reason]int{}
	for _, c := range s.counts {
		for reason, n := range c.left {
			total[reason] += n
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(total)) {
		all = append(all, Undecided{reason, total[reason]})
	}
	return all
}

// A Form is a way to write links that leads nowhere in all files of a site: it is not the links that are wrong, but
// what Mapa takes them for.
type Form struct {
	Kind   string // root, alias, bare, html, file, or word for a target that is always the same one
	Word   string // the target
	Folder string
	Links  int
	First  []Place // three at most
}

// A Place is a link in the page of a document.
type Place struct {
	Path string // of the document, escaped for URLs
	Line int
}

const (
	// minForm is how many links of a form all have to lead nowhere, and maxFirst how many are named.
	minForm, maxFirst = 20, 3
)

// Misunderstood returns the forms with at least 20 decided links in a folder that all lead nowhere. It does not change
// after all documents were read.
func (s *Set) Misunderstood() (all []Form) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	links := map[form]int{}
	for _, c := range s.counts {
		for _, l := range c.wrong {
			if word := l.word(); word.kind != "" {
				links[word]++
			}
		}
	}
	for _, c := range s.counts {
		for _, l := range c.wrong {
			if word := l.word(); links[word] >= minForm {
				continue
			}
			for _, of := range l.folders() {
				links[of]++
			}
		}
	}
	for _, c := range s.counts {
		for of := range c.right {
			for _, of := range (&wrongLink{form: of}).folders() {
				delete(links, of)
			}
		}
	}
	s.forms = map[form]bool{}
	for of, n := range links {
		if n >= minForm && (of.folder == "." || links[form{path.Dir(of.folder), of.kind}] == 0) {
			s.forms[of] = true // of folders in each other the outermost
		}
	}
	for of := range s.forms {
		kind, word, _ := strings.Cut(of.kind, " ")
		folder := of.folder
		if folder == "." {
			folder = s.top()
		}
		all = append(all, Form{
			Kind: kind, Word: word, Folder: s.shown(folder), Links: links[of], First: s.firstLocked(of),
		})
	}
	slices.SortFunc(all, func(a, b Form) int {
		return cmp.Or(cmp.Compare(a.Folder, b.Folder), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Word, b.Word))
	})
	return all
}

// firstLocked returns the first places with links of a form.
func (s *Set) firstLocked(of form) (first []Place) {
	parts := slices.SortedFunc(maps.Keys(s.counts), func(a, b partName) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.number, b.number))
	})
	for _, at := range parts {
		for _, line := range slices.Sorted(maps.Keys(s.counts[at].wrong)) {
			if len(first) == maxFirst {
				return first
			}
			if l := s.counts[at].wrong[line]; l.has(of) {
				first = append(first, Place{s.pathOf(at.name) + partQuery(at.number), line})
			}
		}
	}
	return first
}

// IsMisunderstood reports whether a link of the page of a document has a form that [Set.Misunderstood] returned.
func (s *Set) IsMisunderstood(escaped string, line int) bool {
	name, number, _ := s.inner(escaped)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	c := s.counts[partName{name, number}]
	if c == nil {
		return false
	}
	l, isWrong := c.wrong[line]
	return isWrong && (s.forms[l.word()] || slices.ContainsFunc(l.folders(), func(of form) bool { return s.forms[of] }))
}

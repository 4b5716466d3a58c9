package documents

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
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

	// doubtful is that of a link that is Elsewhere unless others in its folder show that it is broken.
	doubtful Reason = "doubtful"
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
	right map[group]int
	wrong map[int]*wrongLink // by their lines in the page
	open  map[int]bool       // the lines of links that other links leave undecided
}

// A group has the links that may be wrong for the same reason.
type group struct{ kind, name string }

func newCounts() *counts {
	return &counts{left: map[Reason]int{}, right: map[group]int{}, wrong: map[int]*wrongLink{},
		open: map[int]bool{}}
}

func (c *counts) leave(r Reason) { c.left[r]++ }

// maxWrong is how many links to nothing are kept of a part of a document.
const maxWrong = 10_000

// decide counts a link to a path. It is doubtful if only others can show that it is broken.
func (c *counts) decide(w *rewriter, name string, found target, isDoubtful bool) {
	l := wrongLink{form: formOf(name), target: unescape(name), document: w.name, file: w.fileOf(name)}
	l.section, l.isDoubtful = w.sectionOf(name), isDoubtful
	if w.source.generated {
		l.inner = section{site: w.site, kind: folderPaths, first: path.Dir(l.file), isPage: isPagePath(name)}
	}
	isRight := found.file != "" || found.moved
	pages := 0
	if !isRight && l.inner.isPage {
		pages = w.siblings(l.target)
	}
	w.set.addPath(l.section, l.file, isRight, 0)
	w.set.addPath(l.inner, l.file, isRight, pages)
	c.count(w.line, &l, isRight, found.isGuess)
}

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
	l := wrongLink{target: file, document: w.name, anchor: anchor, file: file + "#" + anchor}
	l.isNear = !isRight && d.isNearName(strings.ToLower(unescape(anchor)))
	l.section, l.inner = w.sectionsOf(d, file, anchor)
	if !l.isNear {
		w.set.addPath(l.section, l.file, isRight, 0)
		w.set.addPath(l.inner, l.file, isRight, 0)
	}
	c.count(w.line, &l, isRight, false)
}

// count counts a link that is decided, at a line of the page.
func (c *counts) count(line int, l *wrongLink, isRight, isGuess bool) {
	switch {
	case !isRight && len(c.wrong) < maxWrong:
		c.wrong[line] = l
	case isRight && !isGuess:
		for i := range groupings {
			c.right[groupings[i].groupOf(l)]++
		}
	}
}

// A wrongLink is a link that leads to no file, or to no anchor of one.
type wrongLink struct {
	form, target, document string
	anchor                 string  // or empty
	file                   string  // that it names, from the root of the site with a slash before it, with the anchor
	in                     group   // that is reported in place of the link
	section, inner         section // that has the link, and a smaller one in this: a page or a folder
	isNear                 bool    // the anchor is a misspelled one
	isDoubtful             bool    // the path may be that of a page that is not among the files
}

// A grouping is a way to find links that may be wrong for one reason. They are one finding if those that lead nowhere
// are so many, to so many files, and so many of all that are decided.
type grouping struct {
	of       func(*wrongLink) group
	isNested bool // the group is a part of that with the folder above
	links    int
	files    int
	rate     int // of so many links at least one is wrong
}

// groupings are tried in this order.
var groupings = []grouping{
	{of: byTarget, links: minForm, rate: 1},
	{of: byWord, links: minForm, files: minFiles, rate: 2},
	{of: byForm, isNested: true, links: minForm, rate: 2},
	{of: byFolder, isNested: true, files: minFiles, rate: 1},
	{of: byPrefix, isNested: true, files: minFiles, rate: 1},
	{of: byName, links: minFiles, files: minFiles, rate: 1},
}

const (
	minForm  = 20 // links of a form, or to a target
	minFiles = 4  // files in a folder, or with a prefix
	maxFirst = 3  // links that are named
)

// byTarget returns the target, which may be a word with a meaning of its own, such as [page](g), or a page of another
// program.
func byTarget(l *wrongLink) group {
	if l.form == "bare" && !strings.Contains(l.target, "/") {
		return group{"target", l.target}
	}
	return group{"target", l.file}
}

// byForm returns how the link is written, and the folder of the document.
func byForm(l *wrongLink) group { return group{l.form, path.Dir(l.document)} }

// byFolder returns the folder that the link leads into, if that is one of the project.
func byFolder(l *wrongLink) group {
	if folder := path.Dir(l.file); folder != "." && !strings.HasPrefix(folder, "..") {
		return group{"folder", folder}
	}
	return group{}
}

// byPrefix returns the folder that the link is written with, in whatever folder the document is.
func byPrefix(l *wrongLink) group {
	if folder := path.Dir(l.target); !strings.HasPrefix(folder, ".") {
		return group{"prefix", folder}
	}
	return group{}
}

// byName returns the name of the file, in whatever folder.
func byName(l *wrongLink) group {
	if l.form == "bare" {
		return group{}
	}
	return group{"name", path.Base(l.file)}
}

// byWord returns the first word of a name without a folder, such as "tool" of tool_list.md.
func byWord(l *wrongLink) group {
	end := strings.IndexFunc(l.target, func(r rune) bool { return !unicode.IsLetter(r) })
	if end > 0 && l.target[end] != '/' {
		return group{"word", l.target[:end]}
	}
	return group{}
}

// groupOf returns the group of a link, or none for one to an anchor.
func (by *grouping) groupOf(l *wrongLink) group {
	if l.anchor != "" {
		return group{}
	}
	return by.of(l)
}

// groups returns the groups that a group is a part of, the outermost first, and itself. Links to a folder, or with
// a prefix, are never grouped for the whole project.
func (by *grouping) groups(g group) (all []group) {
	for g != (group{}) && (g.name != "." || g.kind != "folder" && g.kind != "prefix") {
		all = append(all, g)
		if !by.isNested || g.name == "." || g.name == "/" {
			break
		}
		g.name = path.Dir(g.name)
	}
	slices.Reverse(all)
	return all
}

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
	for _, reason := range slices.Sorted(maps.Keys(total)) {
		all = append(all, Undecided{reason, total[reason]})
	}
	return all
}

// A Misunderstanding is links to nothing that are so many, and have so much in common, that it may not be the links
// that are wrong, but what Mapa takes them for.
type Misunderstanding struct {
	// Kind is what they have in common: the form root, alias, bare, html or file, the target, the folder that they lead
	// into, the prefix, the word or the name that they are written with.
	Kind  string
	Name  string // of the folder that the documents are in, or of what they have in common
	All   int    // links that are decided
	First []Place
	of    group
}

// A Place is a link in the page of a document.
type Place struct {
	Path string // of the document, escaped for URLs
	Line int
}

// Misunderstood returns what Mapa may not understand. It does not change after all documents were read.
func (s *Set) Misunderstood() (all []Misunderstanding) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, c := range s.counts {
		for _, l := range c.wrong {
			l.in = group{}
		}
	}
	for i := range groupings {
		all = append(all, s.groupLocked(&groupings[i])...)
	}
	slices.SortFunc(all, func(a, b Misunderstanding) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Kind, b.Kind))
	})
	s.order = map[group]int{}
	for i := range all {
		s.order[all[i].of] = i
	}
	return all
}

// groupLocked puts the links that are in no group into those of one kind.
func (s *Set) groupLocked(by *grouping) (all []Misunderstanding) {
	t := s.tallyLocked(by)
	found, inner := map[group]*Misunderstanding{}, map[group][]group{}
	for _, at := range slices.SortedFunc(maps.Keys(s.counts), comparePart) {
		for _, line := range slices.Sorted(maps.Keys(s.counts[at].wrong)) {
			l := s.counts[at].wrong[line]
			of := by.groups(by.groupOf(l))
			i := slices.IndexFunc(of, t.isOneFinding)
			if i < 0 || l.in != (group{}) {
				continue
			}
			l.in = of[i]
			m := found[l.in]
			if m == nil {
				m = &Misunderstanding{}
				found[l.in], inner[l.in] = m, of
			}
			if len(m.First) < maxFirst {
				m.First = append(m.First, Place{s.pathOf(at.name) + partQuery(at.number), line})
			}
			for !slices.Contains(of, inner[l.in][len(inner[l.in])-1]) {
				inner[l.in] = inner[l.in][:len(inner[l.in])-1]
			}
		}
	}
	for of, m := range found {
		g := inner[of][len(inner[of])-1] // that still has them all
		m.Kind, m.Name, m.All, m.of = g.kind, s.nameOf(g), t.wrong[g]+t.right[g], of
		all = append(all, *m)
	}
	return all
}

// A tally counts the links of groups.
type tally struct {
	by           *grouping
	wrong, right map[group]int
	files        map[group]map[string]bool // that wrong links name, as far as they count
}

// tallyLocked counts the links that are in no group.
func (s *Set) tallyLocked(by *grouping) *tally {
	t := tally{by: by, wrong: map[group]int{}, right: map[group]int{}, files: map[group]map[string]bool{}}
	for _, c := range s.counts {
		for _, l := range c.wrong {
			if l.in != (group{}) {
				continue
			}
			for _, g := range by.groups(by.groupOf(l)) {
				if t.wrong[g]++; t.files[g] == nil {
					t.files[g] = map[string]bool{}
				}
				if len(t.files[g]) < by.files {
					t.files[g][l.file] = true
				}
			}
		}
	}
	for _, c := range s.counts {
		for g, n := range c.right {
			for _, g := range by.groups(g) {
				if t.wrong[g] > 0 {
					t.right[g] += n
				}
			}
		}
	}
	return &t
}

// isOneFinding reports whether the wrong links of a group are one finding.
func (t *tally) isOneFinding(g group) bool {
	wrong := t.wrong[g]
	return wrong >= max(1, t.by.links) && len(t.files[g]) >= t.by.files && wrong*t.by.rate >= wrong+t.right[g]
}

// nameOf returns the name of a group as the user would write it.
func (s *Set) nameOf(g group) string {
	switch {
	case strings.HasPrefix(g.name, "/"),
		slices.Contains([]string{"target", "prefix", "word", "name"}, g.kind):
		return g.name
	case g.name == ".":
		return s.shown(s.top())
	}
	return s.shown(g.name)
}

func comparePart(a, b partName) int {
	return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.number, b.number))
}

// IsUndecided reports whether a link of the page of a document that leads to no file is not decided. It is known after
// [Set.Undecided].
func (s *Set) IsUndecided(escaped string, line int) bool {
	name, part, _ := s.inner(escaped)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	c := s.counts[partName{name, part}]
	return c != nil && c.open[line]
}

// MisunderstoodAs returns the index in the last result of [Set.Misunderstood] that has a link of the page of a
// document.
func (s *Set) MisunderstoodAs(escaped string, line int) (number int, is bool) {
	name, part, _ := s.inner(escaped)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	c := s.counts[partName{name, part}]
	if c == nil || c.wrong[line] == nil {
		return 0, false
	}
	number, is = s.order[c.wrong[line].in]
	return number, is
}

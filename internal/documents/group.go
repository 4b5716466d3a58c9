package documents

import (
	"cmp"
	"container/heap"
	"hash/maphash"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
)

// A group is something that links to paths, or to anchors, have in common.
type group struct {
	kind, name  string
	isOfAnchors bool
}

// A Misunderstanding is links to nothing that are so many, and have so much in common, that it may not be the links
// that are wrong, but what Mapa takes them for.
type Misunderstanding struct {
	// Kind is what they have in common: the form root, alias, bare, html, or the end of a file such as .png, in a folder;
	// the target, the folder that they lead into, the prefix, the word or the name that they are written with, or the
	// document that they are in; copies of one link in documents with one name; the page whose anchors they name, or
	// one anchor of several pages.
	Kind    string
	Name    string // of the folder that the documents are in, or of what they have in common
	Wrong   int    // paths, or anchors, that lead nowhere
	All     int    // of the kind that are decided
	First   []Place
	Anchors bool // they lead to anchors
}

// A Place is a link in the page of a document.
type Place struct {
	Path         string // of the document, escaped for URLs
	Line, Column int    // from 1
}

const (
	minLinks  = 20 // links of a kind that are one finding if most of their paths are missing
	minFiles  = 4  // paths that are enough in the source of a site, and everywhere if nothing else is there
	minCopies = 3  // of a link in documents with one name, as those of versions and languages
	maxFirst  = 3  // links that are named
	maxLevels = 20 // folders above that of a path that are groups
)

// copies is the kind of one link in documents with one name.
const copies = "copies"

// formOf returns how a path is written.
func formOf(name string) string {
	switch end := strings.ToLower(path.Ext(name)); {
	case alias.MatchString(name):
		return "alias"
	case strings.HasPrefix(name, "/"):
		return "root"
	case end == "":
		return "bare"
	case kindOf(name) == kindHTML:
		return "html"
	default:
		return end
	}
}

// groups returns what a link may have in common with others that lead nowhere.
func (l *wrongLink) groups() (all []group) {
	add := func(kind, name string) { all = append(all, group{kind, name, l.anchor != ""}) }
	addFolders := func(kind, folder string) {
		if folder == "." || folder == "/" || strings.HasPrefix(folder, "..") {
			return
		}
		for at, level := 0, 0; level < maxLevels; level++ {
			inner := strings.IndexByte(folder[at+1:], '/')
			if inner < 0 {
				break
			}
			at += 1 + inner
			add(kind, folder[:at])
		}
		add(kind, folder)
	}
	isMark := func(r rune) bool { return !unicode.IsLetter(r) }
	addWords := func(target string) {
		end := strings.IndexFunc(target, isMark)
		if end <= 0 || target[end] == '/' {
			return
		}
		add("word", target[:end])
		if next := strings.IndexFunc(target[end+1:], isMark); next > 0 && target[end+1+next] != '/' {
			add("word", target[:end+1+next])
		}
	}
	add("document", l.document)
	add(copies, path.Base(l.document)+": "+path.Base(l.file))
	if l.anchor != "" {
		add("page", l.target)
		add("anchor", "#"+l.anchor)
		addWords(l.anchor)
		return all
	}
	form := formOf(l.target)
	addFolders("folder", path.Dir(l.file))
	if folder := path.Dir(l.target); !strings.HasPrefix(folder, ".") {
		addFolders("prefix", folder)
	}
	for folder := path.Dir(l.document); ; folder = path.Dir(folder) {
		if add(form, folder); folder == "." || folder == "/" {
			break
		}
	}
	// A word may have a meaning of its own, such as [page](g).
	isWord := form == "bare" && !strings.Contains(l.target, "/")
	if !isWord {
		add("name", path.Base(l.file))
	}
	addWords(l.target)
	if isWord {
		add("target", l.target)
	} else {
		add("target", l.file)
	}
	return all
}

// maxRight is how many paths that are right are kept for all groups, and maxSuspects how many groups have links to
// nothing.
const maxRight, maxSuspects = 1 << 20, 1 << 20

// rightPaths are the hashes of the paths, or anchors, of groups that lead somewhere: many links may lead to one.
type rightPaths struct {
	seed  maphash.Seed
	of    map[group]map[uint64]bool
	count int
}

// addRight keeps the path of a link that is right.
func (s *Set) addRight(l *wrongLink) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	hash := maphash.String(s.right.seed, l.file)
	for _, g := range l.groups() {
		of := s.right.of[g]
		if of[hash] || s.right.count >= maxRight {
			continue
		}
		if of == nil {
			of = map[uint64]bool{}
			s.right.of[g] = of
		}
		of[hash] = true
		s.right.count++
	}
}

// Misunderstood returns what Mapa may not understand. It does not change after all documents were read.
func (s *Set) Misunderstood() (all []Misunderstanding) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	q := s.suspectsLocked()
	for len(q) > 0 {
		top := q[0]
		known := top.wrong
		top.count()
		switch {
		case !top.isOneFinding():
			heap.Pop(&q)
		case top.wrong < known: // some links are in another group now
			heap.Fix(&q, 0)
		default:
			heap.Pop(&q)
			all = append(all, Misunderstanding{
				Kind: top.kind, Name: s.nameOf(top.group), Wrong: top.wrong, All: top.wrong + top.right, Anchors: top.isOfAnchors,
			})
			for _, l := range top.links {
				l.in = len(all)
				if m := &all[l.in-1]; len(m.First) < maxFirst {
					m.First = append(m.First, Place{
						s.pathOf(l.part.name) + partQuery(l.part.number), int(l.at.line), int(l.at.column),
					})
				}
			}
		}
	}
	return all
}

// suspectsLocked returns the groups of all links that lead nowhere.
func (s *Set) suspectsLocked() (q suspects) {
	found, searches := map[group]*suspect{}, 0
	const maxNear = maxSearches / 10 // that are searched for among all files
	for _, at := range slices.SortedFunc(maps.Keys(s.counts), comparePart) {
		for _, place := range slices.SortedFunc(maps.Keys(s.counts[at].wrong), comparePlace) {
			l := s.counts[at].wrong[place]
			l.in, l.part, l.at = 0, at, place
			if l.anchor == "" && searches < maxNear {
				searches++
				l.isNear = s.indexOf().isNear(strings.Trim(l.file, "/"))
			}
			for _, g := range l.groups() {
				if l.isNear && g.kind != copies {
					continue // it has a reason of its own
				}
				if found[g] == nil && len(q) >= maxSuspects {
					continue
				}
				if found[g] == nil {
					found[g] = &suspect{group: g, right: len(s.right.of[g])}
					q = append(q, found[g])
				}
				found[g].links = append(found[g].links, l)
			}
		}
	}
	for _, g := range q {
		g.count()
	}
	q = slices.DeleteFunc(q, func(g *suspect) bool { return !g.isOneFinding() })
	heap.Init(&q)
	return q
}

// A suspect is a group with links that lead nowhere.
type suspect struct {
	group
	links       []*wrongLink
	wrong, made int // paths of these, and of those that are in the source of a site
	right       int
}

// count counts the paths of the links that are in no other group yet.
func (g *suspect) count() {
	g.links = slices.DeleteFunc(g.links, func(l *wrongLink) bool { return l.in != 0 })
	wrong, made := map[string]bool{}, map[string]bool{}
	for _, l := range g.links {
		wrong[l.file] = true
		if l.isMade {
			made[l.file] = true
		}
	}
	g.wrong, g.made = len(wrong), len(made)
}

// isOneFinding reports whether the links of a group are one finding.
func (g *suspect) isOneFinding() bool {
	switch {
	case g.kind == copies:
		return g.wrong >= minCopies
	case g.wrong < g.right:
		return false
	case g.kind == "target":
		return len(g.links) >= minLinks
	case len(g.links) >= minLinks && g.wrong >= minFiles, g.made >= minFiles:
		return true
	}
	return g.wrong >= minFiles && g.right == 0 && (groupKinds[g.kind].isAlone || g.kind == "word" && g.isOfAnchors)
}

// groupKinds are the kinds of groups that are not the end of a file, bare or html.
var groupKinds = map[string]struct {
	rank      int  // how much it says of links, next to the end of a file
	isAlone   bool // it is one finding in all documents if no other path leads somewhere
	isWritten bool // the name is written by the user, not that of a file
}{
	"root": {rank: 6}, "alias": {rank: 6}, "target": {rank: 5, isWritten: true},
	"name": {rank: 4, isAlone: true, isWritten: true}, "anchor": {rank: 4, isAlone: true, isWritten: true},
	"folder": {rank: 3, isAlone: true}, "prefix": {rank: 2, isAlone: true, isWritten: true},
	"word": {rank: 1, isWritten: true}, copies: {isWritten: true}, "page": {isAlone: true}, "document": {rank: -1},
}

// suspects is a heap. The group with most paths that are missing is the first, of these the one with the fewest others,
// and then the one that says most.
type suspects []*suspect

func (q suspects) Len() int      { return len(q) }
func (q suspects) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *suspects) Push(x any)   { *q = append(*q, x.(*suspect)) }
func (q *suspects) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

func (q suspects) Less(i, j int) bool {
	a, b := q[i], q[j]
	rank := func(g *suspect) int { return groupKinds[g.kind].rank }
	return cmp.Or(cmp.Compare(b.wrong, a.wrong), cmp.Compare(a.right, b.right), cmp.Compare(rank(b), rank(a)),
		cmp.Compare(len(b.name), len(a.name)), cmp.Compare(a.kind, b.kind), cmp.Compare(a.name, b.name)) < 0
}

// nameOf returns the name of a group as the user would write it.
func (s *Set) nameOf(g group) string {
	switch {
	case strings.HasPrefix(g.name, "/"), groupKinds[g.kind].isWritten:
		return g.name
	case g.name == ".":
		return s.shown(s.top())
	}
	return s.shown(g.name)
}

// MisunderstoodAs returns the index in the last result of [Set.Misunderstood] that has a link of the page of a
// document.
func (s *Set) MisunderstoodAs(escaped string, line, column int) (number int, is bool) {
	name, part, _ := s.inner(escaped)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	c := s.counts[partName{name, part}]
	if c == nil || c.wrong[placeOf(line, column)] == nil {
		return 0, false
	}
	in := c.wrong[placeOf(line, column)].in
	return in - 1, in > 0
}

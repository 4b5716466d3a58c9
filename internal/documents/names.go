package documents

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// linePlace is a fragment that names lines of a file, as code hosts have them.
var linePlace = regexp.MustCompile(`^L[0-9]+(C[0-9]+)?(-L?[0-9]+(C[0-9]+)?)?$`)

// An anchorState says what is known of an anchor without a crawl.
type anchorState uint8

const (
	anchorAsked anchorState = iota // a crawl finds it, or does not
	anchorKnown                    // the page has it, or needs none
	anchorOpen                     // not decided
)

// anchor returns the anchor that a fragment names as the page of a file has it. GitHub finds anchors in Markdown in
// lower case, and those with its prefix. In the page that a program makes, other characters between the words are
// possible.
func (w *rewriter) anchor(file string, isOwn bool, fragment string) (plain string, is anchorState) {
	kind := kindOf(file)
	d := w.source
	switch {
	case isOwn && w.set.isStdin(file):
		kind = kindMarkdown
	case !isOwn:
		d = w.set.target(file)
	}
	isPage := kind == kindMarkdown || kind == kindHTML
	switch {
	case linePlace.MatchString(fragment), w.programs&astro != 0 && fragment == "_top", strings.HasPrefix(fragment, "/"),
		w.programs&mkdocs != 0 && strings.HasPrefix(fragment, "tag:"), // https://squidfunk.github.io/mkdocs-material/plugins/tags/
		strings.ContainsAny(fragment, "<^"),                           // a pattern of a text to bring in
		isOwn && strings.HasPrefix(fragment, "tab/"):                  // https://dotnet.github.io/docfx/docs/markdown.html#tabs
		return "", anchorKnown
	case slices.Contains(pictures, strings.ToLower(path.Ext(file))):
		return "", anchorKnown
	case !isPage && (w.source.generated || w.source.template || kind != kindOther):
		return "", anchorOpen // nobody reads the anchors of such a file
	case kind == kindHTML:
		switch {
		case d.hasName(fragment):
			return "", anchorKnown
		case d.template || w.source.template, strings.Contains(fragment, "/"), // a script shows a page at such a path
			d.mayBeScripted(fragment):
			return "", anchorOpen
		}
		return fragment, anchorAsked
	case kind != kindMarkdown:
		return fragment, anchorAsked
	}
	plain = strings.TrimPrefix(strings.ToLower(unescape(fragment)), userPrefix)
	isSite := d.generated || w.source.generated
	switch {
	case plain == "top", plain == "main" && w.programs&docsify != 0,
		d.hasName(plain) && (isSite || w.source.template || d.hasAnchor(plain)),
		isSite && (w.isInSphinx() && w.set.hasLabel(w.site, plain) || d.hasName(unescape(plain))): // an ID as in URLs
		return "", anchorKnown
	case isSite && w.isInSphinx() && isObject(unescape(fragment)), // an item of code, or of another project
		isSite && w.set.indexOf().hasLayoutID(plain), // a layout has it, perhaps not of this page
		w.source.template, isSite && strings.Contains(plain, "/"), // a script shows a part of the page
		isOwn && w.set.isEmbedded(w.name),
		isSite && (d.open && !d.isNearName(plain) || d.hasComponent(plain) || isOwn && w.hasSibling(plain)):
		return "", anchorOpen
	}
	return (&url.URL{Fragment: plain}).EscapedFragment(), anchorAsked
}

// hasAnchor reports whether code hosts show a document with an anchor.
func (d *document) hasAnchor(fragment string) bool {
	return slices.ContainsFunc(d.anchors, func(anchor string) bool { return strings.EqualFold(anchor, fragment) })
}

// hasSibling reports whether an anchor has the name of another document in the folder: both are parts of one page.
func (w *rewriter) hasSibling(fragment string) bool {
	file := w.set.indexOf().pages[path.Join(plainName(path.Dir(w.name)), fragment)]
	return file != "" && file != w.name && path.Dir(file) == path.Dir(w.name)
}

// minComponent is how many letters an anchor has at least that a component may make of its attributes.
const minComponent = 5

// hasComponent reports whether a component of the page may have an anchor: its tag has the letters.
func (d *document) hasComponent(fragment string) bool {
	wanted := letters(fragment)
	return len(wanted) >= minComponent &&
		slices.ContainsFunc(d.components, func(shown string) bool { return strings.Contains(letters(shown), wanted) })
}

// isInSphinx reports whether a document is in the folder of a site of Sphinx, not only included from it.
func (w *rewriter) isInSphinx() bool {
	return w.programs&sphinx != 0 && strings.HasPrefix(w.name, strings.TrimPrefix(w.site+"/", "./"))
}

// isObject reports whether a target may be the name of an item of code that Sphinx knows, or of another project.
func isObject(name string) bool {
	return strings.ContainsAny(name, "./_") || strings.ToLower(name) != name
}

// maxTargets is how many documents are kept for their anchors.
const maxTargets = 1000

// target returns the anchors of a document that another one links to.
func (s *Set) target(name string) *document {
	s.mutex.Lock()
	d, known := s.targets[name]
	s.mutex.Unlock()
	if known {
		return d
	}
	d = &document{}
	if kind := kindOf(name); kind == kindMarkdown || kind == kindHTML {
		if loaded, err := s.load(name, 0); err == nil {
			d = loaded
			d.links, d.raw = nil, nil
		} else {
			d.generated, d.open = true, true // nobody knows its anchors
		}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if len(s.targets) >= maxTargets {
		clear(s.targets)
	}
	s.targets[name] = d
	return d
}

// hasName reports whether the page that a program makes of a document has an anchor.
func (d *document) hasName(fragment string) bool {
	wanted := letters(fragment)
	first := wanted // of several with the same text, to which programs add numbers
	if repeated := strings.TrimRight(fragment, "0123456789"); strings.TrimRight(repeated, "-_") != repeated {
		first = letters(repeated)
	}
	names := d.namesOf()
	if names[wanted] || names[first] || names[numbered.ReplaceAllString(wanted, "$1")] {
		return true
	}
	isFilled := func(heading [2]string) bool {
		return len(wanted) >= len(heading[0])+len(heading[1]) && strings.HasPrefix(wanted, heading[0]) &&
			strings.HasSuffix(wanted, heading[1])
	}
	return slices.ContainsFunc(d.filled, isFilled) || slices.ContainsFunc(d.tabs, func(tab string) bool {
		heading, is := strings.CutSuffix(wanted, tab)
		return is && (heading == "" || names[heading])
	})
}

// numbered begins the anchor that GitBook makes of a heading with a number before it.
var numbered = regexp.MustCompile(`^id(\d)`)

// isForeign reports whether headings have letters of another alphabet, or emoji.
func (d *document) isForeign() bool {
	d.namesOf()
	return d.foreign
}

// namesOf returns the letters of the anchors of a document, also without digits before them.
func (d *document) namesOf() map[string]bool {
	d.once.Do(func() {
		d.names = make(map[string]bool, len(d.anchors)+len(d.terms))
		isOther := func(r rune) bool {
			return unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) || unicode.Is(unicode.So, r)
		}
		for _, name := range d.anchors {
			d.anchorLetters = append(d.anchorLetters, letters(name))
		}
		for _, name := range slices.Concat(d.anchors, d.terms) {
			d.foreign = d.foreign || strings.ContainsFunc(name, isOther)
			plain := letters(name)
			d.names[plain] = true
			d.names[strings.TrimLeft(plain, "0123456789")] = true
		}
	})
	return d.names
}

const (
	// minNear is how many letters a name has at least that may be misspelled, and maxMisspelled is how many of them
	// may be wrong.
	minNear, maxMisspelled = 8, 2
)

// isNearName reports whether a fragment is a misspelled anchor of a document. Terms are too many kinds of text.
func (d *document) isNearName(fragment string) bool {
	wanted := letters(fragment)
	if len(wanted) < minNear {
		return false
	}
	d.namesOf()
	return slices.ContainsFunc(d.anchorLetters, func(name string) bool { return isMisspelled(wanted, name) })
}

// letters returns the letters and digits of a name in lower case, without accents: programs differ in what they
// keep of the others.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return withoutStroke(unicode.ToLower(r))
		}
		return -1
	}, norm.NFKD.String(name)) // which is the name itself if that is ASCII
}

// withoutStroke returns the letter that programs write for one with a stroke, or without a dot.
func withoutStroke(r rune) rune {
	switch r {
	case 'ı':
		return 'i'
	case 'ø':
		return 'o'
	case 'ł':
		return 'l'
	case 'đ':
		return 'd'
	case 'л': // https://www.npmjs.com/package/diacritics, in VuePress and VitePress before 1.0
		return 'n'
	}
	return r
}

// isMisspelled reports whether a name differs from a right one in some letters, and in no digits. A plural is another
// name. So may be a name with two other letters if the first or the last letter is one of them.
func isMisspelled(name, right string) bool {
	a, b := []rune(name), []rune(right)
	isPlural := strings.TrimSuffix(name, "s") == strings.TrimSuffix(right, "s")
	if isPlural || len(a) < minNear || max(len(a)-len(b), len(b)-len(a)) > maxMisspelled ||
		digits(name) != digits(right) {
		return false
	}
	wrong := distance(a, b)
	isSameAround := a[0] == b[0] && a[len(a)-1] == b[len(b)-1]
	return wrong == 1 || wrong == maxMisspelled && (isSameAround || isSwapped(a, b))
}

// isSwapped reports whether two names differ in the order of two letters next to each other.
func isSwapped(a, b []rune) bool {
	for i := range min(len(a), len(b)) - 1 {
		if a[i] != b[i] {
			return a[i] == b[i+1] && a[i+1] == b[i] && slices.Equal(a[i+2:], b[i+2:])
		}
	}
	return false
}

func digits(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, name)
}

// distance returns how many characters have to be replaced, added or removed to make a name of another, or a larger
// number than maxMisspelled.
func distance(a, b []rune) int {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if max(len(a), len(b)) > 64 {
		return maxMisspelled + 1
	}
	row := make([]int, len(b)+1)
	for i := range row {
		row[i] = i
	}
	for i, left := range a {
		before := row[0]
		row[0] = i + 1
		for j, right := range b {
			cost := 1
			if left == right {
				cost = 0
			}
			before, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, before+cost)
		}
	}
	return row[len(b)]
}

// isNear reports whether a path is a misspelled one of a page.
func (x *index) isNear(name string) bool {
	wanted := strings.Split(plainName(name), "/")
	all := []map[string]string{x.pages, x.shown}
	if path.Ext(name) != "" && kindOf(name) == kindOther {
		all = append(all, x.files)
	}
	for _, known := range all {
		for right := range known {
			if isNearPath(wanted, right) {
				return true
			}
		}
	}
	return false
}

// isNearPath reports whether one of the last parts of a path is misspelled, and all others that both paths have are
// right.
func isNearPath(wanted []string, right string) bool {
	wrong, same := 0, 0
	for i := len(wanted) - 1; i >= 0 && right != "" && (same < maxSame || wrong == 0); i-- {
		at := strings.LastIndexByte(right, '/') + 1
		part := right[at:]
		right = strings.TrimSuffix(right[:at], "/")
		switch {
		case part == wanted[i]:
			same++
		case wrong == 0 && isTypo(wanted[i], part):
			wrong++
		default:
			return false
		}
	}
	return wrong == 1 && (same > 0 || len(wanted) == 1)
}

// maxSame is how many parts of two paths have to be the same at most: programs add others before.
const maxSame = 2

// minTypo is how many letters a name of a file or a folder has at least in which one may be wrong.
const minTypo = 4

// isTypo reports whether the name of a file or a folder differs from a right one in a letter or two.
func isTypo(name, right string) bool {
	if end := path.Ext(name); end == path.Ext(right) {
		name, right = strings.TrimSuffix(name, end), strings.TrimSuffix(right, end)
	}
	if isMisspelled(name, right) {
		return true
	}
	a, b := []rune(name), []rune(right)
	return len(a) >= minTypo && len(a) == len(b) && digits(name) == digits(right) && distance(a, b) == 1
}

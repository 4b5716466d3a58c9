// Package sourcedir finds links of a built site in the files that it was built from: Markdown, HTML and
// templates. Begin with [New].
package sourcedir

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// A Link is a link as a page of the site has it.
type Link struct {
	URL      string // of its target, without fragment
	Fragment string // empty where it does not matter
	SamePage bool   // the target is the page itself
}

// A Place is where a link begins in a source file.
type Place struct {
	File string
	crawl.Position
}

// These bound the memory of an [Index], and the time of its methods.
const (
	maxTargets = 100_000
	maxAlike   = 1000 // targets with the same last segment, and texts of links to one
	maxSpots   = 1 << 20
)

// An Index has the places of links in sources. The zero value is not usable.
type Index struct {
	base    *urlnorm.Base
	origin  string
	folder  []string // segments of the URL that the site is below
	targets map[Link]*target
	byKey   map[string][]*target
	spots   int
}

// A target is what some links of the site lead to.
type target struct {
	written
	samePage bool
	spots    map[string]Place // by folded texts: the only place, or nothing for several
}

// New returns an index of a site, given the URL of its folder.
func New(folderURL string) (*Index, error) {
	base, err := urlnorm.NewBase([]byte(folderURL))
	if err != nil {
		return nil, err
	}
	x := &Index{base: base, targets: map[Link]*target{}, byKey: map[string][]*target{}}
	x.origin = urlnorm.Origin(base.String())
	folder, _ := x.parse(base.String())
	x.folder = folder.segments
	return x, nil
}

// Want adds a link to those that [Index.Search] looks for. Links beyond the first 100,000 targets are
// ignored.
func (x *Index) Want(l Link) {
	w, known := x.parse(l.URL)
	if !known || x.targets[l] != nil || len(x.targets) >= maxTargets {
		return
	}
	w.fragment = unescape(l.Fragment)
	t := &target{written: w, samePage: l.SamePage, spots: map[string]Place{}}
	x.targets[l] = t
	keys := []string{t.key()}
	if l.SamePage {
		keys = append(keys, "")
	}
	for _, key := range keys {
		if len(x.byKey[key]) < maxAlike {
			x.byKey[key] = append(x.byKey[key], t)
		}
	}
}

// Has reports whether the sources have a link with this target, whatever its text is.
func (x *Index) Has(l Link) bool { return x.targets[l] != nil && len(x.targets[l].spots) > 0 }

// Find returns the only place in the sources that may have a link with this target and text, which the
// crawl has cut. It reports false without a place or with several, and where a template makes the whole text.
func (x *Index) Find(l Link, text string) (at Place, found bool) {
	if !x.Has(l) || x.spots == maxSpots {
		return at, false
	}
	folded := foldText(text)
	isCut := len(text) > crawl.MaxLinkText-utf8.UTFMax && folded != ""
	for source, place := range x.targets[l].spots {
		switch {
		case !mayBe(source, folded, isCut):
		case at.Line > 0, place.Line == 0, source == unknownText:
			return Place{}, false
		default:
			at = place
		}
	}
	return at, at.Line > 0
}

// add adds a link of the sources.
func (x *Index) add(address, text string, at Place) {
	w, known := x.parse(address)
	folded := foldText(text)
	if !known || folded == "" && !strings.Contains(address, "://") {
		return // or an image without a text, whose name many pages may use
	}
	forms := []written{w}
	if w.rooted && w.segments[0] == x.origin && len(x.folder) > 1 { // generators add the path of the site
		w.segments = slices.Concat(x.folder, w.segments[1:])
		forms = append(forms, w)
	}
	for _, w := range forms {
		for _, t := range x.byKey[w.key()] {
			if t.matches(&w) {
				x.addSpot(t, folded, at)
			}
		}
	}
}

func (x *Index) addSpot(t *target, text string, at Place) {
	if len(t.spots) == maxAlike {
		text = unknownText
	}
	known, again := t.spots[text]
	switch {
	case again && known != at:
		t.spots[text] = Place{}
	case !again && x.spots < maxSpots:
		t.spots[text] = at
		x.spots++
	}
}

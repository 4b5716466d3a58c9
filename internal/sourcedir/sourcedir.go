// Package sourcedir finds links of a built site in the files that it was built from: Markdown, HTML and
// templates. Begin with [New].
package sourcedir

import (
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

// These bound the memory of an [Index].
const (
	maxTargets = 100_000
	maxAlike   = 1000 // targets with the same last segment and fragment
	maxSpots   = 1 << 20
)

// An Index has the places of links in sources. The zero value is not usable.
type Index struct {
	base    *urlnorm.Base
	origin  string   // of the site
	folder  []string // segments of the path that the site is below
	targets map[Link]*target
	byKey   map[string][]*target
	spots   int
}

// A target is what some links of the site lead to.
type target struct {
	written
	inFolder []string // segments below the folder of the site
	below    bool     // that is where it is
	spots    map[string]spot
}

// A spot is the first place with a text.
type spot struct {
	Place
	several bool // there are more
}

// New returns an index of a site, given the URL of its folder.
func New(folderURL string) (*Index, error) {
	base, err := urlnorm.NewBase([]byte(folderURL))
	if err != nil {
		return nil, err
	}
	x := &Index{
		base: base, origin: urlnorm.Origin(base.String()), targets: map[Link]*target{}, byKey: map[string][]*target{},
	}
	x.folder = x.parse(base.String()).segments
	return x, nil
}

// Want adds a link to those that [Index.Search] looks for. Links beyond the first 100,000 targets are
// ignored.
func (x *Index) Want(l Link) {
	if x.targets[l] != nil || len(x.targets) >= maxTargets {
		return
	}
	t := &target{written: x.parse(l.URL)}
	t.fragment = unescape(l.Fragment)
	x.targets[l] = t
	if t.kind != kindRooted {
		x.addKey(t.key(), t)
		return
	}
	t.inFolder, t.below = cutPrefix(t.segments, x.folder)
	x.addKey(t.key(), t)
	if t.below && len(t.inFolder) == 0 && len(t.segments) > 0 {
		x.addKey("#"+t.fragment, t)
	}
	if l.SamePage {
		x.addKey(samePageKey(t.fragment), t)
	}
}

func (x *Index) addKey(key string, t *target) {
	if len(x.byKey[key]) < maxAlike {
		x.byKey[key] = append(x.byKey[key], t)
	}
}

// Has reports whether the sources have a link with this target, whatever its text is.
func (x *Index) Has(l Link) bool { return x.targets[l] != nil && len(x.targets[l].spots) > 0 }

// Find returns the only place in the sources that has a link with this target and text, which the
// crawl has cut. It reports false without a place or with several.
func (x *Index) Find(l Link, text string) (Place, bool) {
	t := x.targets[l]
	if t == nil {
		return Place{}, false
	}
	folded := foldText(text)
	if len(text) <= crawl.MaxLinkText-utf8.UTFMax || folded == "" {
		only := t.spots[folded]
		return only.Place, only.Line > 0 && !only.several
	}
	var found []spot
	for written, one := range t.spots {
		if strings.HasPrefix(written, folded) {
			found = append(found, one)
		}
	}
	if len(found) != 1 || found[0].several {
		return Place{}, false
	}
	return found[0].Place, true
}

// add adds a link of the sources, at a place that is called for only where the target is wanted.
func (x *Index) add(address, text string, place func() Place) {
	w := x.parse(address)
	keys := []string{w.key()}
	switch {
	case w.kind == kindNone:
		return
	case w.kind == kindRelative && len(w.segments) == 0:
		keys[0] = samePageKey(w.fragment)
	case w.fragment != "":
		whole := w
		whole.fragment = ""
		keys = append(keys, whole.key())
	}
	folded := foldText(text)
	if folded == "" && !strings.Contains(address, "://") {
		return // an image without a text, whose name many pages may use
	}
	for _, key := range keys {
		for _, t := range x.byKey[key] {
			if t.matches(&w) {
				x.addSpot(t, folded, place())
			}
		}
	}
}

func (x *Index) addSpot(t *target, text string, at Place) {
	known, again := t.spots[text]
	switch {
	case again:
		if known.Place != at {
			known.several = true
			t.spots[text] = known
		}
	case x.spots < maxSpots:
		if t.spots == nil {
			t.spots = map[string]spot{}
		}
		t.spots[text] = spot{Place: at}
		x.spots++
	}
}

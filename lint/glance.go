package lint

import (
	"bytes"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

// A glancer tells the traits of entries. It remembers the values before, since
// most entries are like those before.
type glancer struct {
	last     []byte // the location before
	plain    int    // how much of it is plain
	origin   int    // length of its scheme, host and the slash behind; 0 where that is not plain
	lastMod  []byte // the last one that was plain
	seconds  int64  // its moment
	latest   int64  // what is later lies in the future
	earliest int64
	news     traits // whether the entry before had some
}

// newGlancer takes the present and the day on which the site began.
func newGlancer(now, since time.Time) glancer {
	return glancer{
		latest:   now.Add(aroundTheWorld).Unix(),
		earliest: max(since.Unix(), time.Date(1995, 1, 1, 0, 0, 0, 0, time.UTC).Unix()),
	}
}

// aroundTheWorld is how far a date without a zone may be ahead of UTC.
const aroundTheWorld = 14 * time.Hour

// glance tells the traits of the entry at hand.
func (v *visit) glance() (t traits) {
	e := v.entry
	t = v.glancer.oddities(e.Loc)
	if !v.scope.covers(e.Loc) {
		t |= needsStray
	}
	if e.LastMod != nil && !v.glancer.isPlainDate(e) {
		t |= needsLastMod
	}
	if e.ChangeFreq != nil && (e.Source().Padded() || !isFrequency(e.ChangeFreq)) {
		t |= needsFreq
	}
	if e.Priority != nil && !isUsualPriority(e.Priority) {
		t |= needsPriority
	}
	if e.IsSitemap() {
		t |= needsSitemap
	}
	if !e.Source().Ordered() {
		t |= needsDisorder
	}
	if e.HasExtensions() {
		t |= v.glanceExtensions()
	}
	if v.file.Format == sitemap.FormatText {
		t |= needsText
	}
	if news := t & needsNews; news != v.glancer.news {
		if v.entries > 1 {
			t |= needsTurn
		}
		v.glancer.news = news
	}
	return t
}

func (v *visit) glanceExtensions() (t traits) {
	x := v.extensions()
	for _, has := range []struct {
		some  bool
		trait traits
	}{
		{len(x.Images) > 0, needsImages},
		{len(x.Videos) > 0, needsVideos},
		{len(x.News) > 0, needsNews},
		{len(x.Alternates) > 0, needsAlternates},
		{len(x.PageMaps) > 0, needsPageMaps},
		{len(x.Other) > 0 || x.Mobile, needsOther},
	} {
		if has.some {
			t |= has.trait
		}
	}
	return t
}

// isPlainDate reports whether a lastmod is one that no rule objects to.
func (g *glancer) isPlainDate(e *sitemap.Entry) bool {
	if bytes.Equal(e.LastMod, g.lastMod) {
		return true
	}
	date, err := e.Date()
	const all = sitemap.DialectW3C | sitemap.DialectXSD | sitemap.DialectGoogle
	if err != nil || date.Dialects() != all || date.Unix() > g.latest || date.Unix() < g.earliest {
		return false
	}
	g.lastMod = append(g.lastMod[:0], e.LastMod...)
	g.seconds = date.Unix()
	return true
}

const (
	shortestPlain = 12   // of sitemap.xsd
	longestPlain  = 1024 // of Yandex
)

// oddities tells what is odd about a location. One without any is one that no
// rule objects to and that is its own normal form. Only what differs from the
// location before is looked at.
func (g *glancer) oddities(loc []byte) (t traits) {
	shared := sharedPrefix(loc, g.last)
	if len(loc) < shortestPlain || len(loc) > longestPlain {
		t = needsOddLoc | oddLength
	}
	from := min(shared, g.plain)
	if from < g.origin || g.origin == 0 {
		if g.origin = originLength(loc); g.origin == 0 {
			g.keep(loc, shared, 0)
			return t | oddOrigin | oddIn(loc, 0)
		}
		from = g.origin
	}
	if plainBytes(loc, from) {
		g.keep(loc, shared, len(loc))
		return t
	}
	before := loc[from-1]
	for i, c := range loc[from:] {
		if oddities[c] != 0 || c == '.' && before == '/' {
			g.keep(loc, shared, from+i)
			return t | oddIn(loc, from+i)
		}
		before = c
	}
	g.keep(loc, shared, len(loc))
	return t
}

// oddIn tells what is odd behind a position.
func oddIn(loc []byte, from int) (t traits) {
	before := byte('/')
	for _, c := range loc[from:] {
		t |= oddities[c]
		if c == '.' && before == '/' {
			t |= oddDots
		}
		before = c
	}
	if from > 0 && loc[from] == '.' {
		t |= oddDots
	}
	return t | needsOddLoc
}

// isNormal reports whether what is odd leaves a location its own normal form.
func (t traits) isNormal() bool {
	return t&(oddOrigin|oddPercent|oddFragment|oddDots|oddBytes) == 0
}

// keep remembers a location, how much of it is that of the one before, and how much
// of it is plain.
func (g *glancer) keep(loc []byte, shared, plain int) {
	g.last, g.plain = append(g.last[:shared], loc[shared:]...), plain
	if plain == 0 {
		g.origin = 0
	}
}

// oddities tells the bytes of a path that can be something else than themselves.
var oddities = func() (set [256]traits) {
	for c := range set {
		set[c] = oddBytes
	}
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-_.,~!*()$@:+=[]") {
		set[c] = 0
	}
	for _, c := range []byte("?&;") {
		set[c] = oddQuery
	}
	set['%'], set['#'] = oddPercent, oddFragment
	return set
}()

// originLength counts the bytes of scheme and host, all lower case and without a
// port, with the slash behind them; 0 where they are anything else. A host that
// may be a number or holds letters of other scripts is something else too.
func originLength(loc []byte) int {
	i := len("https://")
	if !bytes.HasPrefix(loc, []byte("https://")) {
		if i--; !bytes.HasPrefix(loc, []byte("http://")) {
			return 0
		}
	}
	label, labels := i, 1
	for ; i < len(loc); i++ {
		switch c := loc[i]; {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-' && i > label:
		case c == '.' && isPlainLabel(loc[label:i]):
			label = i + 1
			labels++
		case c == '/' && labels > 1 && isPlainLabel(loc[label:i]) && loc[label] > '9':
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

func isPlainLabel(label []byte) bool {
	return len(label) > 0 && len(label) < 64 && label[len(label)-1] != '-' && !bytes.HasPrefix(label, []byte("xn--"))
}

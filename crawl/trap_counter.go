package crawl

import (
	"hash/maphash"
	"math"

	"github.com/mapatools/mapa/internal/bitset"
)

const (
	maxCounted  = 200_000 // patterns, and texts of their pages, together
	maxContents = 1_000_000
)

// patternFactor times its bound is the most URLs that a pattern may have, even if every
// page has a new text.
const patternFactor = 40

// trapCounter recognizes the traps that need counting: too many URLs of one pattern,
// and too many pages with the same text. Its memory is bounded. It is not safe for
// concurrent use.
type trapCounter struct {
	bounds   Traps
	seed     maphash.Seed
	counts   map[uint64]*patternCounts // by urlPattern.key
	texts    map[uint64]bool           // digests of pages that have a pattern
	contents map[uint64]alikePages     // by title and digest
	shown    map[uint64]bool           // pictures, videos and files of further pages that are alike
	alike    bitset.Set[ID]            // pages that have the title and the text of an earlier one
	linked   bitset.Set[ID]            // URLs that pages link to which are not alike, apart from the first
	left     bitset.Set[ID]            // pages that are left out, since pages that are alike link to them
}

// alikePages counts pages with the same title and main text, apart from the first.
type alikePages struct {
	id    ID     // of the first
	first uint64 // what it shows: pictures, videos and files
	// repeated are pages found by a link of such a page that show nothing new either, outside those that others link to,
	// and fresh those found by such a link that show new pictures, videos or files.
	repeated, outside, fresh uint32
	pictures                 pictureState
}

// pictureState says whether pictures tell pages apart that have the same title and text.
type pictureState uint8

const (
	picturesUnknown pictureState = iota
	picturesCount
	picturesRandom // two answers for one page have different ones
)

// patternCounts is what is known about the URLs of one pattern.
type patternCounts struct {
	found        int // URLs
	fresh, stale int // pages with a new main text, and pages without
}

func newTrapCounter(bounds Traps) *trapCounter {
	return &trapCounter{
		bounds:   bounds,
		seed:     maphash.MakeSeed(),
		counts:   map[uint64]*patternCounts{},
		texts:    map[uint64]bool{},
		contents: map[uint64]alikePages{},
		shown:    map[uint64]bool{},
	}
}

// countURL counts a new URL and returns the trap whose bound it exceeds, or
// TrapNone. Combinations of three or more parameters have a fixed bound: they
// multiply with what their pages link to, and each page has a text of its own. One
// or two parameters may identify the many topics of a forum.
func (c *trapCounter) countURL(address []byte) TrapKind {
	all, n := c.patterns(address)
	for _, p := range all[:n] {
		counts := c.countsOf(p.key)
		if counts == nil {
			continue
		}
		bound := p.bound
		if p.trap != TrapFacets {
			bound = min(bound, math.MaxInt/patternFactor) * patternFactor
		}
		if counts.found++; counts.found > bound {
			return p.trap
		}
	}
	return TrapNone
}

// exhausted returns the trap of a URL whose pattern has led to known texts too often
// to request another page of it, or TrapNone.
func (c *trapCounter) exhausted(address string) TrapKind {
	all, n := c.patterns([]byte(address))
	for _, p := range all[:n] {
		if counts := c.counts[p.key]; counts != nil && counts.stale-counts.fresh > p.bound {
			return p.trap
		}
	}
	return TrapNone
}

// recordText notes the main text of a page. The title does not count, because it may
// repeat the URL. The text of a copy is never new.
func (c *trapCounter) recordText(address string, digest uint64, isCopy bool) {
	all, n := c.patterns([]byte(address))
	if n == 0 {
		return
	}
	fresh := !isCopy && c.isNew(digest)
	for _, p := range all[:n] {
		switch counts := c.countsOf(p.key); {
		case counts == nil:
		case fresh:
			counts.fresh++
		default:
			counts.stale++
		}
	}
}

// isNew reports whether no page of any pattern has had a text, and notes the text.
func (c *trapCounter) isNew(digest uint64) bool {
	if c.texts[digest] {
		return false
	}
	if c.hasRoom() {
		c.texts[digest] = true
	}
	return true
}

// countsOf returns the counts of a pattern, or nil if there is no room for another.
func (c *trapCounter) countsOf(key uint64) *patternCounts {
	counts := c.counts[key]
	if counts == nil && c.hasRoom() {
		counts = &patternCounts{}
		c.counts[key] = counts
	}
	return counts
}

func (c *trapCounter) hasRoom() bool { return len(c.counts)+len(c.texts) < maxCounted }

// outsideFactor times its bound is how many pages may have the same content that other pages link to: those are not
// endless by themselves.
const outsideFactor = 40

// A shownContent is what decides whether a page is the same as others.
type shownContent struct {
	id, from ID
	title    string // it counts because the digest leaves numbers out
	digest   uint64
	shown    uint64 // pictures, videos and files
	isNamed  bool   // by a sitemap, or by itself as canonical
}

func (c *trapCounter) contentKey(s *shownContent) uint64 {
	return maphash.String(c.seed, s.title) ^ s.digest
}

// needsAnswer reports whether a second answer for a page has to tell whether its pictures are random: so many pages
// have the same text, lead to each other and show something new.
func (c *trapCounter) needsAnswer(s *shownContent) bool {
	pages := c.contents[c.contentKey(s)]
	return s.digest != 0 && pages.pictures == picturesUnknown && int(pages.fresh) >= c.bounds.SameContent &&
		c.isInside(s, &pages)
}

// recordAnswer notes whether a second answer for a page shows the same.
func (c *trapCounter) recordAnswer(s *shownContent, isSame bool) {
	pages := c.contents[c.contentKey(s)]
	if pages.pictures = picturesCount; !isSame {
		pages.pictures = picturesRandom
		pages.repeated, pages.fresh = pages.repeated+pages.fresh, 0
	}
	c.contents[c.contentKey(s)] = pages
}

// countContent counts a page by what it shows, and reports whether too many pages show the same: ever new URLs that
// lead to each other.
func (c *trapCounter) countContent(s *shownContent) (isTrap bool) {
	if s.digest == 0 {
		return false
	}
	key := c.contentKey(s)
	pages, isKnown := c.contents[key]
	switch {
	case isKnown:
		isTrap = c.countAlike(s, key, &pages)
	case len(c.contents) < maxContents:
		pages.id, pages.first = s.id, s.shown
	default:
		return false
	}
	c.contents[key] = pages
	return isTrap
}

// countAlike counts a page with the title and the text of others.
func (c *trapCounter) countAlike(s *shownContent, key uint64, pages *alikePages) (isTrap bool) {
	isInside := c.isInside(s, pages)
	c.alike.Add(s.id)
	isFresh := s.shown != pages.first && c.addShown(key, s.shown) && pages.pictures != picturesRandom
	switch {
	case isFresh && isInside:
		pages.fresh++
	case isFresh:
	case isInside:
		pages.repeated++
		// The first page is not counted.
		isTrap = pages.repeated > pages.fresh && int(pages.repeated+pages.fresh) >= c.bounds.SameContent
		if isTrap {
			c.left.Add(s.id)
		}
		return isTrap
	default:
		pages.outside++
		bound := min(c.bounds.SameContent, math.MaxInt/outsideFactor) * outsideFactor
		return int(pages.outside) > bound && !s.isNamed
	}
	return false
}

// isInside reports whether only pages that are alike lead to a page, as far as is known.
func (c *trapCounter) isInside(s *shownContent, pages *alikePages) bool {
	return (s.from == pages.id || c.alike.Has(s.from)) && !c.linked.Has(s.id)
}

// linkKnown notes a link of a page to a URL that was found before. It reports whether the URL is that of a
// page that was left out, and is to be looked at again: a page that is not like it links to it.
func (c *trapCounter) linkKnown(from, to ID) (isLeft bool) {
	if c.alike.Has(from) || c.linked.Has(to) {
		return false
	}
	c.linked.Add(to)
	isLeft = c.left.Has(to)
	c.left.Remove(to)
	return isLeft
}

// addShown reports whether what a page shows is new among those with its title and text. It is not when there is no
// room for it.
func (c *trapCounter) addShown(key, shown uint64) bool {
	key ^= shown * 0x9e3779b97f4a7c15
	if c.shown[key] || len(c.shown) >= maxContents {
		return false
	}
	c.shown[key] = true
	return true
}

// inheritContent notes that a page redirects: what it leads to is found by the link that led to it.
func (c *trapCounter) inheritContent(id, from ID) {
	if c.alike.Has(from) {
		c.alike.Add(id)
	}
}

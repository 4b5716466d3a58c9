package crawl

import (
	"hash/maphash"
	"math"
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
	contents map[uint64]int            // pages, by title and digest
}

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
		contents: map[uint64]int{},
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

// countContent counts a page by its title and main text, and reports whether too many
// pages share them. The title counts because the digest leaves numbers out.
func (c *trapCounter) countContent(title string, digest uint64) bool {
	if digest == 0 {
		return false
	}
	key := maphash.String(c.seed, title) ^ digest
	if len(c.contents) >= maxContents && c.contents[key] == 0 {
		return false
	}
	c.contents[key]++
	return c.contents[key] > c.bounds.SameContent
}

// Package compare tells what changed between two crawls, two sitemaps, or one
// of each. [Open] makes a side of a crawl file or a sitemap, and
// [Comparison.Changes] merges two of them in the order of the addresses, in
// constant memory.
package compare

import (
	"context"
	"iter"
)

// A Comparison is of two sides.
type Comparison struct {
	Old, New *Side
	// Unseen counts the addresses that Changes leaves out because one of the
	// crawls did not get to them, or could not: a limit, an interruption, a
	// server error on the page that leads there.
	Unseen int
}

// Changes returns the differences in the order of the bytes of the addresses,
// and can be asked for them again.
//
// Added is what the old side never met, removed what the new side, having come
// to its end, met no more. In a crawl, addresses that it decided not to fetch
// (excluded, traps) neither come nor go; when one side is a sitemap, neither do
// those that the crawl does not list. An address that both sides know is
// compared field by field.
//
// The first error ends the sequence.
func (c *Comparison) Changes(ctx context.Context) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		c.Unseen = 0
		olds, stopOld := iter.Pull2(c.Old.states(ctx))
		defer stopOld()
		news, stopNew := iter.Pull2(c.New.states(ctx))
		defer stopNew()
		absences := newAbsences(c.Old, c.New)
		old, err, haveOld := olds()
		for new, failed, haveNew := news(); haveOld || haveNew; {
			if err == nil {
				err = failed
			}
			if err != nil {
				yield(Change{}, err)
				return
			}
			takeOld := haveOld && (!haveNew || old.URL <= new.URL)
			takeNew := haveNew && (!haveOld || new.URL <= old.URL)
			var before, after *State
			if takeOld {
				before = &State{}
				*before = old
				old, err, haveOld = olds()
			}
			if takeNew {
				after = &State{}
				*after = new
				new, failed, haveNew = news()
			}
			if change, differs := c.judge(before, after, absences); differs && !yield(change, nil) {
				return
			}
		}
	}
}

// judge compares what the sides say of one address; a nil state is of the side
// that does not know it.
func (c *Comparison) judge(old, new *State, absences *absences) (Change, bool) {
	switch {
	case old == nil:
		return changeOf(Added, nil, new), new.known && c.counts(new)
	case new == nil:
		if !old.known || !c.counts(old) {
			return Change{}, false
		}
		if !absences.prove(old) {
			c.Unseen++
			return Change{}, false
		}
		return changeOf(Removed, old, nil), true
	case !old.known || !new.known:
		if old.known != new.known {
			c.Unseen++
		}
		return Change{}, false
	case !c.counts(old) && !c.counts(new):
		return Change{}, false
	}
	return difference(old, new)
}

// counts reports whether the coming and going of an address is a change.
func (c *Comparison) counts(s *State) bool {
	if c.Old.isList() || c.New.isList() {
		return s.Decision == Listed
	}
	return s.page
}

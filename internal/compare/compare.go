// Package compare finds the changes between two crawls, two sitemaps, or one of each.
// [Open] opens a crawl file or a sitemap as a side, and [Comparison.Changes] merges two
// sides by URL in constant memory.
package compare

import (
	"context"
	"iter"
)

// Comparison compares two sides.
type Comparison struct {
	Old, New *Side
	// Unseen is the number of URLs that Changes leaves out because a crawl did not
	// reach them: it hit a limit, was interrupted, or got a server error from the page
	// that links to them.
	Unseen int
	// Unchanged is the number of URLs that both sides know and that do not differ, or only in what is no update.
	Unchanged int
}

// Changes returns the changes ordered by the bytes of the URLs. It can be called again.
//
// An added URL is unknown to the old side. A removed URL is unknown to the new side,
// which is complete. URLs that a crawl decided not to fetch (excluded, traps) are
// neither added nor removed. If one side is a sitemap, the same is true of URLs that
// the crawl does not list. A URL that both sides know is compared field by field.
//
// The first error ends the sequence.
func (c *Comparison) Changes(ctx context.Context) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		c.Unseen, c.Unchanged = 0, 0
		olds, stopOld := iter.Pull2(c.Old.states(ctx))
		defer stopOld()
		news, stopNew := iter.Pull2(c.New.states(ctx))
		defer stopNew()
		absences := newAbsenceCheck(c.Old, c.New)
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
			if change, differs := c.compareStates(before, after, absences); differs && !yield(change, nil) {
				return
			}
		}
	}
}

// compareStates compares the states of one URL. The state of a side that does not know
// the URL is nil.
func (c *Comparison) compareStates(old, new *State, absences *absenceCheck) (Change, bool) {
	switch {
	case old == nil:
		return changeOf(KindAdded, nil, new), new.known && c.isRelevant(new)
	case new == nil:
		if !old.known || !c.isRelevant(old) {
			return Change{}, false
		}
		if !absences.isProven(old) {
			c.Unseen++
			return Change{}, false
		}
		return changeOf(KindRemoved, old, nil), true
	case !old.known || !new.known:
		if old.known != new.known {
			c.Unseen++
		}
		return Change{}, false
	case !c.isRelevant(old) && !c.isRelevant(new):
		return Change{}, false
	}
	change, differs := difference(old, new)
	if !differs || change.Kind == KindMinor {
		c.Unchanged++
	}
	return change, differs
}

// isRelevant reports whether adding or removing a URL counts as a change.
func (c *Comparison) isRelevant(s *State) bool {
	if c.Old.isList() || c.New.isList() {
		return s.Decision == Listed
	}
	return s.page
}

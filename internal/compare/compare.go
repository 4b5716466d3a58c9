// Package compare finds the changes between two crawls, two sitemaps, or one of each.
// [Open] opens a crawl file or a sitemap as a side, and [Comparison.Find] returns what
// changed from one side to the other: what a URL is now, and which facts differ. It takes
// constant memory.
package compare

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/mapatools/mapa/internal/content"
)

// Comparison compares two sides.
type Comparison struct{ Old, New *Side }

// A Pair is a URL that differs between the sides, or that only one of them knows. Old is nil for a URL that the old
// side does not know, New for one that the new side does not.
type Pair struct {
	Old, New *State
	Facts    []FactChange // that differ, if both sides know the URL
	Updated  bool         // docs/changes.md says what an update is
}

// URL returns the URL.
func (p *Pair) URL() string {
	if p.New != nil {
		return p.New.URL
	}
	return p.Old.URL
}

// Unpaired are the numbers of URLs that are no pair.
type Unpaired struct {
	// Unseen URLs are left out because a crawl did not reach them: it hit a limit, was interrupted, or got a server error
	// from the page that links to them. Unchanged URLs do not differ.
	Unseen, Unchanged int
}

// Pairs returns the URLs that differ, ordered by their bytes, and counts the others. It can be called again.
//
// A URL that only the new side knows is new. One that only the old side knows is gone if
// the new side is complete. URLs that a crawl decided not to fetch (excluded, traps) are
// neither. If one side is a sitemap, the same is true of URLs that the crawl does not list.
// A URL that both sides know is compared fact by fact.
//
// The first error ends the sequence.
func (c *Comparison) Pairs(ctx context.Context, others *Unpaired) iter.Seq2[*Pair, error] {
	return func(yield func(*Pair, error) bool) {
		absences := newAbsenceCheck(c.Old, c.New)
		for pair, err := range c.merge(ctx) {
			isPair := false
			if err == nil {
				isPair, err = c.examine(pair, absences, others)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if isPair && !yield(pair, nil) {
				return
			}
		}
	}
}

// merge returns every URL of both sides, in the order of its bytes.
func (c *Comparison) merge(ctx context.Context) iter.Seq2[*Pair, error] {
	return func(yield func(*Pair, error) bool) {
		olds, stopOld := iter.Pull2(c.Old.states(ctx))
		defer stopOld()
		news, stopNew := iter.Pull2(c.New.states(ctx))
		defer stopNew()
		old, oldErr, haveOld := olds()
		new, newErr, haveNew := news()
		for haveOld || haveNew {
			if err := cmp.Or(oldErr, newErr); err != nil {
				yield(nil, err)
				return
			}
			takeOld := haveOld && (!haveNew || old.URL <= new.URL)
			takeNew := haveNew && (!haveOld || new.URL <= old.URL)
			pair := &Pair{}
			if takeOld {
				pair.Old = old
			}
			if takeNew {
				pair.New = new
			}
			if !yield(pair, nil) {
				return
			}
			if takeOld {
				old, oldErr, haveOld = olds()
			}
			if takeNew {
				new, newErr, haveNew = news()
			}
		}
	}
}

// examine compares the states of a URL, and reports whether they are a pair.
func (c *Comparison) examine(p *Pair, absences *absenceCheck, others *Unpaired) (bool, error) {
	old, new := p.Old, p.New
	switch {
	case old == nil:
		return new.known && c.isRelevant(new), nil
	case new == nil:
		if !old.known || !c.isRelevant(old) {
			return false, nil
		}
		if !absences.isProven(old) {
			others.Unseen++
			return false, nil
		}
		return true, nil
	case !old.known || !new.known:
		if old.known != new.known {
			others.Unseen++
		}
		return false, nil
	case !c.isRelevant(old) && !c.isRelevant(new):
		return false, nil
	}
	if err := c.difference(p); err != nil {
		return false, err
	}
	if len(p.Facts) == 0 {
		others.Unchanged++
	}
	return len(p.Facts) > 0, nil
}

// difference finds the facts that differ, and whether the page is updated.
func (c *Comparison) difference(p *Pair) error {
	old, new := p.Old, p.New
	p.Facts = answerFacts(old, new)
	content, err := c.pageFacts(old, new)
	if err != nil {
		return err
	}
	p.Facts = append(p.Facts, content...)
	samePage := old.Decision == new.Decision && (old.Status == new.Status || !old.asked || !new.asked) &&
		!old.vague && !new.vague && old.isRendered == new.isRendered
	hasMoved := samePage && !sameDate(old.LastMod, new.LastMod)
	p.Updated = isUpdate(old, new, len(content) > 0, hasMoved)
	if !old.isIn() && !old.isListed {
		// No date says whether a page is updated that no sitemap lists.
		p.Updated = slices.ContainsFunc(content, func(f FactChange) bool { return f.Fact == factWords || f.Fact == "title" })
	}
	isFilledIn := old.LastMod == "" && !p.Updated     // by a crawl that looked at more
	if hasMoved && !isFilledIn && len(content) == 0 { // otherwise it follows from what changed
		p.Facts = append(p.Facts, textChange(factLastMod, old.LastMod, new.LastMod))
	}
	return nil
}

// isUpdate reports whether a page that both sides list is updated: its date in the sitemap moves then.
// Where neither side has one, the crawl of the new side says so, or else everything that differs counts.
// A file that is only touched is not updated.
func isUpdate(old, new *State, hasContent, hasMoved bool) bool {
	difference := new.difference()
	switch {
	case old.isListed || new.isListed:
		isTemplate := difference != nil && !difference.Updated
		return hasMoved || hasContent && old.LastMod == "" && new.LastMod == "" && !isTemplate
	case hasMoved:
		return hasContent || !old.isTouched || !new.isTouched
	case difference != nil:
		return difference.Updated
	}
	return hasContent && old.LastMod == "" && new.LastMod == ""
}

// difference returns what the crawl of a state says of the difference from the crawl before it, or nil.
func (s *State) difference() *content.Difference {
	if s.page == nil {
		return nil
	}
	return s.page.Page.Difference
}

// isRelevant reports whether adding or removing a URL counts as a change.
func (c *Comparison) isRelevant(s *State) bool {
	if c.Old.isList() || c.New.isList() {
		return s.Decision == Listed
	}
	return s.isPage
}

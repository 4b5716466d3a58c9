package compare

import (
	"context"
	"iter"
	"slices"

	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// Changes are what changed from one side to the other. They are in temporary files until Close removes them.
type Changes struct {
	Counts Counts
	alike  map[Kind][]*Change
	rows   map[Kind]*rowFile // in the order of the URLs
	losses rowFile
}

// A found change is a change before all are known.
type found struct {
	Change
	Pattern uint32 `json:"pattern,omitempty"` // of the URL, if both sides have the page
	Digest  uint64 `json:"digest,omitempty"`  // of a page that is gone, or new
	Units   []unit `json:"units,omitempty"`
	IsLoss  bool   `json:"is_loss,omitempty"` // of an earlier crawl
}

// Find compares the sides, in constant memory.
func (c *Comparison) Find(ctx context.Context) (_ *Changes, err error) {
	changes := &Changes{alike: make(map[Kind][]*Change), rows: make(map[Kind]*rowFile)}
	defer func() {
		if err != nil {
			changes.Close()
		}
	}()
	var first, final rowFile
	defer first.close()
	defer final.close()
	moves := &moves{c.New, make(map[uint64]int), make(map[uint64]int), make(map[uint64]newPage)}
	alike := &alike{totals: make(map[uint32]int), votes: make(map[voteKey]*vote)}
	if err := c.findKinds(ctx, changes, &first, moves, alike); err != nil {
		return nil, err
	}
	for change, err := range first.all(ctx) {
		if err == nil {
			err = moves.resolve(change, &first)
		}
		if err == nil {
			alike.vote(change)
			_, err = final.add(change)
		}
		if err != nil {
			return nil, err
		}
	}
	for change, err := range final.all(ctx) {
		if err != nil {
			return nil, err
		}
		alike.count(change)
	}
	for change, err := range final.all(ctx) {
		if err == nil {
			err = changes.add(change, alike)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, vote := range alike.won {
		changes.alike[vote.change.Kind] = append(changes.alike[vote.change.Kind], vote.change)
	}
	return changes, nil
}

// findKinds writes every URL that changed, with its kind as far as its two states decide it.
func (c *Comparison) findKinds(ctx context.Context, changes *Changes, out *rowFile, moves *moves, alike *alike) error {
	var others Unpaired
	absences := newAbsenceCheck(c.Old, c.New)
	for pair, err := range c.merge(ctx) {
		if err != nil {
			return err
		}
		pattern := uint32(0)
		if pair.Old != nil && pair.New != nil && pair.Old.isPage && pair.New.isPage {
			pattern = urlnorm.Template(pair.URL())
		}
		isPair, err := c.examine(pair, absences, &others)
		if err != nil {
			return err
		}
		if pattern != 0 && (isPair || pair.Old.hasContent() || pair.New.hasContent()) {
			alike.addPage(pattern)
		}
		if !isPair {
			continue
		}
		if reason := absences.leftOutBy(pair); reason != "" {
			tally(&changes.Counts.LeftOut, reason)
			continue
		}
		kind := pair.kind()
		if kind == "" {
			continue
		}
		change := newFound(kind, pair)
		change.Pattern = pattern
		switch kind {
		case KindNewlyBroken:
			change.IsLoss, err = c.New.hasLoss(change.URL)
		case KindFixed, KindEnteredSitemap:
			change.Returned, err = c.Old.hasLoss(change.URL)
		}
		if err != nil {
			return err
		}
		offset, err := out.add(change)
		if err != nil {
			return err
		}
		moves.note(change, offset)
	}
	changes.Counts.Unseen, changes.Counts.Unchanged = others.Unseen, others.Unchanged
	return nil
}

// hasLoss reports whether a page is an open loss.
func (s *Side) hasLoss(url string) (bool, error) {
	if s.isList() {
		return false, nil
	}
	loss, err := s.crawl.LossOf(url)
	return loss != nil, err
}

func newFound(kind Kind, p *Pair) *found {
	f := &found{Change: Change{Kind: kind, URL: p.URL(), Facts: p.Facts, Old: p.Old, New: p.New, Updated: p.Updated},
		Units: unitsOf(p.Facts)}
	if p.New != nil {
		f.Time = p.New.Time
	}
	switch kind {
	case KindRemoved, KindLeftSitemap:
		f.Digest = p.Old.digest()
	case KindNew:
		f.Digest = p.New.digest()
	}
	return f
}

// tally adds one to a number of a map, which it makes if needed.
func tally(counts *map[string]int, name string) {
	if *counts == nil {
		*counts = make(map[string]int)
	}
	(*counts)[name]++
}

// add counts a URL that changed, and adds its row unless all of its changes are those of many pages.
func (c *Changes) add(change *found, alike *alike) error {
	*c.Counts.Of(change.Kind)++
	if change.Updated && change.Kind == KindChanged {
		c.Counts.Updated++
	}
	if change.Returned {
		tally(&c.Counts.Returned, string(change.Kind))
	}
	if change.Kind == KindLeftSitemap {
		tally(&c.Counts.LeftBy, change.New.Decision)
	}
	if change.Kind.IsLoss() && (change.IsLoss || change.Old.isIn()) {
		tally(&c.Counts.Losses, string(change.Kind))
		if _, err := c.losses.add(change); err != nil {
			return err
		}
	}
	alike.markLost(change)
	for i := range change.Facts {
		tally(&c.Counts.Facts, change.Facts[i].Fact)
		if change.Kind == KindChanged {
			tally(&c.Counts.ChangedBy, change.Facts[i].Fact)
		}
		if change.Facts[i].Lost {
			tally(&c.Counts.Lost, change.Facts[i].Fact)
		}
	}
	if !alike.leave(change) {
		return nil
	}
	rows := c.rows[change.Kind]
	if rows == nil {
		rows = &rowFile{}
		c.rows[change.Kind] = rows
	}
	_, err := rows.add(change)
	return err
}

// Rows returns the changes of some kinds, of all without any, in the order of the kinds: first those of many pages,
// then the others in the order of the URLs.
func (c *Changes) Rows(ctx context.Context, kinds ...Kind) iter.Seq2[*Change, error] {
	return func(yield func(*Change, error) bool) {
		for _, kind := range Kinds {
			if len(kinds) > 0 && !slices.Contains(kinds, kind) {
				continue
			}
			for _, one := range c.alike[kind] {
				if !yield(one, nil) {
					return
				}
			}
			if c.rows[kind] == nil {
				continue
			}
			for change, err := range c.rows[kind].all(ctx) {
				if err != nil {
					yield(nil, err)
					return
				}
				if !yield(&change.Change, nil) {
					return
				}
			}
		}
	}
}

// Losses returns the pages that are lost, of those that changed, in the order of their URLs.
func (c *Changes) Losses(ctx context.Context) iter.Seq2[*Change, error] {
	return func(yield func(*Change, error) bool) {
		for change, err := range c.losses.all(ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(&change.Change, nil) {
				return
			}
		}
	}
}

// Close removes the temporary files.
func (c *Changes) Close() {
	c.losses.close()
	for _, rows := range c.rows {
		rows.close()
	}
}

// Crawls compares two crawls. The caller closes the files after the changes.
func Crawls(ctx context.Context, old, new *store.File) (*Changes, error) {
	c := &Comparison{}
	var err error
	if c.Old, err = Crawl(ctx, "", old); err != nil {
		return nil, err
	}
	if c.New, err = Crawl(ctx, "", new); err != nil {
		return nil, err
	}
	return c.Find(ctx)
}

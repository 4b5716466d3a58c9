package insight

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/store"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/anchor"
	"github.com/mapatools/mapa/internal/page"
)

const (
	// anchorBatch is the number of fragments that are looked up in one pass over the pages.
	anchorBatch = 1 << 20
	// maxMissing is how many missing anchors are found at most.
	maxMissing = 2 << 20
)

// A fragment is the anchor that a link points at: a page and the hash of an id.
type fragment struct {
	page   crawl.ID
	anchor uint32
}

func (f fragment) compare(other fragment) int {
	return cmp.Or(cmp.Compare(f.page, other.page), cmp.Compare(f.anchor, other.anchor))
}

func sortFragments(all []fragment) []fragment {
	slices.SortFunc(all, fragment.compare)
	return slices.Compact(all)
}

// newFragment returns the fragment of a link. It reports false for fragments that
// need no anchor: the top of the page, text fragments, routes of scripts
// (https://html.spec.whatwg.org/multipage/browsing-the-web.html#scrolling-to-a-fragment), and
// those of links that nobody follows, such as canonical URLs.
func newFragment(e *store.PageEdge) (fragment, bool) {
	text := e.Fragment
	if !page.IsFollowable(e.Kind) || text == "" ||
		strings.EqualFold(text, "top") || strings.HasPrefix(text, ":~:") || text[0] == '!' || text[0] == '/' {
		return fragment{}, false
	}
	text, _, _ = strings.Cut(text, ":~:")
	return fragment{e.To, anchor.HashFragment(text)}, true
}

// An anchorSearch compares the fragments of links with the anchors of the pages, one batch at
// a time.
type anchorSearch struct {
	ctx     context.Context
	crawled *store.Counter
	on      bool
	batch   []fragment
	missing []fragment // in the end sorted
}

// add looks for the anchor of a link, unless enough are missing.
func (s *anchorSearch) add(e *store.PageEdge) error {
	f, ok := newFragment(e)
	if !ok || !s.on || len(s.missing) >= maxMissing {
		return nil
	}
	if s.batch = append(s.batch, f); len(s.batch) < anchorBatch {
		return nil
	}
	return s.compare()
}

// compare finds the fragments of the batch that their pages do not have.
func (s *anchorSearch) compare() error {
	rest := sortFragments(s.batch)
	s.batch = s.batch[:0]
	if len(rest) == 0 {
		return nil
	}
	for page, err := range s.crawled.Anchors(s.ctx) {
		if err != nil {
			return err
		}
		for len(rest) > 0 && rest[0].page < page.ID {
			rest = rest[1:]
		}
		for ; len(rest) > 0 && rest[0].page == page.ID; rest = rest[1:] {
			if _, found := slices.BinarySearch(page.Hashes, rest[0].anchor); !found {
				s.missing = append(s.missing, rest[0])
			}
		}
		if len(rest) == 0 {
			break
		}
	}
	return nil
}

// isMissing reports whether the page that a link leads to does not have its anchor.
func (s *anchorSearch) isMissing(e *store.PageEdge) bool {
	f, ok := newFragment(e)
	if !ok {
		return false
	}
	_, missing := slices.BinarySearchFunc(s.missing, f, fragment.compare)
	return missing
}

// judgeAnchors reports the links to missing anchors: for each page that has them, those to the
// same anchor as one. It reads the links again if there are any.
func (j *judge) judgeAnchors() error {
	rule, s := j.rules.rule(ruleAnchor), &j.anchors
	if err := s.compare(); err != nil || rule == nil || len(s.missing) == 0 {
		return err
	}
	s.missing = sortFragments(s.missing)
	type link struct {
		to       crawl.ID
		fragment string
	}
	var from crawl.ID
	var order []link
	counts, firsts := map[link]int{}, map[link]crawl.Edge{}
	end := func() {
		for _, l := range order {
			if combine := j.end.Combine; combine != nil && combine(from, l.to, firsts[l].Position, rule.Severity) {
				continue
			}
			j.emitFinding(rule, &Finding{
				Severity: rule.Severity, Page: from, Other: l.to, Fragment: l.fragment, Count: counts[l],
				Position: firsts[l].Position, Arguments: Arguments{linkText(format.Fold(firsts[l].Text))},
			})
		}
		order = order[:0]
		clear(counts)
		clear(firsts)
	}
	for e, err := range j.crawled.Edges(j.ctx) {
		if err != nil {
			return err
		}
		if e.From != from {
			end()
			from = e.From
		}
		if !s.isMissing(&e) {
			continue
		}
		if j.end.Documents && len(order) > 0 {
			end()
		}
		l := link{e.To, e.Fragment}
		if counts[l]++; counts[l] == 1 {
			order = append(order, l)
			firsts[l] = e.Edge
		}
	}
	end()
	s.missing = nil
	return j.failed
}

package report

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/anchor"
)

const (
	// anchorBatch is the number of fragments that are looked up in one pass over the
	// pages.
	anchorBatch = 1 << 20
	// maxMissing is how many missing anchors are found at most.
	maxMissing = 2 << 20
)

// fragment is the anchor that a link points at: a page and the hash of an id.
type fragment struct {
	page   crawl.ID
	anchor uint32
}

// anchorSet holds the missing anchors that links point at.
type anchorSet struct {
	anchors []fragment // sorted; there may be millions
}

func (s *anchorSet) has(page crawl.ID, text string) bool {
	f, ok := newFragment(page, text)
	if !ok || len(s.anchors) == 0 {
		return false
	}
	_, found := slices.BinarySearchFunc(s.anchors, f, fragment.compare)
	return found
}

// sort sorts the anchors and removes repeats.
func (s *anchorSet) sort() { s.anchors = sortFragments(s.anchors) }

func sortFragments(all []fragment) []fragment {
	slices.SortFunc(all, fragment.compare)
	return slices.Compact(all)
}

func (f fragment) compare(other fragment) int {
	return cmp.Or(cmp.Compare(f.page, other.page), cmp.Compare(f.anchor, other.anchor))
}

// newFragment returns the fragment of a link. It reports false for fragments that
// need no anchor: the top of the page, text fragments, routes of scripts
// (https://html.spec.whatwg.org/multipage/browsing-the-web.html#scrolling-to-a-fragment).
func newFragment(page crawl.ID, text string) (fragment, bool) {
	if text == "" || strings.EqualFold(text, "top") || strings.HasPrefix(text, ":~:") || text[0] == '!' || text[0] == '/' {
		return fragment{}, false
	}
	text, _, _ = strings.Cut(text, ":~:")
	return fragment{page, anchor.HashFragment(text)}, true
}

// anchorSearch compares the fragments of links with the anchors of the pages, one batch at
// a time. It adds the URLs of pages with missing anchors to a table.
type anchorSearch struct {
	ctx     context.Context
	file    crawl.Reader
	table   *urlTable
	batch   []fragment
	missing anchorSet
}

// add looks for the anchor of a link, unless enough are missing.
func (s *anchorSearch) add(link *crawl.PageEdge) error {
	f, ok := newFragment(link.To, link.Fragment)
	if !ok || len(s.missing.anchors) >= maxMissing {
		return nil
	}
	if s.batch = append(s.batch, f); len(s.batch) < anchorBatch {
		return nil
	}
	return s.compare()
}

func (s *anchorSearch) compare() error {
	err := s.missing.addMissing(s.ctx, s.file, s.batch, s.table)
	s.batch = s.batch[:0]
	return err
}

// finish returns the missing anchors of all links.
func (s *anchorSearch) finish() (anchorSet, error) {
	err := s.compare()
	s.missing.sort()
	s.batch = nil
	return s.missing, err
}

// addMissing adds the fragments of a batch that their pages do not have.
func (s *anchorSet) addMissing(ctx context.Context, file crawl.Reader, batch []fragment, table *urlTable) error {
	if len(batch) == 0 {
		return nil
	}
	rest := sortFragments(batch)
	for page, err := range file.Anchors(ctx) {
		if err != nil {
			return err
		}
		for len(rest) > 0 && rest[0].page < page.ID {
			rest = rest[1:]
		}
		for ; len(rest) > 0 && rest[0].page == page.ID; rest = rest[1:] {
			if _, found := slices.BinarySearch(page.Anchors, rest[0].anchor); found {
				continue
			}
			s.anchors = append(s.anchors, rest[0])
			table.add(page.ID, page.URL)
		}
		if len(rest) == 0 {
			break
		}
	}
	return nil
}

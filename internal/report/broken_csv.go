package report

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
)

// maxPageAnchors is how many missing anchors of one target are listed for a page that
// links to them.
const maxPageAnchors = 100

// WriteBrokenLinks writes the broken links as CSV (RFC 4180): the broken URL, why it is
// broken, the page with the link, the link text. Links of a page to the same missing
// anchor are one row. Those to very many missing anchors of one target end with a row
// that counts the rest.
func WriteBrokenLinks(ctx context.Context, b *BrokenLinks, w io.Writer) (BrokenSummary, error) {
	var s BrokenSummary
	table := brokenTable{Writer: format.NewCSV(w), b: b}
	table.write("broken link", "why", "on page", "text")
	for link, err := range b.Links(ctx) {
		if err != nil {
			return s, err
		}
		s.add(link)
		if err := table.add(&link); err != nil {
			return s, err
		}
	}
	table.endPage()
	table.Flush()
	return s, table.Error()
}

// brokenTable writes the rows of broken.csv.
type brokenTable struct {
	*csv.Writer
	b    *BrokenLinks
	from crawl.ID // the page of the links
	page string   // its URL

	listed  map[string]bool  // missing anchors, with the URL
	targets []anchorTarget   // in the order of their first missing anchor
	indexes map[crawl.ID]int // in targets
}

// anchorTarget is a page with missing anchors that the current page links to.
type anchorTarget struct {
	id              crawl.ID
	listed, further int
}

func (t *brokenTable) write(cells ...string) error {
	for i := range cells {
		cells[i] = format.PlainCell(cells[i])
	}
	return t.Write(cells)
}

func (t *brokenTable) add(link *BrokenLink) error {
	if link.From != t.from {
		if err := t.endPage(); err != nil {
			return err
		}
		t.from, t.page = link.From, link.Page
	}
	if link.Anchor && !t.lists(link) {
		return nil
	}
	return t.write(link.URL, link.Why, link.Page, link.Text)
}

// lists reports whether a link to a missing anchor gets a row, and counts it if it is
// one too many.
func (t *brokenTable) lists(link *BrokenLink) bool {
	if t.listed == nil {
		t.listed, t.indexes = map[string]bool{}, map[crawl.ID]int{}
	}
	at, found := t.indexes[link.Target]
	if !found {
		at = len(t.targets)
		t.indexes[link.Target] = at
		t.targets = append(t.targets, anchorTarget{id: link.Target})
	}
	target := &t.targets[at]
	switch {
	case t.listed[link.URL]:
		return false
	case target.listed == maxPageAnchors:
		target.further++
		return false
	}
	target.listed++
	t.listed[link.URL] = true
	return true
}

// endPage counts the missing anchors of the page that have no row.
func (t *brokenTable) endPage() error {
	for _, target := range t.targets {
		if target.further == 0 {
			continue
		}
		why := fmt.Sprintf("%d more links to missing anchors", target.further)
		if err := t.write(t.b.missing.urls[target.id], why, t.page, ""); err != nil {
			return err
		}
	}
	clear(t.listed)
	clear(t.indexes)
	t.targets = t.targets[:0]
	return nil
}

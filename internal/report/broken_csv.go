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
// that counts the rest, and so does a table of more than limit bytes: a few bytes of a
// page can be a row of some kilobytes.
func WriteBrokenLinks(ctx context.Context, b *BrokenLinks, w io.Writer, limit int64) (BrokenSummary, error) {
	var s BrokenSummary
	table := brokenTable{Writer: format.NewCSV(w), b: b, room: limit}
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
	if err := table.end(); err != nil {
		return s, err
	}
	table.Flush()
	return s, table.Error()
}

// brokenTable writes the rows of broken.csv.
type brokenTable struct {
	*csv.Writer
	b    *BrokenLinks
	from crawl.ID // the page of the links
	page string   // its URL

	room    int64 // bytes of rows to write
	further int   // links without a row, since there was no room

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
		t.room -= int64(len(cells[i])) + 1
	}
	return t.Write(cells)
}

// end writes the last rows.
func (t *brokenTable) end() error {
	if err := t.endPage(); err != nil || t.further == 0 {
		return err
	}
	return t.write("", format.Plural(t.further, "more broken link")+", not listed", "", "")
}

func (t *brokenTable) add(link *BrokenLink) error {
	if link.From != t.from {
		if err := t.endPage(); err != nil {
			return err
		}
		t.from, t.page = link.From, link.Page
	}
	if t.room <= 0 {
		t.further++
		return nil
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
		url, err := t.b.table.url(target.id)
		if err != nil {
			return err
		}
		why := fmt.Sprintf("%d more links to missing anchors", target.further)
		if err := t.write(url, why, t.page, ""); err != nil {
			return err
		}
	}
	clear(t.listed)
	clear(t.indexes)
	t.targets = t.targets[:0]
	return nil
}

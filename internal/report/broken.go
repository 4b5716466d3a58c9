package report

import (
	"context"
	"io"
	"iter"
	"strconv"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
)

// A BrokenLink is a link to an address that is dead, or to a place of a page
// that is not there.
type BrokenLink struct {
	Target crawl.ID
	URL    string // with the fragment when that alone is wrong
	Why    string // status and its text, or what failed
	Status int    // HTTP status of the target; 0 without an answer
	Anchor bool   // the page is there, the place is not
	From   crawl.ID
	Page   string // the address of From
	Text   string // what people see of the link
}

// Broken is what links of a crawl must not lead to.
type Broken struct {
	file    crawl.Reader
	dead    map[crawl.ID]deadAddress
	missing anchorSet
	suspect []uint64 // a bit for every address that a broken link leads to
}

type deadAddress struct {
	url, why string
	status   int
}

// FindBroken reads the crawl for dead addresses and missing places.
func FindBroken(ctx context.Context, file crawl.Reader) (*Broken, error) {
	b := &Broken{file: file, dead: map[crawl.ID]deadAddress{}}
	for record, err := range file.Pages(ctx, crawl.ReasonClientError, crawl.ReasonServerError, crawl.ReasonUnreachable, crawl.ReasonRedirectLoop) {
		if err != nil {
			return nil, err
		}
		b.dead[record.Link.ID] = deadAddress{record.Link.URL, why(&record), record.Page.Status}
	}
	var err error
	if b.missing, err = missingAnchors(ctx, file); err != nil {
		return nil, err
	}
	for id := range b.dead {
		b.suspectOf(id)
	}
	for id := range b.missing.targets {
		b.suspectOf(id)
	}
	return b, nil
}

func (b *Broken) suspectOf(id crawl.ID) {
	for int(id/64) >= len(b.suspect) {
		b.suspect = append(b.suspect, 0)
	}
	b.suspect[id/64] |= 1 << (id % 64)
}

// why says what became of an address: its status, if there is one, and the detail.
func why(r *crawl.Record) string {
	switch {
	case !r.Fetched:
		return r.Link.Detail
	case r.Page.Status == 0, r.Page.Reason == crawl.ReasonUnreachable: // the status is of an answer that did not arrive whole
		return r.Page.Detail
	case r.Page.Detail == "":
		return strconv.Itoa(r.Page.Status)
	}
	return strconv.Itoa(r.Page.Status) + " " + r.Page.Detail
}

// Addresses returns how many addresses are dead, linked or not.
func (b *Broken) Addresses() int { return len(b.dead) }

// noPlace is why a link to a page that is there is broken.
const noPlace = "no such place on the page"

// None reports whether nothing is broken.
func (b *Broken) None() bool { return len(b.dead) == 0 && len(b.missing.places) == 0 }

func (b *Broken) has(id crawl.ID) bool {
	return int(id/64) < len(b.suspect) && b.suspect[id/64]&(1<<(id%64)) != 0
}

// Links returns every broken link in the order of the pages that hold them.
func (b *Broken) Links(ctx context.Context) iter.Seq2[BrokenLink, error] {
	return func(yield func(BrokenLink, error) bool) {
		if b.None() {
			return
		}
		for r, err := range b.file.Referrers(ctx, b.has) {
			if err != nil {
				yield(BrokenLink{}, err)
				return
			}
			if link, ok := b.judge(&r); ok && !yield(link, nil) {
				return
			}
		}
	}
}

// breaks reports whether a link is broken, and whether only the place is missing.
func (b *Broken) breaks(e crawl.Edge) (broken, anchor bool) {
	if _, dead := b.dead[e.To]; dead {
		return true, false
	}
	missing := b.missing.has(e.To, e.Fragment)
	return missing, missing
}

// judge describes a link to one of the addresses if it is broken: of a page that
// is there, only some places are missing.
func (b *Broken) judge(r *crawl.Referrer) (BrokenLink, bool) {
	link := BrokenLink{Target: r.Target, From: r.From, Page: r.URL, Text: r.Edge.Text}
	if broken, _ := b.breaks(r.Edge); !broken {
		return link, false
	}
	if dead, ok := b.dead[r.Target]; ok {
		link.URL, link.Why, link.Status = dead.url, dead.why, dead.status
		return link, true
	}
	link.URL = b.missing.targets[r.Target] + "#" + r.Edge.Fragment
	link.Why, link.Status, link.Anchor = noPlace, 200, true
	return link, true
}

// mostShown is how many broken links a summary shows.
const mostShown = 10

// A BrokenSummary counts broken links.
type BrokenSummary struct {
	Links   int          // to dead addresses
	Anchors int          // to places of a page that are not there
	First   []BrokenLink // one for each of the first addresses that are dead and linked
}

func (s *BrokenSummary) add(link BrokenLink) {
	if link.Anchor {
		s.Anchors++
		return
	}
	s.Links++
	if len(s.First) == mostShown {
		return
	}
	for _, shown := range s.First {
		if shown.Target == link.Target {
			return
		}
	}
	s.First = append(s.First, link)
}

// Summary counts the broken links.
func (b *Broken) Summary(ctx context.Context) (BrokenSummary, error) {
	var s BrokenSummary
	for link, err := range b.Links(ctx) {
		if err != nil {
			return s, err
		}
		s.add(link)
	}
	return s, nil
}

// WriteBroken writes every broken link as a line of CSV (RFC 4180): the dead
// address, why, the page that links there, the text of the link.
func WriteBroken(ctx context.Context, b *Broken, w io.Writer) (BrokenSummary, error) {
	var s BrokenSummary
	table := format.NewCSV(w)
	table.Write([]string{"broken link", "why", "on page", "text"})
	for link, err := range b.Links(ctx) {
		if err != nil {
			return s, err
		}
		s.add(link)
		if err := table.Write([]string{format.PlainCell(link.URL), format.PlainCell(link.Why), format.PlainCell(link.Page), format.PlainCell(link.Text)}); err != nil {
			return s, err
		}
	}
	table.Flush()
	return s, table.Error()
}

package store

import (
	"context"
	"iter"
	"time"

	"github.com/mapatools/mapa/crawl"
)

// An Outcome is what became of an address, as far as two crawls are compared
// by it.
type Outcome struct {
	ID      crawl.ID
	URL     string
	Fetched bool // or looked at and left; the address was decided or waits otherwise
	Time    time.Time
	Status  int
	Reason  crawl.Reason // as Record.Reason
	Target  string       // address that Page.Target stands for
	LastMod string       // as in a sitemap
	Digest  uint64
}

// Waits reports whether the address is yet to be fetched.
func (o *Outcome) Waits() bool { return !o.Fetched && o.Reason == crawl.ReasonListed }

// The sign keeps SQLite from walking along the index by address, which would
// look up every row somewhere else in a file of any size.
const selectOutcomes = `select u.id, u.url, f.id, f.time_ms, f.status,
case when f.id is null then u.reason else f.reason end,
(select t.url from url t where t.id = f.target), f.lastmod, f.digest
from url u left join fetch f on f.id = u.id where u.role = 0 order by +u.url, u.id`

// Outcomes returns the pages of the site, met or fetched, in the order of the
// bytes of their addresses.
func (f *File) Outcomes(ctx context.Context) iter.Seq2[Outcome, error] {
	return sequence(ctx, f, selectOutcomes, outcomeOf)
}

func outcomeOf(r row) Outcome {
	o := Outcome{
		ID:      crawl.ID(r.number(0)),
		URL:     r.text(1),
		Fetched: r[2] != nil,
		Status:  int(r.number(4)),
		Reason:  crawl.Reason(r.text(5)),
		Target:  r.text(6),
		LastMod: r.text(7),
		Digest:  uint64(r.number(8)),
	}
	if r[3] != nil {
		o.Time = time.UnixMilli(r.number(3)).UTC()
	}
	return o
}

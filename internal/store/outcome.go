package store

import (
	"context"
	"iter"
	"time"

	"github.com/mapatools/mapa/crawl"
)

// The plus sign keeps SQLite from reading along the index by URL, which would look
// up every row in another place of the file.
const selectOutcomes = `select u.id, u.url, f.id, f.time_ms, f.status,
case when f.id is null then u.reason else f.reason end,
case when f.target > 0 then (select t.url from url t where t.id = f.target) end, f.lastmod, f.digest
from url u left join fetch f on f.id = u.id where u.role = 0 order by +u.url, u.id`

// Outcomes implements [crawl.Reader].
func (f *File) Outcomes(ctx context.Context) iter.Seq2[crawl.Outcome, error] {
	return sequence(ctx, f, selectOutcomes, outcomeOf)
}

func outcomeOf(r row) crawl.Outcome {
	o := crawl.Outcome{
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

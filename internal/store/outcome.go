package store

import (
	"context"
	"iter"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/sqlite"
)

// The plus sign keeps SQLite from reading along the index by URL, which would look
// up every row in another place of the file.
const selectOutcomes = `select u.id, u.url, f.id, f.time_ms, f.status,
case when f.id is null then u.reason else f.reason end,
case when f.target > 0 then (select t.url from url t where t.id = f.target) end, f.lastmod, f.digest,
f.title, coalesce(f.rendered ->> '$.failure', f.rendered ->> '$.passing') is not null,
f.rendered is not null and f.rendered ->> '$.failure' is null, f.content, f.description, f.lastmod_source, f.difference
from url u left join fetch f on f.id = u.id where u.role = 0 order by +u.url, u.id`

// Outcomes implements [crawl.Reader].
func (f *File) Outcomes(ctx context.Context) iter.Seq2[crawl.Outcome, error] {
	return sequence(ctx, f, selectOutcomes, outcomeOf)
}

func outcomeOf(r sqlite.Row) crawl.Outcome {
	o := crawl.Outcome{
		ID:      crawl.ID(r.Number(0)),
		URL:     r.Text(1),
		Fetched: r[2] != nil,
		Status:  int(r.Number(4)),
		Reason:  crawl.Reason(r.Text(5)),
		Target:  r.Text(6),
		LastMod: r.Text(7),
		Digest:  uint64(r.Number(8)),
		Title:   r.Text(9),

		InDoubt: r.Number(10) != 0, Rendered: r.Number(11) != 0,
		Content: decodeContent(r.Blob(12)), Description: r.Text(13), LastModSource: crawl.LastModSource(r.Text(14)),
		Difference: decodeJSON[crawl.Difference](r.Text(15)),
	}
	if r[3] != nil {
		o.Time = time.UnixMilli(r.Number(3)).UTC()
	}
	return o
}

package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	"iter"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/crawl/render"
	"github.com/mapatools/mapa/internal/content"
	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/sitemap"
)

// Both tables are read in the order of the file and the pages are sorted: reading them
// by the index would look up every row of fetch at another place. The plus sign keeps
// SQLite from using the index (https://www.sqlite.org/optoverview.html#uplus).
const selectListed = `select f.id, u.url, f.lastmod, f.title, f.extensions from fetch f cross join url u on u.id = f.id
where f.reason is null order by +u.url`

// Listed returns the pages of the sitemap, sorted by URL, with what [crawl.Record.URL] needs of them and the title.
func (f *File) Listed(ctx context.Context) iter.Seq2[crawl.Record, error] {
	return sequence(ctx, f, selectListed, func(r sqlite.Row) crawl.Record {
		id := crawl.ID(r.Number(0))
		return crawl.Record{Fetched: true, Link: crawl.Link{ID: id, URL: r.Text(1)}, Page: crawl.Page{
			ID: id, LastMod: date(r.Text(2)), Title: r.Text(3), Extensions: decodeJSON[sitemap.Extensions](r.Text(4)),
		}}
	})
}

// fetchColumns are the columns of fetch f, in the order of appendPage. A file that was upgraded has them in another
// order.
const fetchColumns = `f.id, f.time_ms, f.status, f.reason, f.detail, f.target, f.media_type, f.size, f.transferred, f.duration_us,
f.title, f.lastmod, f.lastmod_source, f.etag, f.last_modified, f.digest,
f.words, f.body, f.language, f.conflict, f.extensions, f.reused, f.security, f.certificate_end,
` + factColumns + `, f.session_links, f.too_many_links, f.render_reason, f.rendered, f.content, f.given, f.difference`

const (
	recordColumns = `u.id, u.url, u.found_on, u.depth, u.hops, u.role, u.reason, u.detail, u.seed_sources, u.requested_url, ` +
		fetchColumns
	recordTables = "from url u left join fetch f on f.id = u.id"
	selectRecord = "select " + recordColumns + " " + recordTables + " "

	// recordCount is the number of recordColumns.
	recordCount = 41 + factCount
)

// Pages returns every URL in the order of the IDs, without links, anchors and shingles. With reasons,
// it returns only those for which [crawl.Record.Reason] is one of them, and none that still waits.
func (f *File) Pages(ctx context.Context, reasons ...crawl.Reason) iter.Seq2[crawl.Record, error] {
	where := ""
	var values []driver.Value
	if len(reasons) > 0 {
		where = "where coalesce(case when f.id is null then u.reason else f.reason end, '') in (?" + strings.Repeat(",?",
			len(reasons)-1) +
			") and (f.id is not null or u.reason is not null) "
		for _, reason := range reasons {
			values = append(values, string(reason))
		}
	}
	return sequence(ctx, f, selectRecord+where+"order by u.id", f.recordOf, values...)
}

func (f *File) recordOf(r sqlite.Row) crawl.Record {
	record := crawl.Record{Link: f.linkOf(r)}
	if r[10] == nil {
		return record
	}
	record.Fetched = true
	record.Page = crawl.Page{
		ID:            crawl.ID(r.Number(10)),
		Status:        r.Count(12),
		Reason:        crawl.Reason(r.Text(13)),
		Detail:        crawl.Detail(r.Text(14)),
		Target:        f.id(r, 15),
		MediaType:     r.Text(16),
		Size:          r.Number(17),
		Transferred:   r.Number(18),
		Duration:      time.Duration(r.Number(19)) * time.Microsecond,
		Title:         r.Text(20),
		LastMod:       date(r.Text(21)),
		LastModSource: crawl.LastModSource(r.Text(22)),
		ETag:          r.Text(23),
		LastModified:  r.Text(24),
		Digest:        uint64(r.Number(25)),
		Words:         int(r.Number(26)),
		Body:          uint64(r.Number(27)),
		Language:      r.Text(28),
		Conflict:      crawl.Detail(r.Text(29)),
		Extensions:    decodeJSON[sitemap.Extensions](r.Text(30)),
		Reused:        r.Number(31) != 0,
		Security:      crawl.Security(r.Number(32)),
		Facts:         factsOf(r, 34),
		SessionLinks:  r.Count(34 + factCount),
		TooManyLinks:  r.Number(35+factCount) != 0,
		RenderReason:  render.Reason(r.Text(36 + factCount)),
		Rendered:      decodeJSON[crawl.Rendered](r.Text(37 + factCount)),
		Content:       decodeContent(r.Blob(38 + factCount)),
		Given:         date(r.Text(39 + factCount)),
		Difference:    decodeJSON[content.Difference](r.Text(40 + factCount)),
	}
	record.Page.CertificateEnd = dayOf(r.Text(33))
	if r[11] != nil {
		record.Page.Time = time.UnixMilli(r.Number(11)).UTC()
	}
	return record
}

// date reads what Date.String wrote. It returns the zero date for anything else.
func date(s string) sitemap.Date {
	if s == "" {
		return sitemap.Date{}
	}
	d, _ := sitemap.ParseDate(s)
	return d
}

// freeCaches frees the pages that no connection of the process is using. All share the
// memory for pages that their cache sizes allow: while others hold it, pages of this one
// would be read again at every use, which makes a query that joins tables three times
// slower (pcache1Unpin of SQLite, built with SQLITE_ENABLE_MEMORY_MANAGEMENT).
const freeCaches = "pragma shrink_memory"

// sequence returns the rows of a query as records, until ctx ends.
func sequence[T any](
	ctx context.Context, f *File, text string, read func(sqlite.Row) T, values ...driver.Value,
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		var ended error
		stopped := false // by the caller, who must not be called again
		if ended = f.db.Exec(freeCaches); ended != nil {
			yield(none, f.db.Explain(ended))
			return
		}
		err := f.db.QueryUntil(ctx, text, func(r sqlite.Row) bool {
			if ended = ctx.Err(); ended != nil {
				return false
			}
			stopped = !yield(read(r), nil)
			return !stopped
		}, values...)
		if err != nil {
			ended = cmp.Or(ended, ctx.Err())
		}
		if err = cmp.Or(ended, err); err != nil && !stopped {
			yield(none, f.db.Explain(err))
		}
	}
}

// Most URLs are usual: listed HTML pages without anything else to count. To count the
// others one by one, and the usual ones as the rest, takes a third of the time of
// "group by", which sorts.
const (
	selectUnusual = `select f.id is not null, u.role, u.reason, f.reason, f.status,
case when f.id is null then u.detail else f.detail end, f.media_type, f.session_links, f.too_many_links, f.conflict, f.render_reason, f.rendered, u.seed_sources
from url u left join fetch f on f.id = u.id
where f.id is null or u.role <> 0 or f.reason is not null or f.media_type is not 'text/html'
or f.session_links <> 0 or f.too_many_links <> 0 or f.conflict is not null or f.rendered is not null`
	countURLs = "select count(*) from url"
)

// Summary counts the URLs by what was decided about them.
func (f *File) Summary(ctx context.Context) (crawl.Summary, error) {
	summary, unusual := crawl.Summary{Reasons: make(map[crawl.Reason]int64)}, int64(0)
	add := func(r sqlite.Row) struct{} {
		unusual++
		summary.Add(&crawl.Record{
			Fetched: r.Number(0) != 0,
			Link: crawl.Link{
				Role: crawl.Role(r.Number(1)), Reason: crawl.Reason(r.Text(2)), Detail: crawl.Detail(r.Text(5)),
				SeededBy: crawl.SeedSource(r.Number(12)),
			},
			Page: crawl.Page{
				Reason: crawl.Reason(r.Text(3)), Status: r.Count(4), Detail: crawl.Detail(r.Text(5)), MediaType: r.Text(6),
				SessionLinks: r.Count(7), TooManyLinks: r.Number(8) != 0, Conflict: crawl.Detail(r.Text(9)),
				RenderReason: render.Reason(r.Text(10)), Rendered: decodeJSON[crawl.Rendered](r.Text(11)),
			},
		}, 1)
		return struct{}{}
	}
	for _, err := range sequence(ctx, f, selectUnusual, add) {
		if err != nil {
			return crawl.Summary{}, err
		}
	}
	for all, err := range sequence(ctx, f, countURLs, func(r sqlite.Row) int64 { return r.Number(0) }) {
		if err != nil {
			return crawl.Summary{}, err
		}
		if all > unusual {
			summary.Add(&crawl.Record{Fetched: true, Page: crawl.Page{Status: 200, MediaType: "text/html"}}, all-unusual)
		}
	}
	return summary, nil
}

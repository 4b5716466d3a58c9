package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	"iter"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/sqlite"
)

// numberColumns follow those of a record.
const numberColumns = `, n.id, n.depth, n.previous, n.linked_from, n.links,
case when f.target > 0 then (select t.url from url t where t.id = f.target) end `

// pageColumns are recordColumns without the faults, which became findings: their JSON takes as long as the rest of a
// row.
var pageColumns = strings.Replace(recordColumns, "f.faults", "null", 1)

// selectPages returns the query for pages, up to its conditions. Figures take time, and few crawls have any.
func (f *File) selectPages() (string, error) {
	has, err := f.HasFigures()
	columns, tables := "", ""
	if has {
		columns, tables = ", "+figureColumns, " left join figure g on g.id = u.id"
	}
	return "select " + pageColumns + numberColumns + columns + " " + recordTables +
		" left join numbers n on n.id = u.id" + tables + " ", err
}

// numberCount is the number of numberColumns.
const numberCount = 6

func (f *File) pageOf(r sqlite.Row) page.Page {
	p := page.Page{Record: f.recordOf(r), TargetURL: r.Text(recordCount + numberCount - 1)}
	if len(r) > recordCount+numberCount {
		p.Figures = figuresOf(r[recordCount+numberCount:])
	}
	if r[recordCount] == nil {
		return p
	}
	p.Numbers = page.Numbers{Counted: true, Depth: page.Unreached, Before: f.id(r, recordCount+2),
		Linked: uint32(r.Count(recordCount + 3)), Links: uint32(r.Count(recordCount + 4))}
	if r[recordCount+1] != nil {
		p.Depth = int32(r.Count(recordCount + 1))
	}
	return p
}

// ReadPages returns every URL that is not gone in the order of the IDs, or only those with one of the decisions, after
// the crawl was counted. The next URL may reuse the page.
func (f *File) ReadPages(ctx context.Context, decisions ...crawl.Reason) iter.Seq2[*page.Page, error] {
	return func(yield func(*page.Page, error) bool) {
		if err := f.ensureNumbers(ctx); err != nil {
			yield(nil, err)
			return
		}
		where, values := "", []driver.Value(nil)
		for i, decision := range decisions {
			where += [...]string{"where n.decision in (?", ",?"}[min(i, 1)]
			values = append(values, page.DecisionName(decision))
		}
		if where != "" {
			where += ") "
		}
		text, err := f.selectPages()
		if err != nil {
			yield(nil, err)
			return
		}
		for p, err := range sequence(ctx, f, text+where+"order by u.id", f.pageOf, values...) {
			if err == nil && p.Gone() {
				continue
			}
			if !yield(&p, err) || err != nil {
				return
			}
		}
	}
}

// ReadPage returns a URL by its ID, after the crawl was counted, or false when no URL has it.
func (f *File) ReadPage(ctx context.Context, id crawl.ID) (p page.Page, known bool, err error) {
	if err := f.ensureNumbers(ctx); err != nil {
		return p, false, err
	}
	find, err := f.prepareLookup()
	if err == nil && find.page == nil {
		var text string
		if text, err = f.selectPages(); err == nil {
			find.page, err = f.db.Prepare(text + "where u.id = ?")
		}
	}
	if err == nil {
		err = find.page.Query(func(r sqlite.Row) bool {
			p, known = f.pageOf(r), true
			return true
		}, int64(id))
	}
	return p, known, f.db.Explain(err)
}

// CountPages returns how many URLs a query selects.
func (f *File) CountPages(ctx context.Context, q *page.Query) (n int64, err error) {
	text, values := q.SQL("count(*)")
	err = f.query(ctx, text, func(r sqlite.Row) { n = r.Number(0) }, values...)
	return n, err
}

// FindPages returns the IDs of URLs that a query selects, in its order: a part of them, after as many.
func (f *File) FindPages(ctx context.Context, q *page.Query, after, limit int64) (ids []crawl.ID, err error) {
	text, values := q.SQL("n.id")
	err = f.query(ctx, text+q.Order()+" limit ? offset ?", func(r sqlite.Row) { ids = append(ids, crawl.ID(r.Number(0))) },
		append(values, limit, after)...)
	return ids, err
}

// query calls each with the rows of a query, after the crawl was counted.
func (f *File) query(ctx context.Context, text string, each func(sqlite.Row), values ...any) error {
	if err := f.ensureNumbers(ctx); err != nil {
		return err
	}
	bound := make([]driver.Value, len(values))
	for i := range values {
		bound[i] = values[i]
	}
	err := f.db.QueryUntil(ctx, text, func(r sqlite.Row) bool {
		each(r)
		return true
	}, bound...)
	if err != nil {
		return cmp.Or(ctx.Err(), f.db.Explain(err))
	}
	return nil
}

// A ValueCount is the number of URLs with a value of a fact: a text, or a number where that is Known.
type ValueCount struct {
	Text   string
	Number int64
	Known  bool
	Count  int
}

// CountValues counts the URLs that a query selects by the values of a counted fact, in the order of the fact.
func (f *File) CountValues(ctx context.Context, q *page.Query, key string) (counts []ValueCount, err error) {
	text, values := q.CountSQL(key)
	err = f.query(ctx, text, func(r sqlite.Row) {
		counts = append(counts, ValueCount{r.Text(0), r.Number(0), r[0] != nil, r.Count(1)})
	}, values...)
	return counts, err
}

// lastMillisecond ends the year 9999: JSON has no later time (RFC 3339).
const lastMillisecond = 253_402_300_799_999

// LastTime returns the time of the last request for a page of the site, or the zero time.
func (f *File) LastTime(ctx context.Context) (last time.Time, err error) {
	const text = "select max(time) from numbers where requested = 1 and role = 'page'"
	err = f.query(ctx, text, func(r sqlite.Row) {
		if r[0] != nil {
			last = time.UnixMilli(min(max(r.Number(0), 0), lastMillisecond)).UTC()
		}
	})
	return last, err
}

// PathTo returns the URLs on the shortest path from the start to a URL, or none where no links lead there. It has the
// last ones of a path with more than most steps.
func (f *File) PathTo(ctx context.Context, p *page.Page, most int) (path []crawl.ID, err error) {
	if !p.Counted || p.Depth == page.Unreached {
		return nil, nil
	}
	const text = `with recursive path (id, step) as (
	values (?, 1) union all
	select n.previous, step + 1 from path join numbers n on n.id = path.id where n.previous > 0 and step < ?
) select id from path order by step desc`
	err = f.query(ctx, text, func(r sqlite.Row) { path = append(path, f.id(r, 0)) }, int64(p.Link.ID), int64(most))
	return path, err
}

// A PageTitle is a URL with the title of its page.
type PageTitle struct {
	ID         crawl.ID
	URL, Title string
}

// Titles returns every URL in the order of the IDs.
func (f *File) Titles(ctx context.Context) iter.Seq2[PageTitle, error] {
	const text = "select u.id, u.url, f.title from url u left join fetch f on f.id = u.id order by u.id"
	return sequence(ctx, f, text, func(r sqlite.Row) PageTitle {
		return PageTitle{crawl.ID(r.Number(0)), r.Text(1), r.Text(2)}
	})
}

// Last returns the largest ID of the crawl.
func (f *File) Last() crawl.ID { return f.last }

// RulesOfPages returns the IDs of the rules that found something on a page that is not ignored.
func (f *File) RulesOfPages(ctx context.Context) (ids []string, err error) {
	const text = "select distinct rule from finding_rule join finding_group using (rule_id) where first_page > 0 and ignored = 0 order by rule"
	err = f.query(ctx, text, func(r sqlite.Row) { ids = append(ids, r.Text(0)) })
	return ids, err
}

// FilterRule selects the pages on which the rule with an ID found something that is not ignored.
func FilterRule(q *page.Query, id string) {
	q.Where(`n.id in (select page from finding_page where group_id in
(select id from finding_rule join finding_group using (rule_id) where rule = ? and ignored = 0))`, id)
}

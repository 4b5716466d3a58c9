package result

import (
	"container/heap"
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/sqlite"
)

// Limits of a part of a list.
const (
	defaultLimit = 50
	maxLimit     = 1000
)

func clampLimit(limit int) int {
	if limit <= 0 {
		return defaultLimit
	}
	return min(limit, maxLimit)
}

// found is a URL that a query found, with the key that it is sorted by.
type found struct {
	key uint32
	id  int64
	numbers
}

func (f *found) after(key uint32, id int64) bool { return f.key > key || f.key == key && f.id > id }

// nearest is a heap of the first URLs after a cursor, with the last of them on top. Before a cursor it is one of
// the last URLs, with the first of them on top.
type nearest struct {
	all    []found
	before bool
}

func (h *nearest) Len() int           { return len(h.all) }
func (h *nearest) Less(i, j int) bool { return h.all[i].after(h.all[j].key, h.all[j].id) != h.before }
func (h *nearest) Swap(i, j int)      { h.all[i], h.all[j] = h.all[j], h.all[i] }
func (h *nearest) Push(x any)         { h.all = append(h.all, x.(found)) }
func (h *nearest) Pop() any {
	last := h.all[len(h.all)-1]
	h.all = h.all[:len(h.all)-1]
	return last
}

// add adds a URL unless there are limit that are nearer to the cursor.
func (h *nearest) add(f *found, limit int) {
	switch {
	case len(h.all) < limit:
		heap.Push(h, *f)
	case f.after(h.all[0].key, h.all[0].id) == h.before:
		h.all[0] = *f
		heap.Fix(h, 0)
	}
}

// Pages returns a part of the pages that a filter selects: the first for the cursor "",
// then the one that Next of the part before names. A limit of 0 is the default of 50; the
// largest is 1000. The errors are [*FilterError] and ErrCursor.
func (r *Result) Pages(ctx context.Context, f Filter, cursor string, limit int) (_ *PageList, err error) {
	defer r.explain(&err)
	q, err := r.read(ctx, &f)
	if err != nil {
		return nil, err
	}
	key, after, err := pageCursor(cursor)
	if err != nil {
		return nil, err
	}
	limit = clampLimit(limit)
	list, next, before := &PageList{}, nearest{}, nearest{before: true}
	err = r.scan(ctx, q, 0, func(f *found) bool {
		list.Total++
		if f.after(key, after) {
			next.add(f, limit+1)
			return true
		}
		list.Before++
		before.add(f, limit+1)
		return true
	})
	if err != nil {
		return nil, err
	}
	if list.Before > limit {
		list.Previous = newPageCursor(before.all[0].key, before.all[0].id)
	}
	first := next.all
	slices.SortFunc(first, func(a, b found) int {
		if a.after(b.key, b.id) {
			return 1
		}
		return -1
	})
	if len(first) > limit {
		first = first[:limit]
		list.Next = newPageCursor(first[limit-1].key, first[limit-1].id)
	}
	list.Pages, err = r.rows(ctx, first)
	return list, err
}

const selectNumbers = "select first, numbers from number_block where first >= ? order by first"

// scan calls each with the URLs that a query finds, in the order of their IDs from one
// on, until it returns false. The next URL reuses what each is called with.
func (r *Result) scan(ctx context.Context, q *query, from int64, each func(*found) bool) error {
	// Texts are read on the same connection: scans that wait for a second one would wait
	// for each other.
	conn, err := r.index.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	texts, err := conn.PrepareContext(ctx, selectTexts)
	if err != nil {
		return err
	}
	defer texts.Close()
	rows, err := conn.QueryContext(ctx, selectNumbers, from-from%blockLength)
	if err != nil {
		return err
	}
	defer rows.Close()
	matched := make([]bool, blockLength)
	var f found
	for rows.Next() {
		var first int64
		var block sql.RawBytes
		if err := rows.Scan(&first, &block); err != nil {
			return err
		}
		if len(block) != blockLength*numbersSize {
			return sqlite.ErrDamaged
		}
		if len(q.needles) > 0 {
			if any, err := search(ctx, texts, q, first, block, matched); err != nil || !any {
				if err != nil {
					return err
				}
				continue
			}
		}
		for i := range blockLength {
			if len(q.needles) > 0 && !matched[i] {
				continue
			}
			f.read(block[i*numbersSize:])
			if f.id = first + int64(i); f.id < from || !q.matches(&f.numbers, f.id) {
				continue
			}
			if f.key = q.key(&f.numbers); q.backwards {
				f.key = ^f.key
			}
			if !each(&f) {
				return nil
			}
		}
	}
	return rows.Err()
}

const selectTexts = "select texts from text_block where first = ?"

// search sets matched for the URLs of a block that the search of a query finds. It does
// not read the texts when no URL of the block has the numbers.
func search(
	ctx context.Context, texts *sql.Stmt, q *query, first int64, block []byte, matched []bool,
) (any bool, err error) {
	var n numbers
	for i := 0; i < blockLength && !any; i++ {
		n.read(block[i*numbersSize:])
		any = q.matches(&n, first+int64(i))
	}
	if !any {
		return false, nil
	}
	clear(matched)
	any = false
	rows, err := texts.QueryContext(ctx, first)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	for rows.Next() {
		var texts sql.RawBytes
		if err := rows.Scan(&texts); err != nil {
			return false, err
		}
		findLines(texts, q.needles, func(line int) {
			if line < blockLength {
				matched[line], any = true, true
			}
		})
	}
	return any, rows.Err()
}

// rows returns URLs with all that a list shows of them.
func (r *Result) rows(ctx context.Context, all []found) ([]Page, error) {
	pages := make([]Page, 0, len(all))
	err := r.files.use(ctx, func(file *crawlReader) error {
		for i := range all {
			page, _, err := file.page(ctx, all[i].id, &all[i].numbers)
			if err != nil {
				return err
			}
			pages = append(pages, page)
		}
		return nil
	})
	return pages, err
}

// page returns a URL as a row of a list, and its record.
func (f *crawlReader) page(ctx context.Context, id int64, n *numbers) (Page, *crawl.Record, error) {
	if err := ctx.Err(); err != nil {
		return Page{}, nil, err
	}
	record, known, err := f.Record(crawl.ID(id))
	if err == nil && !known {
		err = fmt.Errorf("%w: page %d: %w", sqlite.ErrDamaged, id, ErrNotFound)
	}
	if err != nil {
		return Page{}, nil, err
	}
	p := newPage(&record, n)
	if record.Page.Target > 0 {
		ref, err := f.ref(record.Page.Target)
		if err != nil {
			return Page{}, nil, err
		}
		p.Target = &ref
	}
	return p, &record, nil
}

func newPage(r *crawl.Record, n *numbers) Page {
	page, plain := &r.Page, format.Plain
	p := Page{
		ID: int64(r.Link.ID), URL: plain(r.Link.URL), Title: plain(page.Title), Role: report.RoleName(r.Link.Role),
		Decision: plain(report.DecisionName(report.DecisionOf(r))),
		Detail:   plainDetail(r.Link.Detail), Conflict: plainDetail(page.Conflict),
		Status: page.Status, Reused: page.Reused, MediaType: plain(page.MediaType), Duration: page.Duration,
		DurationMS: float64(page.Duration.Microseconds()) / 1000, Size: page.Size,
		LastMod: page.LastMod.String(), LastModSource: plain(string(page.LastModSource)),
		Depth: int(n.depth), Linked: int(n.linked), Links: int(n.links), Sources: report.SeedNames(r.Link.SeededBy),
		Rendered: page.Rendered,
		Language: plain(page.Language), Words: page.Words, TitleLength: insight.Columns(page.Title),
	}
	p.IsRendered, p.RenderReason, p.RenderFailure = report.RenderedFields(page)
	p.RenderFailure = plain(p.RenderFailure)
	if r.Fetched {
		p.Detail = plainDetail(page.Detail)
	}
	p.DetailText, p.ConflictText = p.Detail.String(), p.Conflict.String()
	if facts := page.Facts; facts != nil {
		p.Facts = &Facts{
			Description: plain(facts.Description), DescriptionLength: insight.Columns(facts.Description),
			H1: plain(facts.H1), ImagesWithoutAlt: facts.ImagesWithoutAlt, OpenGraph: facts.OpenGraph.Names(),
			OpenGraphType: plain(facts.OpenGraphType), JSONLD: plain(facts.JSONLD), NeedsScript: facts.NeedsScript,
		}
	}
	return p
}

// plainDetail returns a detail whose code and arguments are plain.
func plainDetail(detail crawl.Detail) crawl.Detail {
	code, arguments := detail.Split()
	for i, argument := range arguments {
		arguments[i] = format.Plain(argument)
	}
	return crawl.NewDetail(crawl.Detail(format.Plain(code)), arguments...)
}

// ref names a URL. One that a hostile crawl file names and does not have is empty.
func (f *crawlReader) ref(id crawl.ID) (Ref, error) {
	record, _, err := f.Record(id)
	return Ref{
		ID: int64(id), URL: format.Plain(record.Link.URL), Status: record.Page.Status,
		Decision: format.Plain(report.DecisionName(report.DecisionOf(&record))),
	}, err
}

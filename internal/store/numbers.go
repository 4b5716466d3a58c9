package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/bitset"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/sqlite"
)

// A Counter is a crawl file that counts the links while somebody reads them by Distances. Then it can write
// the tables by which lists are filtered and sorted.
type Counter struct {
	*File
	links linkCounter
	depth []int32
	path  []crawl.ID
}

// NewCounter returns a counter that has counted nothing yet.
func (f *File) NewCounter() *Counter { return &Counter{File: f} }

// Distances is that of the file, and counts the links.
func (c *Counter) Distances(
	ctx context.Context, each func(*PageEdge) error,
) (depth []int32, previous []crawl.ID, err error) {
	if c.links, err = c.newLinkCounter(ctx, func(crawl.ID, crawl.ID) {}); err != nil {
		return nil, nil, err
	}
	c.depth, c.path, err = c.File.Distances(ctx, func(e *PageEdge) error {
		c.links.add(e)
		if each == nil {
			return nil
		}
		return each(e)
	})
	return c.depth, c.path, err
}

// dropTemporary drops the tables that hide those of the file, also where they were not filled to the end.
const dropTemporary = "drop table if exists temp.numbers; drop table if exists temp.folder;"

// Write replaces the tables, after the findings, which say what is broken.
func (c *Counter) Write(ctx context.Context) error {
	if err := c.db.Exec(dropTemporary + "delete from numbers; delete from folder"); err != nil {
		return err
	}
	if err := c.fillTables(ctx, c.brokenLinks); err != nil {
		return err
	}
	c.counted = true
	return c.setFiles("insert or replace into meta (name, value) values (?, ?)", countedName, "1")
}

// fillTables fills the tables, which are empty. broken returns the URLs that count as broken.
func (c *Counter) fillTables(ctx context.Context, broken func(context.Context) (bitset.Set[crawl.ID], error)) error {
	if c.depth == nil {
		if _, _, err := c.Distances(ctx, nil); err != nil {
			return err
		}
	}
	c.links.addRedirects(func(id crawl.ID) bool { return c.depth[id] != page.Unreached })
	places := &places{position: make([]uint32, c.last+1), folder: make([]uint32, c.last+1)}
	var err error
	if places.broken, err = broken(ctx); err != nil {
		return err
	}
	if err := c.writeFolders(ctx, places); err != nil {
		return err
	}
	return c.writeNumbers(ctx, places)
}

// countedName is the row of meta that says that the tables numbers and folder are those of the crawl.
const countedName = "counted"

// places say where each URL is among all, by ID.
type places struct {
	broken           bitset.Set[crawl.ID]
	position, folder []uint32
}

// brokenLinks returns the URLs that the findings call broken links.
func (c *Counter) brokenLinks(ctx context.Context) (broken bitset.Set[crawl.ID], err error) {
	const text = "select iif(other > 0, other, first_page) from " + ruleGroups + "where rule = 'link-broken'"
	err = c.db.QueryUntil(ctx, text, func(r sqlite.Row) bool {
		broken.Add(c.id(r, 0))
		return true
	})
	return broken, err
}

// brokenPages returns the URLs that are broken by what was decided about them, of a crawl without findings.
func (c *Counter) brokenPages(ctx context.Context) (broken bitset.Set[crawl.ID], err error) {
	err = c.db.QueryUntil(ctx, "select id, reason from fetch where reason is not null", func(r sqlite.Row) bool {
		if crawl.Reason(r.Text(1)).Broken() {
			broken.Add(c.id(r, 0))
		}
		return true
	})
	return broken, err
}

// insertNumbers returns what writes a row for each URL.
func (f *File) insertNumbers() (*sqlite.Inserter, error) {
	columns := append([]string{"id"}, page.CountedColumns()...)
	return f.db.NewInserter("numbers", append(columns, "previous", "requested", "broken", "position", "folder")...)
}

// writeNumbers writes a row for each URL that is not gone.
func (c *Counter) writeNumbers(ctx context.Context, places *places) (err error) {
	insert, err := c.insertNumbers()
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, insert.Close()) }()
	var values []driver.Value
	for record, err := range sequence(ctx, c.File, "select "+pageColumns+" "+recordTables+" order by u.id", c.recordOf) {
		if err != nil {
			return err
		}
		if record.Gone() {
			continue
		}
		id := record.Link.ID
		p := page.Page{Record: record, Numbers: page.Numbers{
			Counted: true, Depth: c.depth[id], Before: c.path[id], Linked: c.links.to[id], Links: c.links.from[id],
		}}
		requested := page.IsRequested(&record)
		values = p.AppendCounted(append(values[:0], int64(id)))
		values = append(values, int64(p.Before), int64(flag(requested, 1)), int64(flag(places.broken.Has(id), 1)),
			int64(places.position[id]), int64(places.folder[id]))
		if err := insert.Add(values...); err != nil {
			return err
		}
	}
	return insert.Flush()
}

// ensureNumbers makes the tables numbers and folder usable: those that the end of the crawl wrote, or else temporary
// ones.
func (f *File) ensureNumbers(ctx context.Context) error {
	if f.counted {
		return nil
	}
	err := f.db.Query("select 1 from meta where name = '"+countedName+"'", func(sqlite.Row) bool {
		f.counted = true
		return false
	})
	if err != nil || f.counted {
		return err
	}
	if err := f.db.Exec(dropTemporary + page.NumbersTable("temp ")); err != nil {
		return err
	}
	c := f.NewCounter()
	if err := c.fillTables(ctx, c.brokenPages); err != nil {
		return cmp.Or(ctx.Err(), f.db.Explain(err))
	}
	f.counted = true
	return nil
}

// forgetNumbers records that the crawl changes, so that the tables are not those of the crawl until they are written
// again.
func (f *File) forgetNumbers() error {
	f.counted = false
	return f.db.Exec("delete from meta where name = '" + countedName + "'")
}

// A linkCounter counts links: one of a page to another URL, however many elements make it, and a redirect to its
// target.
type linkCounter struct {
	from, to  []uint32   // by ID: URLs that it links to, and pages that link to it
	last      []crawl.ID // by ID: the last page that links to it
	redirects []pagePair // in the order of from
	next      []pagePair // those of pages whose links were not added yet
	pair      func(from, to crawl.ID)
}

// A pagePair is a URL and another one that it leads to.
type pagePair struct{ from, to crawl.ID }

// newLinkCounter returns a counter that calls pair with every link that it counts.
func (f *File) newLinkCounter(ctx context.Context, pair func(from, to crawl.ID)) (c linkCounter, err error) {
	size := f.last + 1
	c = linkCounter{from: make([]uint32, size), to: make([]uint32, size), last: make([]crawl.ID, size), pair: pair}
	const text = "select id, target from fetch where reason = 'redirect' and target > 0 order by id"
	err = f.db.QueryUntil(ctx, text, func(r sqlite.Row) bool {
		if to := f.id(r, 1); to > 0 {
			c.redirects = append(c.redirects, pagePair{f.id(r, 0), to})
		}
		return true
	})
	c.next = c.redirects
	return c, err
}

// add counts a link. The links of a page follow each other.
func (c *linkCounter) add(e *PageEdge) {
	if e.To == e.From || e.To <= 0 || int(e.To) >= len(c.to) || c.last[e.To] == e.From || !page.IsFollowable(e.Kind) {
		return
	}
	c.last[e.To] = e.From
	c.to[e.To]++
	c.from[e.From]++
	c.pair(e.From, e.To)
	for len(c.next) > 0 && c.next[0].from < e.From {
		c.next = c.next[1:]
	}
	if len(c.next) > 0 && c.next[0] == (pagePair{e.From, e.To}) {
		c.next[0].to = 0 // by an element of the page, which is a link already
	}
}

// addRedirects counts the redirects that pages link to, or that can be reached, after all links.
func (c *linkCounter) addRedirects(isReached func(crawl.ID) bool) {
	counts := func(r pagePair) bool { return r.to > 0 && (c.to[r.from] > 0 || isReached(r.from)) }
	c.redirects = slices.DeleteFunc(c.redirects, func(r pagePair) bool { return !counts(r) })
	for _, r := range c.redirects {
		c.to[r.to]++
		c.pair(r.from, r.to)
	}
}

// InLinks calls each with every pair of a page and another URL that it links to, each pair once, in the order of the
// pages; redirects come last. The fact linked_from counts these.
func (f *File) InLinks(ctx context.Context, each func(from, to crawl.ID)) error {
	if err := f.ensureNumbers(ctx); err != nil {
		return err
	}
	c, err := f.newLinkCounter(ctx, each)
	if err != nil {
		return err
	}
	var reached bitset.Set[crawl.ID]
	err = f.query(ctx, "select id from numbers where depth is not null", func(r sqlite.Row) { reached.Add(f.id(r, 0)) })
	if err != nil {
		return err
	}
	for e, err := range f.Edges(ctx) {
		if err != nil {
			return err
		}
		c.add(&e)
	}
	c.addRedirects(reached.Has)
	return nil
}

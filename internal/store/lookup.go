package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	"fmt"
	"iter"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/sqlite"
)

// indexByURL creates the index by URL, when the crawl is finished or when a URL is
// first looked up. Keeping it up to date during the crawl would cost more than all
// the rest of Append.
const indexByURL = "create index if not exists url_url on url (url)"

// lookup holds the statements that find single rows.
type lookup struct {
	id, url, link, record, whole, groupPages *sqlite.Statement
	page                                     *sqlite.Statement // prepared when it is first needed
}

// prepareLookup prepares the statements at the first call.
func (f *File) prepareLookup() (*lookup, error) {
	if f.lookup != nil {
		return f.lookup, nil
	}
	var err error
	prepare := func(text string) *sqlite.Statement {
		s, failed := f.db.Prepare(text)
		err = cmp.Or(err, failed)
		return s
	}
	prepared := &lookup{
		id:     prepare("select min(id) from url where url = ?"),
		url:    prepare("select id, url, found_on, depth, hops, role, reason, detail, seed_sources, requested_url from url where id = ?"),
		link:   prepare("select edges, anchors, shingles from link where id = ?"),
		record: prepare(selectRecord + "where u.id = ?"),
		whole: prepare("select " + recordColumns + ", l.edges, l.anchors, l.shingles " + recordTables +
			" left join link l on l.id = u.id where u.id = coalesce(?, (select min(id) from url where url = ?))"),
		// The plus sign keeps SQLite from planning the query again for each value.
		groupPages: prepare("select page from finding_page where group_id = ? and +page between 1 and ? order by number limit ?"),
	}
	if err != nil {
		return nil, err
	}
	f.lookup = prepared
	return prepared, nil
}

// Link returns a URL by its ID, without the result of its fetch. An ID that is not there is an
// error.
func (f *File) Link(id crawl.ID) (crawl.Link, error) {
	find, err := f.prepareLookup()
	if err != nil {
		return crawl.Link{}, err
	}
	var link crawl.Link
	err = find.url.Query(func(r sqlite.Row) bool {
		link = f.linkOf(r)
		return true
	}, int64(id))
	if err == nil && link.ID == 0 {
		err = fmt.Errorf("%w: URL %d is missing", sqlite.ErrDamaged, id)
	}
	if err != nil {
		return crawl.Link{}, f.db.Explain(err)
	}
	return link, nil
}

// readLinks reads edges, anchors and shingles of a page.
func (f *File) readLinks(page *crawl.Page) error {
	find, err := f.prepareLookup()
	if err != nil {
		return err
	}
	var damaged error
	err = find.link.Query(func(r sqlite.Row) bool {
		damaged = f.setLinks(page, r)
		return true
	}, int64(page.ID))
	return cmp.Or(err, damaged)
}

// setLinks sets what a row has of table link.
func (f *File) setLinks(page *crawl.Page, r sqlite.Row) (err error) {
	page.Links, err = readEdges(r.Blob(0), f.last)
	page.Anchors, page.Shingles = readHashes(r.Blob(1)), readHashes(r.Blob(2))
	return err
}

// Page returns the record of a URL, or false when no URL has this ID.
func (f *File) Page(id crawl.ID) (crawl.Record, bool, error) {
	record, err := f.page(int64(id), nil)
	if err != nil {
		return crawl.Record{}, false, fmt.Errorf("page %d: %w", id, f.db.Explain(err))
	}
	return record, record.Link.ID != 0, nil
}

// page returns a URL with all that is known of its page, by its ID or else by the URL.
func (f *File) page(id, url driver.Value) (record crawl.Record, err error) {
	find, err := f.prepareLookup()
	if err != nil {
		return record, err
	}
	var damaged error
	err = find.whole.Query(func(r sqlite.Row) bool {
		record = f.recordOf(r)
		damaged = f.setLinks(&record.Page, r[recordCount:])
		return true
	}, id, url)
	return record, cmp.Or(err, damaged)
}

func (f *File) record(id crawl.ID) (crawl.Record, error) {
	find, err := f.prepareLookup()
	if err != nil {
		return crawl.Record{}, err
	}
	var record crawl.Record
	err = find.record.Query(func(r sqlite.Row) bool {
		record = f.recordOf(r)
		return true
	}, int64(id))
	return record, err
}

// PageByURL returns the record of a URL, or false when the crawl did not find it. The first call
// creates the index by URL when it is missing, which takes some seconds for a million URLs. A file
// that is only read is searched without one.
func (f *File) PageByURL(url string) (crawl.Record, bool, error) {
	err := f.makeIndex()
	var record crawl.Record
	if err == nil {
		record, err = f.page(nil, url)
	}
	if err != nil {
		return crawl.Record{}, false, fmt.Errorf("page %s: %w", url, f.db.Explain(err))
	}
	return record, record.Link.ID != 0, nil
}

// HasURL reports whether the crawl found a URL, without reading what it found there.
func (f *File) HasURL(url string) (bool, error) {
	id, err := f.idOf(url)
	if err != nil {
		return false, f.db.Explain(err)
	}
	return id != 0, nil
}

// makeIndex makes the index by URL when it is missing and the file may be written.
func (f *File) makeIndex() error {
	if f.indexed || f.readOnly {
		return nil
	}
	err := f.db.Exec(indexByURL)
	f.indexed = err == nil
	return err
}

// idOf returns the ID of a URL, or 0.
func (f *File) idOf(url string) (crawl.ID, error) {
	if err := f.makeIndex(); err != nil {
		return 0, err
	}
	find, err := f.prepareLookup()
	if err != nil {
		return 0, err
	}
	var id crawl.ID
	err = find.id.Query(func(r sqlite.Row) bool {
		id = crawl.ID(r.Number(0))
		return true
	}, url)
	return id, err
}

// KeepReading begins a transaction that lasts until the file is closed, so that no lookup has to begin one. Nothing may
// be written to the file from then on.
func (f *File) KeepReading() error {
	err := f.makeIndex()
	if err == nil {
		err = f.db.Exec("begin")
	}
	f.reading = err == nil
	return err
}

// Lookup implements [crawl.Previous]. It returns false when the file cannot be read,
// too: a page that is not found is only fetched in full.
func (f *File) Lookup(url string) (page crawl.Page, target string, ok bool) {
	f.lookupMutex.Lock()
	defer f.lookupMutex.Unlock()
	record, ok, err := f.PageByURL(url)
	if err != nil || !ok || !record.Fetched || record.Link.OnlyEarlier() { // without its links
		return crawl.Page{}, "", false
	}
	if record.Page.Target != 0 {
		link, err := f.Link(record.Page.Target)
		if err != nil {
			return crawl.Page{}, "", false
		}
		target = link.URL
	}
	return record.Page, target, true
}

// Lists (4) and logs (8) come from outside of the site, and differ from run to run.
const selectURLsToAsk = `select u.url from fetch f cross join url u on u.id = f.id
where f.reason is null and u.role = 0 and (u.seed_sources & 12 = 0 or (select linked_from from numbers n where n.id = u.id) is not 0)
union all select url from loss`

// URLsToAsk implements [crawl.Previous].
func (f *File) URLsToAsk(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		f.lookupMutex.Lock()
		defer f.lookupMutex.Unlock()
		for address, err := range sequence(ctx, f, selectURLsToAsk, func(r sqlite.Row) string { return r.Text(0) }) {
			if !yield(address, err) {
				return
			}
		}
	}
}

// URL implements [crawl.Previous].
func (f *File) URL(id crawl.ID) (string, error) {
	f.lookupMutex.Lock()
	defer f.lookupMutex.Unlock()
	link, err := f.Link(id)
	return cmp.Or(link.RequestedURL, link.URL), err
}

package store

import (
	"cmp"
	"fmt"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/sqlite"
)

// indexByURL creates the index by URL, when the crawl is finished or when a URL is
// first looked up. Keeping it up to date during the crawl would cost more than all
// the rest of Append.
const indexByURL = "create index if not exists url_url on url (url)"

// lookup holds the statements that find single rows.
type lookup struct {
	id, url, link, record *sqlite.Statement
	page                  *sqlite.Statement // prepared when it is first needed
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
	}
	if err != nil {
		return nil, err
	}
	f.lookup = prepared
	return prepared, nil
}

// Link implements [crawl.Reader].
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
		page.Links, damaged = readEdges(r.Blob(0), f.last)
		page.Anchors, page.Shingles = readHashes(r.Blob(1)), readHashes(r.Blob(2))
		return true
	}, int64(page.ID))
	return cmp.Or(err, damaged)
}

// Page implements [crawl.Reader].
func (f *File) Page(id crawl.ID) (crawl.Record, bool, error) {
	record, err := f.page(id)
	if err != nil {
		return crawl.Record{}, false, fmt.Errorf("page %d: %w", id, f.db.Explain(err))
	}
	return record, record.Link.ID != 0, nil
}

func (f *File) page(id crawl.ID) (crawl.Record, error) {
	record, err := f.record(id)
	if err == nil && record.Fetched {
		err = f.readLinks(&record.Page)
	}
	return record, err
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

// PageByURL implements [crawl.Reader]. The first call creates the index by URL when
// it is missing, which takes some seconds for a million URLs. A file that is only read
// is searched without one.
func (f *File) PageByURL(url string) (crawl.Record, bool, error) {
	id, err := f.idOf(url)
	if err != nil {
		return crawl.Record{}, false, f.db.Explain(err)
	}
	return f.Page(id)
}

// HasURL reports whether the crawl found a URL, without reading what it found there.
func (f *File) HasURL(url string) (bool, error) {
	id, err := f.idOf(url)
	if err != nil {
		return false, f.db.Explain(err)
	}
	return id != 0, nil
}

// idOf returns the ID of a URL, or 0.
func (f *File) idOf(url string) (crawl.ID, error) {
	if !f.indexed && !f.readOnly {
		if err := f.db.Exec(indexByURL); err != nil {
			return 0, err
		}
		f.indexed = true
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

// Lookup implements [crawl.Previous]. It returns false when the file cannot be read,
// too: a page that is not found is only fetched in full.
func (f *File) Lookup(url string) (crawl.PreviousPage, bool) {
	f.lookupMutex.Lock()
	defer f.lookupMutex.Unlock()
	record, ok, err := f.PageByURL(url)
	if err != nil || !ok || !record.Fetched {
		return crawl.PreviousPage{}, false
	}
	previous := crawl.PreviousPage{Page: record.Page}
	previous.Page.Links = nil
	if record.Page.Target != 0 {
		target, err := f.Link(record.Page.Target)
		if err != nil {
			return crawl.PreviousPage{}, false
		}
		previous.TargetURL = target.URL
	}
	for _, e := range record.Page.Links {
		link, err := f.Link(e.To)
		if err != nil {
			return crawl.PreviousPage{}, false
		}
		previous.Links = append(previous.Links, crawl.PreviousLink{URL: cmp.Or(link.RequestedURL, link.URL), Edge: e})
	}
	return previous, true
}

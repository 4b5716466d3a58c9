// Package result answers queries about a crawl for the web application and the JSON
// API: pages by many filters, links, folders, changes. The crawl file is the index. [Open] reads it
// once to keep what it does not have, the texts to search and the links to each page, in the file
// result.sqlite next to it. A query takes the same memory for a crawl of any size.
//
// All texts come from the crawled site: they may be of any length and say anything.
//
// The numbers are those of package report, and what the rules found is that of package insight.
package result

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/store"
)

var (
	// ErrNotFound means that the crawl has no URL, folder or group with this name or number.
	ErrNotFound = store.ErrNotFound
	// ErrCursor means that a cursor was not made by the list that it is given to.
	ErrCursor = errors.New("invalid cursor")
)

// A Result is an open crawl. It is safe for concurrent use. A few queries run at the same
// time, and others wait for them.
type Result struct {
	file      *sqlite.File // the tables
	index     *sql.DB      // the connections to them
	tables    string       // folder where missing tables are written
	damaged   atomic.Bool
	files     *readers
	previous  *readers // nil without a previous crawl
	last      crawl.ID
	overview  report.Overview
	choices   map[string][]Choice // by the key of a fact
	temporary string              // folder to remove when it is closed, or empty
}

// Open opens the crawl in a folder. The first time, and when the crawl has changed, it
// reads the whole crawl: this takes half a minute for a million URLs, and 100 bytes of memory
// for each. It writes nothing but a file in the folder tables, usually the same. Where that is
// read-only, it reads the whole crawl every time. A [sqlite.Error] says what is
// wrong with a crawl file.
func Open(ctx context.Context, folder, tables string) (_ *Result, err error) {
	c, r := newCrawlFolder(folder), &Result{tables: tables}
	file, err := c.open()
	if err != nil {
		return nil, err
	}
	r.files, r.last = newReaders(file, c.crawl, maxConnections), file.Last()
	defer func() {
		if err != nil {
			err = errors.Join(err, r.Close())
		}
	}()
	if err := r.openIndex(ctx, c, tables); err != nil {
		return nil, fmt.Errorf("open %s for queries: %w", folder, err)
	}
	previous, err := c.openPrevious(file)
	if previous != nil {
		r.previous = newReaders(previous, c.previous, 1)
	}
	return r, err
}

// building has room for one: tables are written one crawl at a time, because that takes
// memory for each URL.
var building = make(chan struct{}, 1)

// openIndex opens the tables of queries, and writes them first where they are missing or
// damaged.
func (r *Result) openIndex(ctx context.Context, c *crawlFolder, tables string) (err error) {
	name := filepath.Join(tables, resultName)
	for _, present := range []string{filepath.Join(c.name, resultName), name} {
		if err := r.readIndex(ctx, present, c.stamp); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	select {
	case building <- struct{}{}:
		defer func() { <-building }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := r.readIndex(ctx, name, c.stamp); !errors.Is(err, fs.ErrNotExist) {
		return err // somebody else wrote them
	}
	err = build(ctx, name, c)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		if r.temporary, err = os.MkdirTemp("", "mapa-"); err != nil {
			return err
		}
		name = filepath.Join(r.temporary, resultName)
		err = build(ctx, name, c)
	}
	if err != nil {
		return err
	}
	return r.readIndex(ctx, name, c.stamp)
}

// readIndex opens tables and reads what every query needs. The error wraps fs.ErrNotExist
// when there are none with this stamp, or damaged ones.
func (r *Result) readIndex(ctx context.Context, name, stamp string) (err error) {
	file, err := openTables(ctx, name, stamp)
	if err != nil {
		return err
	}
	index := file.Pool(maxConnections)
	for key, value := range map[string]any{"choices": &r.choices, "overview": &r.overview} {
		if err == nil {
			err = readMeta(ctx, index, key, value)
		}
	}
	if err != nil {
		return errors.Join(cmp.Or(ctx.Err(), fmt.Errorf("%s: %w", name, fs.ErrNotExist)), file.Close())
	}
	r.file, r.index = file, index
	return nil
}

// errDamaged fits the errors of damaged tables, and not those of a damaged crawl file.
var errDamaged = &sqlite.Error{Kind: sqlite.KindIndex, Err: sqlite.ErrDamaged}

// explain is deferred by every query. It names the error of damaged tables. Those in the
// folder for tables are removed: the next Open writes them again.
func (r *Result) explain(err *error) {
	*err = r.file.Explain(*err)
	if !errors.Is(*err, errDamaged) || !r.damaged.CompareAndSwap(false, true) {
		return
	}
	if filepath.Dir(r.file.Name()) == filepath.Clean(r.tables) {
		_ = os.Remove(r.file.Name()) // a folder that is read-only keeps them
	}
}

// Damaged reports whether a query has found that the tables are damaged. The crawl must
// be opened again then.
func (r *Result) Damaged() bool { return r.damaged.Load() }

// Close closes all files. No query may run.
func (r *Result) Close() error {
	var err error
	if r.file != nil {
		err = r.file.Close()
	}
	err = errors.Join(err, r.files.close())
	if r.previous != nil {
		err = errors.Join(err, r.previous.close())
	}
	if r.temporary != "" {
		err = errors.Join(err, os.RemoveAll(r.temporary))
	}
	return err
}

// Overview returns the verdict and the numbers of the crawl. It is shared: do not change it.
func (r *Result) Overview(context.Context) (*report.Overview, error) { return &r.overview, nil }

// crawlReader is an open crawl file.
type crawlReader struct{ *store.File }

// readers are open files of one crawl, each used by one goroutine at a time.
type readers struct {
	name string
	free chan *crawlReader // nil for one that is not open yet
}

// newReaders returns up to limit readers of a crawl file that is open. Of the copy of a
// file that belongs together with a log there is only one.
func newReaders(file *store.File, name string, limit int) *readers {
	r := &readers{name: name, free: make(chan *crawlReader, limit)}
	r.free <- &crawlReader{file}
	if !file.IsCopy() {
		for range limit - 1 {
			r.free <- nil
		}
	}
	return r
}

// use calls do with a reader when there is a free one.
func (r *readers) use(ctx context.Context, do func(*crawlReader) error) error {
	var reader *crawlReader
	select {
	case reader = <-r.free:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { r.free <- reader }()
	if reader == nil {
		file, err := store.OpenReader(r.name)
		if err != nil {
			return err
		}
		reader = &crawlReader{file}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return do(reader)
}

// close closes all files. None may be in use.
func (r *readers) close() (err error) {
	for {
		select {
		case reader := <-r.free:
			if reader != nil {
				err = errors.Join(err, reader.Close())
			}
		default:
			return err
		}
	}
}

// pages returns URLs by their IDs.
func (f *crawlReader) pages(ctx context.Context, ids []crawl.ID) ([]*page.Page, error) {
	pages := make([]*page.Page, 0, len(ids))
	for _, id := range ids {
		switch p, err := f.page(ctx, id); {
		case errors.Is(err, ErrNotFound): // in a file that another program has changed
		case err != nil:
			return nil, err
		default:
			pages = append(pages, p)
		}
	}
	return pages, nil
}

// page returns a URL by its ID. The error wraps ErrNotFound without one.
func (f *crawlReader) page(ctx context.Context, id crawl.ID) (*page.Page, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p, known, err := f.ReadPage(ctx, id)
	if err == nil && !known {
		err = fmt.Errorf("page %d: %w", id, ErrNotFound)
	}
	return &p, err
}

// ref names a URL. One that a hostile crawl file names and does not have is empty.
func (f *crawlReader) ref(id crawl.ID) (Ref, error) {
	record, _, err := f.Record(id)
	return newRef(id, &record), err
}

// A Ref names another URL of the crawl and what was decided about it.
type Ref struct {
	ID       int64  `json:"id"`
	URL      string `json:"url"`
	Decision string `json:"decision"`
	Status   int    `json:"status,omitempty"`
}

func newRef(id crawl.ID, r *crawl.Record) Ref {
	return Ref{
		ID: int64(id), URL: format.Plain(r.Link.URL), Status: r.Page.Status,
		Decision: format.Plain(page.DecisionName(page.DecisionOf(r))),
	}
}

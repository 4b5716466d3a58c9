package figures

import (
	"bytes"
	"cmp"
	"context"
	"database/sql/driver"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// Name is the file in the folder of a crawl.
const Name = "figures.sqlite"

//go:embed schema.sql
var schema string

var spec = sqlite.Spec{
	Kind: sqlite.KindFigures, Version: 1, Schema: schema, Lock: sqlite.LockWhole, Private: true, Wait: time.Minute,
	Settings: "pragma synchronous = full; pragma cache_size = -8192; pragma temp_store = file;",
}

// A File is an open file of figures. It is for one goroutine at a time.
type File struct{ db *sqlite.File }

// Open opens the figures of a site, and makes the file if there is none. Its folder must exist. Only its owner may read
// it. A [sqlite.Error] says what is wrong with a file that cannot be used.
func Open(ctx context.Context, name string) (*File, error) {
	db, err := sqlite.Open(ctx, name, &spec, sqlite.Create)
	if err != nil {
		return nil, err
	}
	return &File{db}, nil
}

// OpenPresent is Open for a file that exists. Without one it returns nil.
func OpenPresent(ctx context.Context, name string) (*File, error) {
	db, err := sqlite.Open(ctx, name, &spec, sqlite.Write)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &File{db}, nil
}

// Created reports whether Open made the file.
func (f *File) Created() bool { return f.db.Created() }

// CopyTo writes the figures of a site to a new file, also while others use them. The error wraps fs.ErrNotExist when
// there is no file, or one whose creation was cut off.
func CopyTo(ctx context.Context, name, copied string) error {
	db, err := sqlite.Open(ctx, name, &spec, sqlite.Share)
	if err != nil {
		return err
	}
	db.Pool(1)
	return errors.Join(db.CopyTo(ctx, copied), db.Close())
}

// Close closes the file.
func (f *File) Close() error { return f.db.Close() }

// A Site is what URLs of exports are of.
type Site struct {
	Start string             // absolute; paths are resolved against it
	Key   urlnorm.KeyOptions // of URLs that are one page
	Strip []string           // the names of the parameters that Key ignores, for the user's own
	// Folder says that the site is a folder of files: index.html is the page of its folder.
	Folder bool
}

// appendKey appends the key of a URL.
func (s *Site) appendKey(to, url []byte) []byte {
	to = urlnorm.AppendKey(to, url, s.Key)
	if s.Folder {
		if before, is := bytes.CutSuffix(to, []byte("/index.html")); is {
			to = append(before, '/')
		}
	}
	return to
}

// Read reads exports: archives as they were downloaded, folders, and tables. Tables in one folder that are named one by
// one are one export. Either all of them are kept or, with an error, none. The errors are those of ctx and a
// [*FileError].
func (f *File) Read(ctx context.Context, names []string, site *Site, now time.Time) (exports []Export, err error) {
	base, err := urlnorm.NewBase([]byte(site.Start))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if err := checkSite(name, site); err != nil {
			return nil, &FileError{name, err}
		}
	}
	groups, err := groupsOf(names)
	if err != nil {
		return nil, err
	}
	defer closeGroups(groups)
	err = f.db.InTransaction(func() error {
		if err := f.rekey(ctx, site); err != nil {
			return err
		}
		for i := range groups {
			added, err := f.readGroup(ctx, &groups[i], base, site, now)
			if err != nil {
				return err
			}
			exports = append(exports, added...)
		}
		return nil
	})
	if err != nil {
		return nil, cmp.Or(ctx.Err(), f.db.Explain(err))
	}
	return exports, nil
}

// Check reports whether Read would know what the files have, without reading their pages.
func Check(ctx context.Context, names []string, now time.Time) error {
	groups, err := groupsOf(names)
	if err != nil {
		return err
	}
	defer closeGroups(groups)
	for i := range groups {
		c, err := groups[i].read(ctx)
		if err == nil {
			_, err = groups[i].exportsOf(c, now)
		}
		if err != nil {
			return cmp.Or(ctx.Err(), err)
		}
	}
	return nil
}

func (f *File) readGroup(
	ctx context.Context, g *group, base *urlnorm.Base, site *Site, now time.Time,
) (exports []Export, err error) {
	c, err := g.read(ctx)
	if err != nil {
		return nil, err
	}
	if exports, err = g.exportsOf(c, now); err != nil {
		return nil, err
	}
	at := 0
	for i := range exports {
		e := &exports[i]
		if e.Kind == KindIndex {
			if err := f.addIndex(e, c); err != nil {
				return nil, err
			}
			continue
		}
		if err := f.addPages(ctx, e, &c.pages[at], base, site); err != nil {
			return nil, err
		}
		at++
	}
	return exports, nil
}

// same returns what is equal for exports that replace each other.
func (e *Export) same() string {
	switch e.Kind {
	case KindTable:
		return strings.Join([]string{string(e.Kind), e.Name}, "\n")
	case KindSearch:
		return strings.Join([]string{string(e.Kind), e.Engine}, "\n")
	}
	return strings.Join([]string{string(e.Kind), e.Engine, e.Scope, e.Reason}, "\n")
}

// Is reports whether both are the same export of a file of figures.
func (e *Export) Is(other *Export) bool { return e.id == other.id }

// replace makes an export the current one, unless a newer one is. Exports of pages in other folders are of another
// property of the site, and remain.
func (f *File) replace(e *Export) error {
	before, err := f.current("same = ?", e.same())
	if err != nil {
		return err
	}
	if e.Kind != KindIndex && e.Kind != KindTable {
		before = slices.DeleteFunc(before, func(old Export) bool { return !old.overlaps(e) })
	}
	isNewer := func(old Export) bool { return old.Until > e.Until && e.Kind != KindTable }
	if e.Older = slices.ContainsFunc(before, isNewer); e.Older {
		return nil
	}
	return f.retire(before)
}

// current returns the exports that count and meet a condition, the oldest first.
func (f *File) current(condition string, values ...driver.Value) (exports []Export, err error) {
	var damaged error
	text := "select id, record from export where current and " + condition + " order by until, id"
	err = f.db.Query(text, func(r sqlite.Row) bool {
		var e Export
		if damaged = json.Unmarshal([]byte(r.Text(1)), &e); damaged != nil {
			damaged = fmt.Errorf("%w: %w", sqlite.ErrDamaged, damaged)
			return false
		}
		e.id = r.Number(0)
		exports = append(exports, e)
		return true
	}, values...)
	return exports, cmp.Or(damaged, err)
}

// retire removes the pages of exports, which no longer count.
func (f *File) retire(exports []Export) error {
	for i := range exports {
		id := exports[i].id
		err := f.exec("delete from figure where export = ?", id)
		if err = cmp.Or(err, f.exec("update export set current = 0 where id = ?", id)); err != nil {
			return err
		}
	}
	return nil
}

// overlaps reports whether two exports may have the same pages.
func (e *Export) overlaps(other *Export) bool {
	return slices.ContainsFunc(e.Covers, func(a string) bool {
		return slices.ContainsFunc(other.Covers, func(b string) bool {
			return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
		})
	}) || len(e.Covers) == 0 || len(other.Covers) == 0
}

// record writes the row of an export.
func (f *File) record(e *Export) error {
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return f.exec("insert or replace into export (id, name, current, same, until, record) values (?, ?, ?, ?, ?, ?)",
		e.id, e.Name, number(!e.Older), e.same(), e.Until, string(text))
}

func number(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

func (f *File) nextID() (id int64, err error) {
	err = f.db.Query("select coalesce(max(id), 0) + 1 from export", func(r sqlite.Row) bool {
		id = r.Number(0)
		return false
	})
	return id, err
}

// exec runs a statement once.
func (f *File) exec(text string, values ...driver.Value) error {
	s, err := f.db.Prepare(text)
	if err != nil {
		return err
	}
	return errors.Join(s.Exec(values...), s.Close())
}

// addIndex adds the days of an index, and its reasons unless a newer export has them. Numbers of a newer export
// replace those of the same day.
func (f *File) addIndex(e *Export, c *contents) (err error) {
	if err := f.replace(e); err != nil {
		return err
	}
	if e.id, err = f.nextID(); err != nil {
		return err
	}
	add := "insert or replace into day (scope, day, indexed, not_indexed) values (?, ?, ?, ?)"
	if e.Older {
		add = strings.Replace(add, "replace", "ignore", 1)
	}
	for _, one := range c.days {
		if err := f.exec(add, e.Scope, one.day, one.indexed, one.notIndexed); err != nil {
			return err
		}
	}
	if !e.Older {
		err = f.exec("delete from reason where scope = ?", e.Scope)
		for reason, pages := range c.reasons {
			err = errors.Join(err, f.exec("insert into reason (scope, reason, pages) values (?, ?, ?)", e.Scope, reason, pages))
		}
		err = errors.Join(err, f.retireSolved(e, c))
	}
	return errors.Join(err, f.record(e))
}

// retireSolved retires the older exports of reasons that have no page in an index any more: Search Console exports no
// empty list.
func (f *File) retireSolved(index *Export, c *contents) error {
	if len(c.reasons) == 0 {
		return nil
	}
	exports, err := f.current("until < ?", index.Until)
	if err != nil {
		return err
	}
	return f.retire(slices.DeleteFunc(exports, func(e Export) bool {
		return e.Kind != KindReason || e.Reason == "" || e.Scope != index.Scope || c.reasons[e.Reason] > 0
	}))
}

// errNoRow says that an export would replace another one by nothing.
var errNoRow = errors.New("none of its rows can be used")

// addPages adds the pages of a table, unless a newer one has them.
func (f *File) addPages(ctx context.Context, e *Export, t *readTable, base *urlnorm.Base, site *Site) (err error) {
	if e.id, err = f.nextID(); err != nil {
		return err
	}
	insert, err := f.db.NewInserter("figure",
		"key", "export", "url", "clicks", "impressions", "position", "crawl", "joined")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, insert.Close()) }()
	var url, key []byte
	var covers coverage
	err = t.each(ctx, func(one *row) error {
		resolved, failed := base.AppendResolve(url[:0], []byte(one.url))
		if failed != nil || !urlnorm.IsHTTP(one.url) && !strings.HasPrefix(one.url, "/") {
			e.Skipped++
			return nil
		}
		if _, fragment, has := strings.Cut(one.url, "#"); has { // a part of a page is not the page for an engine
			resolved = append(append(resolved, '#'), fragment...)
		}
		e.Rows++
		e.Clicks, e.Impressions = e.Clicks+one.clicks, e.Impressions+one.impressions
		covers.add(string(resolved))
		url, key = resolved, site.appendKey(key[:0], resolved)
		joined := driver.Value(nil)
		if len(one.joined) > 0 {
			text, err := json.Marshal(one.joined)
			if err != nil {
				return err
			}
			joined = string(text)
		}
		return insert.Add(string(key), e.id, string(resolved), one.clicks, one.impressions, one.position, one.crawl, joined)
	})
	if err = cmp.Or(err, insert.Flush()); err != nil {
		return err
	}
	if e.Rows == 0 {
		return &FileError{t.name, errNoRow}
	}
	e.Covers = covers.list()
	e.setCut()
	if err = f.replace(e); err == nil && e.Older {
		err = f.exec("delete from figure where export = ?", e.id)
	}
	return cmp.Or(err, f.record(e))
}

// keyName is the row of meta with the ignored parameters that the keys are made with.
const keyName = "strip"

// rekey makes the keys again where other parameters are ignored than before.
func (f *File) rekey(ctx context.Context, site *Site) error {
	strip := strings.Join(slices.Sorted(slices.Values(site.Strip)), "\n")
	if site.Folder {
		strip = "index.html\n" + strip
	}
	before, known := "", false
	err := f.db.Query("select value from meta where name = ?", func(r sqlite.Row) bool {
		before, known = r.Text(0), true
		return false
	}, keyName)
	if err != nil || known && before == strip {
		return err
	}
	if known {
		if err := f.makeKeys(ctx, site); err != nil {
			return err
		}
	}
	return f.exec("insert or replace into meta (name, value) values (?, ?)", keyName, strip)
}

// keysOfBatch is how many keys are made at once.
const keysOfBatch = 1000

func (f *File) makeKeys(ctx context.Context, site *Site) error {
	update, err := f.db.Prepare("update figure set key = ? where rowid = ?")
	if err != nil {
		return err
	}
	for last := int64(0); err == nil; {
		urls, ids := []string{}, []int64{}
		const text = "select rowid, url from figure where rowid > ? order by rowid limit ?"
		err = f.db.QueryUntil(ctx, text, func(r sqlite.Row) bool {
			ids, urls = append(ids, r.Number(0)), append(urls, r.Text(1))
			return true
		}, last, int64(keysOfBatch))
		for i, url := range urls {
			last = ids[i]
			err = cmp.Or(err, update.Exec(string(site.appendKey(nil, []byte(url))), last))
		}
		if len(urls) == 0 {
			break
		}
	}
	return errors.Join(err, update.Close())
}

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/crawl/storetest"
	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/statefile"
)

// TestOpenReader reads a finished crawl file several times at once, and leaves nothing
// in its folder.
func TestOpenReader(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "crawl.sqlite")
	f, err := Create(name, crawl.Meta{Start: "https://site.example/"})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Append(t.Context(), childSite.commit(0)); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenReader(name); !errors.Is(err, sqlite.ErrLocked) {
		t.Errorf("while it is written: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	before := sqlite.Stamp(name)
	for range 4 {
		reader, err := OpenReader(name)
		if err != nil {
			t.Fatal(err)
		}
		defer reader.Close()
		if _, _, err := reader.PageByURL("https://site.example/none"); err != nil {
			t.Error(err)
		}
		if err := reader.Append(t.Context(), childSite.commit(1)); err == nil {
			t.Error("a reader can write")
		}
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 || sqlite.Stamp(name) != before {
		t.Errorf("files %v, %v", entries, err)
	}
}

// TestOpenReaderLog reads a crawl that was killed, whose pages are in its log.
func TestOpenReaderLog(t *testing.T) {
	running, killed := filepath.Join(t.TempDir(), "crawl.sqlite"), filepath.Join(t.TempDir(), "crawl.sqlite")
	f, err := Create(running, crawl.Meta{Start: "https://site.example/"})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Append(t.Context(), childSite.commit(0)); err != nil {
		t.Fatal(err)
	}
	err = errors.Join(statefile.Copy(killed, running), statefile.Copy(killed+sqlite.LogSuffix, running+sqlite.LogSuffix))
	if err != nil {
		t.Fatal(err)
	}
	before := sqlite.Stamp(killed)
	var readers []*File
	for range 4 {
		reader, err := OpenReader(killed)
		if err != nil {
			t.Fatal(err)
		}
		readers = append(readers, reader)
		pages := 0
		for record, err := range reader.Pages(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if record.Fetched {
				pages++
			}
		}
		if pages != childSite.pages {
			t.Errorf("%d pages", pages)
		}
	}
	for _, reader := range readers {
		copied := reader.copiedTo
		if err := reader.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(copied); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the copy is left: %v", err)
		}
	}
	entries, err := os.ReadDir(filepath.Dir(killed))
	if err != nil || len(entries) != 2 || sqlite.Stamp(killed) != before {
		t.Errorf("files %v, %v", entries, err)
	}
}

// TestCraftedFile opens files that another program has changed.
func TestCraftedFile(t *testing.T) {
	for change, want := range map[string]error{
		"delete from url": sqlite.ErrDamaged,
		"delete from url; delete from fetch; delete from link":                            fs.ErrNotExist,
		"update url set id = -7 where id = 2":                                             sqlite.ErrDamaged,
		"update url set id = 9223372036854775807 where id = 2":                            sqlite.ErrDamaged,
		"update url set id = 4000000000 where id = 2":                                     sqlite.ErrDamaged,
		"update fetch set id = 4000000000 where id = 2":                                   sqlite.ErrDamaged,
		"update link set id = -1 where id = 2":                                            sqlite.ErrDamaged,
		"drop view page; drop table link":                                                 sqlite.ErrDamaged,
		"drop view page; alter table url rename to u; create view url as select * from u": sqlite.ErrDamaged,
		"update fetch set target = -9, status = 1 << 60":                                  nil,
		"update url set found_on = 1 << 60, depth = 1 << 60, hops = -1":                   nil,
		"update link set edges = x'ffffffffffffffff7f00'":                                 nil,
	} {
		name := filepath.Join(t.TempDir(), "crawl.sqlite")
		f, err := Create(name, crawl.Meta{Start: "https://site.example/"})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(f.Append(t.Context(), childSite.commit(0)), f.db.Exec(change), f.Close()); err != nil {
			t.Fatal(err)
		}
		reader, err := OpenReader(name)
		if !errors.Is(err, want) {
			t.Errorf("%s: %v", change, err)
		}
		if err != nil {
			continue
		}
		for record, err := range reader.Pages(t.Context()) {
			if err != nil || record.Page.Target < 0 || record.Link.From > reader.last || record.Link.Depth < 0 {
				t.Errorf("%s: %+v, %v", change, record, err)
			}
		}
		for edge, err := range reader.Edges(t.Context()) {
			if err == nil && (edge.To < 0 || edge.To > reader.last) {
				t.Errorf("%s: %+v", change, edge)
			}
		}
		if err := reader.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestMissingColumns opens files whose columns have other names. They are damaged, are
// not kept open, and the error does not repeat SQL.
func TestMissingColumns(t *testing.T) {
	f, whole := create(t)
	var changes []string
	const columns = "select t.name, c.name from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table'"
	err := f.db.Query(columns, func(r sqlite.Row) bool {
		changes = append(changes, fmt.Sprintf("alter table %s rename column %s to renamed", r.Text(0), r.Text(1)))
		return true
	})
	if err := errors.Join(err, f.Append(t.Context(), childSite.commit(0)), f.Close()); err != nil {
		t.Fatal(err)
	}
	if len(changes) < 46 {
		t.Fatalf("%d columns", len(changes))
	}
	for _, rename := range changes {
		name := filepath.Join(t.TempDir(), "crawl.sqlite")
		if err := statefile.Copy(name, whole); err != nil {
			t.Fatal(err)
		}
		change(t, name, "drop view page; "+rename)
		before := sqlite.Stamp(name)
		for i, open := range []func(string) (*File, error){OpenReader, Open, OpenReader} {
			_, err := open(name)
			if !errors.Is(err, sqlite.ErrDamaged) || strings.Contains(err.Error(), "column") {
				t.Errorf("%s: %d: %v", rename, i, err)
			}
		}
		if sqlite.Stamp(name) != before {
			t.Errorf("%s: the file was changed", rename)
		}
	}
}

// TestKeepReading reads a file in one transaction, which must not outlast it.
func TestKeepReading(t *testing.T) {
	f, _ := create(t)
	for _, c := range storetest.Sample() {
		if err := f.Append(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.KeepReading(); err != nil {
		t.Fatal(err)
	}
	page, _, known := f.Lookup("https://example.com/")
	url, err := f.URL(1)
	if !known || page.ID != 1 || url != "https://example.com/" || err != nil {
		t.Errorf("%t, page %d, %q, %v", known, page.ID, url, err)
	}
	f = reopen(t, f, false)
	if _, err := os.Stat(f.db.Name() + sqlite.JournalSuffix); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a journal is left: %v", err)
	}
	closeFile(t, f)
}

package store

import (
	_ "embed"
	"path/filepath"
	"testing"

	"github.com/mapatools/mapa/crawl"
)

//go:embed testdata/schema3.sql
var schema3 string

const oldRows = `
insert into meta values ('schema', '3'), ('program', '0.9'), ('start', 'https://example.com/'), ('options', '{}'), ('state', 'running');
insert into url (id, url, found_on, depth, hops, role) values (1, 'https://example.com/', 0, 0, 0, 0), (2, 'https://example.com/a', 1, 1, 0, 0);
insert into fetch values (1, 1000, 200, null, null, 0, 'text/html', 10, 10, 5, 'Old', null, null, '"1"', null, 7, 9, 8, 'en', null, null);
pragma application_id = 0x4d617061;`

// oldFile makes a crawl file of the oldest version that can be read.
func oldFile(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "crawl.sqlite")
	db, err := connect(name, modeCreate)
	if err == nil {
		err = db.exec(schema3 + oldRows)
	}
	if err == nil {
		err = db.close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// checkOldPage checks a page that was recorded without facts.
func checkOldPage(t *testing.T, f *File) {
	t.Helper()
	record, ok, err := f.Page(1)
	if err != nil || !ok || record.Page.Title != "Old" || record.Page.ETag != `"1"` || record.Page.Facts != nil {
		t.Errorf("got %+v, %t, %v", record.Page, ok, err)
	}
	for record, err := range f.Pages(t.Context()) {
		if err != nil || record.Link.ID == 1 && record.Page.Facts != nil {
			t.Errorf("got %+v, %v", record, err)
		}
	}
}

func TestReadOldVersion(t *testing.T) {
	f, err := OpenReader(oldFile(t))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	checkOldPage(t, f)
}

// TestContinueOldVersion continues a crawl of an earlier version and reads it again.
func TestContinueOldVersion(t *testing.T) {
	name := oldFile(t)
	for range 2 {
		f, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		checkOldPage(t, f)
		want := &crawl.Facts{H1: "New", JSONLD: "Article"}
		page := crawl.Page{ID: 2, Status: 200, MediaType: "text/html", Facts: want}
		if err := f.Append(t.Context(), crawl.Commit{Done: []crawl.Page{page}}); err != nil {
			t.Fatal(err)
		}
		got, ok := f.Lookup("https://example.com/a")
		if !ok {
			t.Fatal("the new page is missing")
		}
		equal(t, "facts", got.Facts, want)
		equal(t, "view", ask(t, f, "select h1, images_without_alt, json_ld from page order by id"),
			[]string{"<nil> <nil> <nil>", "New 0 Article"})
		equal(t, "schema", ask(t, f, "select value from meta where name = 'schema'"), []string{"4"})
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

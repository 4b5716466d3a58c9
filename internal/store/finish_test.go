package store

import (
	"errors"
	"github.com/mapatools/mapa/internal/sqlite"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/mapatools/mapa/crawl/storetest"
)

// TestFinishLeavesOneFile finishes a crawl, continues it and finishes it again.
func TestFinishLeavesOneFile(t *testing.T) {
	f, name := create(t)
	for i, commit := range storetest.Sample()[:2] {
		if err := f.Append(t.Context(), commit); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(name + "-wal"); err != nil {
			t.Errorf("commit %d has no log: %v", i, err)
		}
		if err := f.Finish(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(name + "-wal"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("finish %d leaves the log: %v", i, err)
		}
	}
	equal(t, "indexes", ask(t, f, "select name from sqlite_schema where type = 'index' and sql is not null"), []string{"url_url"})
	closeFile(t, f)
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, error %v", entries, err)
	}
}

// TestFinishOnFullDisk has space for the pages and none for the index.
func TestFinishOnFullDisk(t *testing.T) {
	f, _ := create(t)
	s := site{pages: 500}
	if err := f.Append(t.Context(), s.commit(0)); err != nil {
		t.Fatal(err)
	}
	full := "pragma max_page_count = " + ask(t, f, "select page_count from pragma_page_count")[0]
	if err := f.db.Exec(full); err != nil {
		t.Fatal(err)
	}
	if err := f.Finish(t.Context()); !errors.Is(err, sqlite.ErrFull) || f.Finished() {
		t.Errorf("error %v, finished is %t", err, f.Finished())
	}
	f = reopen(t, f, false)
	if f.Finished() {
		t.Error("a crawl that could not be finished is finished")
	}
	f = reopen(t, f, true)
	if !f.Finished() {
		t.Error("the crawl is not finished when there is space again")
	}
	equal(t, "pages", ask(t, f, "select count(*) from fetch"), []string{"500"})
	closeFile(t, f)
}

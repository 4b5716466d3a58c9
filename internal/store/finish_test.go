package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/mapatools/mapa/crawl/storetest"
)

func TestFinishedIsOneFileWithIndex(t *testing.T) {
	f, name := create(t)
	if err := f.Append(t.Context(), storetest.Sample()[0]); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Finish(t.Context()), f.Close()); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v beside the one file", entries, err)
	}
	f, err = Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer closeFile(t, f)
	equal(t, "indexes", ask(t, f, "select name from sqlite_schema where type = 'index'"), []string{"url_url"})
}

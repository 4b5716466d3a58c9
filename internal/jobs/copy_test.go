package jobs

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/statefile"
)

// add stores a crawl that is queued.
func add(t *testing.T, s *Store, id string) {
	t.Helper()
	update(t, s, func(tx *Tx) error { return tx.AddCrawl(&Crawl{ID: id, State: StateQueued}) })
}

func ids(t *testing.T, s *Store) string {
	t.Helper()
	var all []string
	update(t, s, func(tx *Tx) (err error) {
		all, err = tx.CrawlIDs()
		return err
	})
	slices.Sort(all)
	return fmt.Sprint(all)
}

// TestShared reads the file of a server that runs and writes meanwhile, and of one that does not.
func TestShared(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder)
	add(t, s, "one")
	shared, err := OpenShared(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	defer shared.Close()
	copied := t.TempDir()
	update(t, shared, func(tx *Tx) error { // a transaction of a reader
		if _, err := tx.Crawl("one"); err != nil {
			return err
		}
		add(t, s, "two")
		if _, err := tx.Crawl("two"); !errors.Is(err, ErrNotFound) {
			t.Errorf("a transaction sees what came after: %v", err)
		}
		return nil
	})
	if got := ids(t, shared); got != "[one two]" {
		t.Errorf("crawls %s", got)
	}
	if err := shared.CopyTo(t.Context(), copied); err != nil {
		t.Fatal(err)
	}
	add(t, s, "three")
	if got := ids(t, open(t, copied)); got != "[one two]" {
		t.Errorf("copied %s", got)
	}
	if err := shared.CopyTo(t.Context(), copied); err == nil {
		t.Error("a copy was replaced")
	}
	if err := errors.Join(s.Close(), shared.Close()); err != nil {
		t.Fatal(err)
	}
	if shared, err = OpenShared(t.Context(), folder); err != nil {
		t.Fatal(err)
	}
	if got := ids(t, shared); got != "[one three two]" {
		t.Errorf("without a server: %s", got)
	}
	if err := shared.Close(); err != nil {
		t.Error(err)
	}
	open(t, folder)
}

// TestCopy reads a copy of the file, to which changes go.
func TestCopy(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder)
	add(t, s, "one")
	if _, err := OpenCopy(t.Context(), folder, t.TempDir()); !errors.Is(err, sqlite.ErrLocked) {
		t.Errorf("next to a server: %v", err)
	}
	key := string(s.Key())
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		copied, err := OpenCopy(t.Context(), folder, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		add(t, copied, "two")
		if got := ids(t, copied); got != "[one two]" || string(copied.Key()) != key {
			t.Errorf("crawls %s, key %x", got, copied.Key())
		}
		if _, err := Open(t.Context(), folder); !errors.Is(err, sqlite.ErrLocked) {
			t.Errorf("a server next to a reader: %v", err)
		}
		if err := copied.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if got := ids(t, open(t, folder)); got != "[one]" {
		t.Errorf("crawls %s", got)
	}
}

// TestReadInvalid refuses to read what [Open] refuses to open, and an empty file.
func TestReadInvalid(t *testing.T) {
	for change, want := range map[string]struct{ shared, copied error }{
		"":                          {nil, nil},
		"pragma application_id = 7": {sqlite.ErrForeign, sqlite.ErrForeign},
		"pragma user_version = 99":  {statefile.ErrVersion, statefile.ErrVersion},
		"text":                      {sqlite.ErrForeign, sqlite.ErrForeign},
		"empty":                     {ErrNoFile, nil},
		"none":                      {ErrNoFile, nil},
	} {
		folder := t.TempDir()
		if err := open(t, folder).Close(); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(folder, FileName)
		var err error
		switch change {
		case "":
		case "text":
			err = os.WriteFile(name, []byte("This is a text and no database at all."), 0o600)
		case "empty":
			err = os.Truncate(name, 0)
		case "none":
			err = os.Remove(name)
		default:
			var db *sql.DB
			if db, err = sql.Open("sqlite", name); err == nil {
				_, err = db.Exec(change)
				err = errors.Join(err, db.Close())
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		shared, err := OpenShared(t.Context(), folder)
		if !errors.Is(err, want.shared) {
			t.Errorf("%q: shared: %v", change, err)
		}
		if err == nil {
			shared.Close()
		}
		copied, err := OpenCopy(t.Context(), folder, t.TempDir())
		if !errors.Is(err, want.copied) {
			t.Errorf("%q: copied: %v", change, err)
		}
		if err == nil {
			copied.Close()
		}
	}
}

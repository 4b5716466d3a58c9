package sqlitestore_test

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mapatools/mapa/watch"
	"github.com/mapatools/mapa/watch/sqlitestore"
	"github.com/mapatools/mapa/watch/storetest"
)

func open(t *testing.T, name string) *sqlitestore.Store {
	t.Helper()
	s, err := sqlitestore.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestStore(t *testing.T) {
	names := map[watch.Store]string{}
	storetest.Run(t, func(t *testing.T) watch.Store {
		name := filepath.Join(t.TempDir(), "watch.sqlite")
		s := open(t, name)
		names[s] = name
		return s
	}, func(t *testing.T, s watch.Store) watch.Store {
		if err := s.(*sqlitestore.Store).Close(); err != nil {
			t.Fatal(err)
		}
		again := open(t, names[s])
		names[again] = names[s]
		return again
	})
}

// TestOpen refuses files that are not the state of a watcher, and leaves them alone.
func TestOpen(t *testing.T) {
	name := filepath.Join(t.TempDir(), "watch.sqlite")
	open(t, name)
	if _, err := sqlitestore.Open(t.Context(), name); !errors.Is(err, sqlitestore.ErrLocked) {
		t.Errorf("a second Open: %v", err)
	}
	reader, err := sqlitestore.OpenReader(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if sites, err := reader.Sites(t.Context()); len(sites) != 0 || err != nil {
		t.Errorf("sites of an empty state: %v, %v", sites, err)
	}
	if _, err := sqlitestore.OpenReader(t.Context(), name+"-none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, make([]byte, 5000), 0o640); err != nil {
		t.Fatal(err)
	}
	before := modeOf(t, text)
	if _, err := sqlitestore.Open(t.Context(), text); !errors.Is(err, sqlitestore.ErrNotState) {
		t.Errorf("a file of zeros: %v", err)
	}
	if after := modeOf(t, text); after != before {
		t.Errorf("a file of zeros had the mode %v, and has %v", before, after)
	}
	type opener = func(context.Context, string) (*sqlitestore.Store, error)
	for _, open := range []opener{sqlitestore.Open, sqlitestore.OpenReader} {
		if _, err := open(t.Context(), t.TempDir()); !errors.Is(err, sqlitestore.ErrNotState) {
			t.Errorf("a folder: %v", err)
		}
	}
}

func modeOf(t *testing.T, name string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

// TestLinks makes no file elsewhere: a link may come with a checkout of strangers.
func TestLinks(t *testing.T) {
	for _, suffix := range []string{"", "-lock"} {
		name, elsewhere := filepath.Join(t.TempDir(), "watch.sqlite"), filepath.Join(t.TempDir(), "made")
		if err := os.Symlink(elsewhere, name+suffix); err != nil {
			t.Skip(err)
		}
		if _, err := sqlitestore.Open(t.Context(), name); !errors.Is(err, sqlitestore.ErrNotState) {
			t.Errorf("%q: %v", suffix, err)
		}
		if _, err := os.Stat(elsewhere); err == nil {
			t.Errorf("%q: the link was followed", suffix)
		}
	}
}

// TestDamaged opens and reads files that another program has changed. The error does not
// repeat SQL.
func TestDamaged(t *testing.T) {
	for _, change := range []string{
		"drop table meta", "alter table meta rename column value to other", "delete from meta",
		"update meta set value = x'00' where name = 'key'", "drop table sites",
		"alter table sites rename column record to other", "update sites set record = '{'",
		"alter table events rename column lines to other", "update events set lines = x'00'",
		"drop table events; create table events (first, last, lines); insert into events values ('one', 'two', 'three')",
		"update meta set value = x'00' where name = 'events'",
	} {
		name := filepath.Join(t.TempDir(), "watch.sqlite")
		store := open(t, name)
		err := store.Update(t.Context(), "site", func(tx watch.Tx) error {
			return errors.Join(tx.SetSite(watch.Site{Name: "site"}), tx.AddEvents([]watch.Event{{Loc: "https://site.example/"}}))
		})
		if err := errors.Join(err, store.Close()); err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite", name)
		if err == nil {
			_, err = db.Exec(change)
		}
		if err := errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
		err = readAll(t, name)
		if !errors.Is(err, sqlitestore.ErrDamaged) || strings.Contains(strings.ReplaceAll(err.Error(), name, ""), "sql") {
			t.Errorf("%s: %v", change, err)
		}
	}
}

// readAll opens a state file and reads what a watcher reads of it.
func readAll(t *testing.T, name string) error {
	store, err := sqlitestore.Open(t.Context(), name)
	if err != nil {
		return err
	}
	defer store.Close()
	_, sites := store.Sites(t.Context())
	_, pending := store.Pending(t.Context(), 10)
	_, count := store.PendingCount(t.Context())
	site := store.Update(t.Context(), "site", func(tx watch.Tx) error {
		_, err := tx.Site()
		return err
	})
	return errors.Join(sites, pending, count, site)
}

package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExplain lets SQLite fail in each of the ways. What it reports is wrapped, and not shown.
func TestExplain(t *testing.T) {
	f := newFile("name", &Spec{Kind: KindLedger}, Write)
	for _, failing := range []struct {
		name string
		fail func(t *testing.T, name string) error
		want error
		text string
	}{
		{"locked", locked, ErrLocked, "name is in use by another process"},
		{"full", full, ErrFull, "name is on a full disk"},
		{"not a database", notDatabase, ErrForeign, "name is not a ledger of announcements"},
		{"truncated", truncated, ErrDamaged, "name is damaged"},
		{"no column", inTable("select y from t"), ErrDamaged, "name is damaged"},
		{"no table", inTable("select * from u"), ErrDamaged, "name is damaged"},
		{"not unique", inTable("insert into t values (1), (1)"), ErrDamaged, "name is damaged"},
		{"not a number", inTable("update t set id = 'x'"), ErrDamaged, "name is damaged"},
		{"scan", scan, ErrDamaged, "name is damaged"},
		{"read-only", readOnly, ErrNoAccess, "name is not accessible: it or its folder is read-only, or of another user"},
	} {
		err := failing.fail(t, filepath.Join(t.TempDir(), "file"))
		if err == nil {
			t.Fatalf("%s: it did not fail", failing.name)
		}
		got := f.Explain(fmt.Errorf("of a caller: %w", err))
		if !errors.Is(got, failing.want) || !errors.Is(got, err) || got.Error() != failing.text {
			t.Errorf("%s: %v", failing.name, got)
		}
		if again := f.Explain(got); again != got {
			t.Errorf("%s: explained again: %v", failing.name, again)
		}
	}
	detail := f.Explain(fmt.Errorf("%w: a list", ErrDamaged))
	if detail.Error() != "name is damaged: a list" || !errors.Is(detail, ErrDamaged) {
		t.Error(detail)
	}
	if f.Explain(nil) != nil || f.Explain(os.ErrExist) != os.ErrExist {
		t.Error("an error that says nothing about the file was changed")
	}
}

// TestIs fits errors of one kind of file.
func TestIs(t *testing.T) {
	err := error(&Error{Name: "name", Kind: KindIndex, Err: fmt.Errorf("%w: a list", ErrDamaged)})
	for target, want := range map[*Error]bool{
		{Kind: KindIndex, Err: ErrDamaged}:               true,
		{Kind: KindCrawl, Err: ErrDamaged}:               false,
		{Kind: KindIndex, Err: ErrFull}:                  false,
		{Name: "name", Kind: KindIndex, Err: ErrDamaged}: false,
	} {
		if got := errors.Is(errors.Join(os.ErrExist, err), target); got != want {
			t.Errorf("%+v: %t", target, got)
		}
	}
}

func openRaw(t *testing.T, name string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", name)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func locked(t *testing.T, name string) error {
	if _, err := openRaw(t, name).Exec("create table t (x); begin exclusive"); err != nil {
		t.Fatal(err)
	}
	_, err := openRaw(t, name).Exec("insert into t values (1)")
	return err
}

func full(t *testing.T, name string) error {
	_, err := openRaw(t, name).Exec("pragma max_page_count = 2; create table t (x); insert into t values (zeroblob(100000))")
	return err
}

func notDatabase(t *testing.T, name string) error {
	if err := os.WriteFile(name, []byte(strings.Repeat("not a header of SQLite\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := openRaw(t, name).Exec("create table t (x)")
	return err
}

// inTable runs a statement in a file with a table.
func inTable(statement string) func(*testing.T, string) error {
	return func(t *testing.T, name string) error {
		db := openRaw(t, name)
		if _, err := db.Exec("create table t (id integer primary key, text text); insert into t values (7, 'x')"); err != nil {
			t.Fatal(err)
		}
		_, err := db.Exec(statement)
		return err
	}
}

func truncated(t *testing.T, name string) error {
	db := openRaw(t, name)
	if _, err := db.Exec("create table t (x); insert into t values (zeroblob(100000))"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Close(), os.Truncate(name, 10_000)); err != nil {
		t.Fatal(err)
	}
	_, err := openRaw(t, name).Exec("insert into t values (1)")
	return err
}

func scan(t *testing.T, name string) error {
	var number int
	return openRaw(t, name).QueryRow("select 'text'").Scan(&number)
}

func readOnly(t *testing.T, name string) error {
	_, err := openRaw(t, name).Exec("pragma query_only = on; create table t (x)")
	return err
}

package sqlitecode

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
)

var (
	errLocked      = errors.New("locked")
	errNotDatabase = errors.New("not a database")
	errDamaged     = errors.New("damaged")
	errFull        = errors.New("full")
)

// TestClassify lets SQLite fail in each of the ways. What it reports of damage is not shown.
func TestClassify(t *testing.T) {
	all := &Errors{Locked: errLocked, NotDatabase: errNotDatabase, Damaged: errDamaged, Full: errFull}
	for _, failing := range []struct {
		name  string
		fail  func(t *testing.T, name string) error
		want  error
		other *Errors // with which the error is otherwise
		then  error
	}{
		{"locked", locked, errLocked, &Errors{}, nil},
		{"full", full, errFull, &Errors{}, nil},
		{"not a database", notDatabase, errNotDatabase, &Errors{Damaged: errDamaged}, errDamaged},
		{"truncated", truncated, errDamaged, &Errors{}, nil},
		{"no column", inTable("select y from t"), errDamaged, &Errors{}, nil},
		{"no table", inTable("select * from u"), errDamaged, &Errors{}, nil},
		{"not unique", inTable("insert into t values (1), (1)"), errDamaged, &Errors{}, nil},
		{"not a number", inTable("update t set id = 'x'"), errDamaged, &Errors{}, nil},
		{"scan", scan, errDamaged, &Errors{}, nil},
		{"read only", readOnly, nil, &Errors{}, nil},
	} {
		err := failing.fail(t, filepath.Join(t.TempDir(), "file"))
		if err == nil {
			t.Fatalf("%s: it did not fail", failing.name)
		}
		for _, test := range []struct {
			errors *Errors
			want   error
		}{{all, failing.want}, {failing.other, failing.then}} {
			want := test.want
			if want == nil {
				want = err
			}
			got := test.errors.Classify(err)
			if !errors.Is(got, want) || !errors.Is(got, err) && want == errDamaged || test.want == nil && got != err {
				t.Errorf("%s: %v, want %v", failing.name, got, want)
			}
			if want == errDamaged && got.Error() != errDamaged.Error() {
				t.Errorf("%s: the text is %q", failing.name, got)
			}
		}
	}
	if all.Classify(nil) != nil || !errors.Is(all.Classify(os.ErrExist), os.ErrExist) {
		t.Error("an error that is not SQLite's was changed")
	}
}

func open(t *testing.T, name string) *sql.DB {
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
	if _, err := open(t, name).Exec("create table t (x); begin exclusive"); err != nil {
		t.Fatal(err)
	}
	_, err := open(t, name).Exec("insert into t values (1)")
	return err
}

func full(t *testing.T, name string) error {
	_, err := open(t, name).Exec("pragma max_page_count = 2; create table t (x); insert into t values (zeroblob(100000))")
	return err
}

func notDatabase(t *testing.T, name string) error {
	if err := os.WriteFile(name, []byte(strings.Repeat("not a header of SQLite\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := open(t, name).Exec("create table t (x)")
	return err
}

// inTable runs a statement in a file with a table.
func inTable(statement string) func(*testing.T, string) error {
	return func(t *testing.T, name string) error {
		db := open(t, name)
		if _, err := db.Exec("create table t (id integer primary key, text text); insert into t values (7, 'x')"); err != nil {
			t.Fatal(err)
		}
		_, err := db.Exec(statement)
		return err
	}
}

func truncated(t *testing.T, name string) error {
	db := open(t, name)
	if _, err := db.Exec("create table t (x); insert into t values (zeroblob(100000))"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Close(), os.Truncate(name, 10_000)); err != nil {
		t.Fatal(err)
	}
	_, err := open(t, name).Exec("insert into t values (1)")
	return err
}

func scan(t *testing.T, name string) error {
	var number int
	return open(t, name).QueryRow("select 'text'").Scan(&number)
}

func readOnly(t *testing.T, name string) error {
	_, err := open(t, name).Exec("pragma query_only = on; create table t (x)")
	return err
}

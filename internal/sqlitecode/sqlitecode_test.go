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

// TestClassify lets SQLite fail in each of the ways.
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
		{"syntax", syntax, nil, &Errors{}, nil},
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
			if got := test.errors.Classify(err); !errors.Is(got, want) || test.want == nil && got != err {
				t.Errorf("%s: %v, want %v", failing.name, got, want)
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

func syntax(t *testing.T, name string) error {
	_, err := open(t, name).Exec("no statement")
	return err
}

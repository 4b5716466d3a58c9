package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/statefile"
)

// specs are a file with each lock.
func specs() map[string]*Spec {
	of := func(lock Lock, log bool) *Spec {
		return &Spec{
			Kind: KindLedger, Version: 3, Lock: lock, Log: log, Private: true, Fill: AddKey,
			Schema: "create table meta (name text, value blob);", Settings: "pragma synchronous = off;",
		}
	}
	return map[string]*Spec{"no lock": of(LockNone, false), "whole": of(LockWhole, false), "lock file": of(LockFile, true)}
}

func create(t *testing.T, spec *Spec) (name string) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "file.sqlite")
	f, err := Open(t.Context(), name, spec, Create)
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// change changes a file as another program does.
func change(t *testing.T, name, statements string) {
	t.Helper()
	db := openRaw(t, name)
	_, err := db.Exec(statements)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestOpen makes a file once, with its key, for its owner only.
func TestOpen(t *testing.T) {
	for what, spec := range specs() {
		name := filepath.Join(t.TempDir(), "what? 100%#1.sqlite")
		var key [32]byte
		for i, access := range []Access{Create, Create, Write, Share, Read, Immutable} {
			if access == Read && spec.Log {
				continue
			}
			f, err := Open(t.Context(), name, spec, access)
			if err != nil {
				t.Fatalf("%s: %d: %v", what, access, err)
			}
			again, err := f.ReadKey()
			if err != nil || i > 0 && again != key || f.Created() != (i == 0) || f.Name() != name {
				t.Errorf("%s: %d: created %t, key %x, then %x, %v", what, access, f.Created(), key, again, err)
			}
			key = again
			var count int
			if err := f.Pool(2).QueryRow("select count(*) from meta").Scan(&count); err != nil || count != 1 {
				t.Errorf("%s: %d: %d rows, %v", what, access, count, err)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(name), "*")); len(left) > 2 {
			t.Errorf("%s: %v", what, left)
		}
	}
}

// TestOpenRefuses says what is wrong with a file, in the same words for every lock and access,
// and leaves it as it was.
func TestOpenRefuses(t *testing.T) {
	text := func(content string) func(*testing.T, string) {
		return func(t *testing.T, name string) {
			if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	raw := func(statements string) func(*testing.T, string) {
		return func(t *testing.T, name string) { change(t, name, statements) }
	}
	const foreign, made = "is not a ledger of announcements", "was made by %s version of mapa: it has format %d, and this one reads format 3"
	for what, test := range map[string]struct {
		damage func(t *testing.T, name string)
		want   error
		text   string
	}{
		"one byte":      {text("x"), ErrForeign, foreign},
		"a short text":  {text("This is a text and no database at all."), ErrForeign, foreign},
		"a text":        {text(strings.Repeat("no database\n", 1000)), ErrForeign, foreign},
		"zeros":         {text(string(make([]byte, 9000))), ErrForeign, foreign},
		"another kind":  {raw(fmt.Sprintf("pragma application_id = %d", KindWatch)), ErrForeign, foreign},
		"no kind":       {raw("pragma application_id = 0"), ErrForeign, foreign},
		"newer version": {raw("pragma user_version = 99"), statefile.ErrNewer, fmt.Sprintf(made, "a newer", 99)},
		"older version": {raw("pragma user_version = 2"), statefile.ErrVersion, fmt.Sprintf(made, "another", 2)},
		"a folder": {func(t *testing.T, name string) {
			if err := errors.Join(os.Remove(name), os.Mkdir(name, 0o700)); err != nil {
				t.Fatal(err)
			}
		}, ErrForeign, foreign},
		"a damaged page": {func(t *testing.T, name string) {
			file, err := os.OpenFile(name, os.O_RDWR, 0)
			if err == nil { // the cells of the schema
				_, err = file.WriteAt([]byte(strings.Repeat("\xff", 3000)), 100)
				err = errors.Join(err, file.Close())
			}
			if err != nil {
				t.Fatal(err)
			}
		}, ErrDamaged, "is damaged"},
	} {
		for lock, spec := range specs() {
			name := create(t, spec)
			test.damage(t, name)
			before, _ := os.ReadFile(name)
			for _, access := range []Access{Create, Write, Share, Read, Immutable} {
				f, err := Open(t.Context(), name, spec, access)
				if f != nil || !errors.Is(err, test.want) || err.Error() != name+" "+test.text {
					t.Errorf("%s, %s, %d: %v", what, lock, access, err)
				}
			}
			if f, err := OpenCopy(t.Context(), name, filepath.Join(t.TempDir(), "copy"), spec, Write); f != nil ||
				!errors.Is(err, test.want) || err.Error() != name+" "+test.text {
				t.Errorf("%s, %s, copied: %v", what, lock, err)
			}
			if after, _ := os.ReadFile(name); string(after) != string(before) {
				t.Errorf("%s, %s: the file was changed", what, lock)
			}
		}
	}
}

// TestOpenMissing makes a file only to write it, and only in a folder that exists.
func TestOpenMissing(t *testing.T) {
	for what, spec := range specs() {
		folder := t.TempDir()
		missing, empty := filepath.Join(folder, "missing"), filepath.Join(folder, "empty")
		if err := os.WriteFile(empty, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{missing, empty} {
			for _, access := range []Access{Write, Share, Read, Immutable} {
				if _, err := Open(t.Context(), name, spec, access); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s: %s, %d: %v", what, name, access, err)
				}
			}
			f, err := OpenCopy(t.Context(), name, filepath.Join(t.TempDir(), "copy"), spec, Create)
			if err != nil || !f.Created() {
				t.Fatalf("%s: %s: a copy: %v", what, name, err)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		}
		nowhere := filepath.Join(folder, "none", "file")
		if _, err := Open(t.Context(), nowhere, spec, Create); !errors.Is(err, ErrNoFolder) ||
			err.Error() != nowhere+" is in a folder that is missing" {
			t.Errorf("%s: no folder: %v", what, err)
		}
		f, err := Open(t.Context(), empty, spec, Create)
		if err != nil || !f.Created() {
			t.Fatalf("%s: an empty file: %v", what, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestLinks makes no file elsewhere: a link may come with a folder of strangers.
func TestLinks(t *testing.T) {
	for what, spec := range specs() {
		for _, suffix := range []string{"", lockSuffix} {
			if suffix == lockSuffix && spec.Lock != LockFile {
				continue
			}
			name, elsewhere := filepath.Join(t.TempDir(), "file"), filepath.Join(t.TempDir(), "made")
			if err := os.Symlink(elsewhere, name+suffix); err != nil {
				t.Skip(err)
			}
			_, err := Open(t.Context(), name, spec, Create)
			if !errors.Is(err, ErrForeign) || !strings.HasPrefix(err.Error(), name+suffix+" is not ") {
				t.Errorf("%s%s: %v", what, suffix, err)
			}
			if _, err := os.Stat(elsewhere); err == nil {
				t.Errorf("%s%s: the link was followed", what, suffix)
			}
		}
	}
}

// TestFill keeps nothing of a file whose creation fails.
func TestFill(t *testing.T) {
	failed := errors.New("failed")
	for what, spec := range specs() {
		name := filepath.Join(t.TempDir(), "file")
		fails := *spec
		fails.Fill = func(f *File) error { return errors.Join(AddKey(f), failed) }
		if _, err := Open(t.Context(), name, &fails, Create); !errors.Is(err, failed) {
			t.Errorf("%s: %v", what, err)
		}
		f, err := Open(t.Context(), name, spec, Create)
		if err != nil || !f.Created() {
			t.Fatalf("%s: after a failure: %v", what, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

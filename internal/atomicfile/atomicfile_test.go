package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func content(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// onlyFiles fails when the folder holds other files than these: a temporary one.
func onlyFiles(t *testing.T, folder string, want int) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != want {
		t.Errorf("%v, %v: want %d files", entries, err, want)
	}
}

func TestReplace(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "report.html")
	for _, text := range []string{"old", "new"} {
		err := Replace(name, func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		})
		if got := content(t, name); err != nil || got != text {
			t.Errorf("%q, %v", got, err)
		}
	}
	failure := errors.New("failure")
	err := Replace(name, func(w io.Writer) error {
		_, err := io.WriteString(w, "half")
		return errors.Join(err, failure)
	})
	if got := content(t, name); !errors.Is(err, failure) || got != "new" {
		t.Errorf("%q, %v", got, err)
	}
	onlyFiles(t, folder, 1)
}

// TestReplaceLink keeps what a symbolic link points at.
func TestReplaceLink(t *testing.T) {
	folder := t.TempDir()
	target, name := filepath.Join(folder, "target"), filepath.Join(folder, "link")
	if err := os.WriteFile(target, []byte("kept"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, name); err != nil {
		t.Skip(err)
	}
	if err := Replace(name, func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }); err != nil {
		t.Fatal(err)
	}
	if content(t, target) != "kept" || content(t, name) != "new" {
		t.Errorf("the target holds %q, the name %q", content(t, target), content(t, name))
	}
	onlyFiles(t, folder, 2)
}

func TestReplaceDevice(t *testing.T) {
	err := Replace(os.DevNull, func(w io.Writer) error {
		if _, isFile := w.(*os.File); !isFile {
			t.Errorf("a device is passed as %T", w)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestReplaceNowhere(t *testing.T) {
	called := false
	err := Replace(filepath.Join(t.TempDir(), "missing", "file"), func(io.Writer) error { called = true; return nil })
	if !errors.Is(err, os.ErrNotExist) || called {
		t.Errorf("%v, called %t", err, called)
	}
}

// TestCreateNew replaces nothing, whether it is there before or comes in the meantime.
func TestCreateNew(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "backup.tar")
	for _, occupy := range []func() error{
		func() error { return os.WriteFile(name, []byte("kept"), 0o600) },
		func() error { return os.Symlink("nowhere", name) },
		func() error { return os.Mkdir(name, 0o700) },
	} {
		file, err := CreateNew(name)
		if err == nil {
			_, err = io.WriteString(file, "new")
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := occupy(); err != nil {
			t.Skip(err)
		}
		before, _ := os.Lstat(name)
		if err := file.Commit(); !errors.Is(err, os.ErrExist) {
			t.Errorf("a file that came in the meantime: %v", err)
		}
		if _, err := CreateNew(name); !errors.Is(err, os.ErrExist) {
			t.Errorf("a file that was there: %v", err)
		}
		if after, err := os.Lstat(name); err != nil || !os.SameFile(before, after) {
			t.Errorf("it was replaced, %v", err)
		}
		onlyFiles(t, folder, 1)
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	file, err := CreateNew(name)
	if err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 || !IsTemporary(entries[0].Name()) {
		t.Errorf("%v, %v", entries, err)
	}
	if err := file.Commit(); err != nil || IsTemporary(filepath.Base(name)) {
		t.Error(err)
	}
	if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

// TestTruncate drops what was written, in the buffer or not.
func TestTruncate(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	file, err := Create(name)
	if err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		if _, err := io.WriteString(file, text); err != nil {
			t.Fatal(err)
		}
	}
	write("one")
	size, err := file.Size()
	if size != 3 || err != nil {
		t.Errorf("%d, %v", size, err)
	}
	for _, dropped := range []string{"two", strings.Repeat("three", bufferSize)} {
		write(dropped)
		if err := file.Truncate(size); err != nil {
			t.Error(err)
		}
	}
	write("four")
	if size, err := file.Size(); size != 7 || err != nil {
		t.Errorf("%d, %v", size, err)
	}
	if err := file.Commit(); err != nil || content(t, name) != "onefour" {
		t.Errorf("%q, %v", content(t, name), err)
	}
}

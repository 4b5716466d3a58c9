package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
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

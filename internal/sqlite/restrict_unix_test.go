//go:build unix

package sqlite

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestRestrict takes the permissions of others from a file and what SQLite puts
// next to it, also through a link, and from nothing else.
func TestRestrict(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	for name, before := range map[string]fs.FileMode{
		"state": 0o664, "state-wal": 0o644, "state-shm": 0o666, "state-journal": 0o640, "state-other": 0o644, "narrow": 0o400,
	} {
		if err := os.WriteFile(at(name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(at(name), before); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{at("link"): at("state"), at("narrow-wal"): at("state-other")} {
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"link", "narrow"} {
		if err := restrict(at(name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, want := range map[string]fs.FileMode{
		"state": 0o600, "state-wal": 0o600, "state-shm": 0o600, "state-journal": 0o600, "state-other": 0o644, "narrow": 0o400,
	} {
		if info, err := os.Stat(at(name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, want %v, %v", name, info.Mode(), want, err)
		}
	}
	if err := restrict(at("none")); err == nil {
		t.Error("no error for a file that is not there")
	}
}

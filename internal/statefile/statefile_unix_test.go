//go:build unix

package statefile

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func mode(t *testing.T, name string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

// TestCreate makes private files, whatever the umask is, and changes none that is there.
func TestCreate(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	folder := t.TempDir()
	for _, umask := range []int{0, 0o022, 0o077} {
		syscall.Umask(umask)
		name := filepath.Join(folder, fs.FileMode(umask).String())
		if err := Create(name); err != nil || mode(t, name) != 0o600 {
			t.Errorf("umask %o: %v, %v", umask, mode(t, name), err)
		}
	}
	name := filepath.Join(folder, "known")
	if err := os.WriteFile(name, []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Create(name); err != nil || mode(t, name) != 0o644 {
		t.Errorf("a file that exists: %v, %v", mode(t, name), err)
	}
	if text, err := os.ReadFile(name); string(text) != "text" || err != nil {
		t.Errorf("a file that exists: %q, %v", text, err)
	}
	if err := Create(filepath.Join(folder, "none", "file")); err == nil {
		t.Error("a file in a folder that is not there was made")
	}
}

// TestRestrictDatabase takes the permissions of others from a file and what SQLite puts
// next to it, also through a link, and from nothing else.
func TestRestrictDatabase(t *testing.T) {
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
		if err := RestrictDatabase(at(name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, want := range map[string]fs.FileMode{
		"state": 0o600, "state-wal": 0o600, "state-shm": 0o600, "state-journal": 0o600, "state-other": 0o644, "narrow": 0o400,
	} {
		if got := mode(t, at(name)); got != want {
			t.Errorf("%s has mode %o, want %o", name, got, want)
		}
	}
	if err := RestrictDatabase(at("none")); err == nil {
		t.Error("no error for a file that is not there")
	}
	if err := os.Mkdir(at("crawls"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Restrict(at("crawls")); err != nil || mode(t, at("crawls")) != 0o700 {
		t.Errorf("a folder: %v, %v", mode(t, at("crawls")), err)
	}
}

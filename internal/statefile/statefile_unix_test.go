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

// TestRestrict takes the permissions of others from a folder.
func TestRestrict(t *testing.T) {
	name := filepath.Join(t.TempDir(), "crawls")
	if err := os.Mkdir(name, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Restrict(name); err != nil || mode(t, name) != 0o700 {
		t.Errorf("%v, %v", mode(t, name), err)
	}
}

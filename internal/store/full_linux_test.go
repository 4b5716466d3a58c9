package store

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/mapatools/mapa/crawl"
)

// TestFullDisk fills a file system of its own, which only root may mount.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("mount a small file system: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	ballast := filepath.Join(dir, "ballast")
	writeFile(t, ballast, make([]byte, 1<<20))
	name := filepath.Join(dir, "crawl.sqlite")
	f, err := Create(name, crawl.Meta{})
	if err != nil {
		t.Fatal(err)
	}
	appendUntilFull(t, f, func(f *File) *File {
		if err := f.Close(); err != nil {
			t.Logf("close on a full disk: %v", err)
		}
		if err := os.Remove(ballast); err != nil {
			t.Fatal(err)
		}
		f, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		return f
	})
}

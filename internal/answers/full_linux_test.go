package answers

import (
	"errors"
	"fmt"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/mapatools/mapa/internal/sqlite"
)

// mount mounts a small file system, which only root may.
func mount(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("mount a small file system: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, 0); err != nil {
			t.Error(err)
		}
	})
	return folder
}

// TestFullDisk goes on without the file when the disk is full. What is in it stays.
func TestFullDisk(t *testing.T) {
	name := filepath.Join(mount(t), "answers.sqlite")
	var failures []error
	c := New(name, "", func(err error) { failures = append(failures, err) })
	for n := range 20 * batchSize {
		c.Keep(fmt.Sprint("https://other.example/", n), found)
	}
	c.Close()
	if len(failures) != 1 || !errors.Is(failures[0], sqlite.ErrFull) {
		t.Errorf("failures %v", failures)
	}
	if n := count(t, name); n == 0 || n%batchSize != 0 {
		t.Errorf("%d answers", n)
	}
}

// TestReadOnly goes on without a file in a folder that cannot be written.
func TestReadOnly(t *testing.T) {
	folder := mount(t)
	if err := syscall.Mount("", folder, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	var failures []error
	c := New(filepath.Join(folder, "mapa", "answers.sqlite"), "", func(err error) { failures = append(failures, err) })
	for n := range 2 * batchSize {
		c.Keep(fmt.Sprint("https://other.example/", n), found)
	}
	c.Close()
	if len(failures) != 1 || !errors.Is(failures[0], syscall.EROFS) {
		t.Errorf("failures %v", failures)
	}
}

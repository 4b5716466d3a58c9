package sqlite

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
)

// TestReadOnlyDisk reads files on a file system where nothing may be written, which only root
// may mount, and refuses to write them.
func TestReadOnlyDisk(t *testing.T) {
	for what, spec := range specs() {
		disk := t.TempDir()
		if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=1m"); err != nil {
			t.Skipf("mount a small file system: %v", err)
		}
		t.Cleanup(func() {
			if err := syscall.Unmount(disk, 0); err != nil {
				t.Error(err)
			}
		})
		name := filepath.Join(disk, "file")
		f, err := Open(t.Context(), name, spec, Create)
		if err == nil {
			err = f.Close()
		}
		if err := errors.Join(err, syscall.Mount("", disk, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, "")); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{name, filepath.Join(disk, "new")} {
			if err := addRow(t, name, spec); !errors.Is(err, ErrNoAccess) || err.Error() != name+" is "+ErrNoAccess.Error() {
				t.Errorf("%s: %v", what, err)
			}
		}
		copied, err := OpenCopy(t.Context(), name, filepath.Join(t.TempDir(), "copy"), spec, Write)
		if err != nil {
			t.Fatalf("%s: a copy: %v", what, err)
		}
		if err := copied.Close(); err != nil {
			t.Error(err)
		}
		if spec.Log {
			continue // SQLite makes files next to one with a log
		}
		f, err = Open(t.Context(), name, spec, Read)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

// addRow opens a file and writes to it.
func addRow(t *testing.T, name string, spec *Spec) error {
	t.Helper()
	f, err := Open(t.Context(), name, spec, Create)
	if err != nil {
		return err
	}
	return errors.Join(f.Exec("insert into meta (name) values ('name')"), f.Close())
}

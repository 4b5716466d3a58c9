package result

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/mapatools/mapa/internal/sqlite"
)

// TestFullDisk opens a crawl where there is no room for the tables of queries, in a file
// system that only root may mount.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=4m"); err != nil {
		t.Skipf("mount a small file system: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, 0); err != nil {
			t.Error(err)
		}
	})
	whole := filepath.Join(t.TempDir(), crawlName)
	site{1500, 1}.write(t, whole)
	text, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	const room = 64 << 10
	ballast := make([]byte, 4<<20-room-len(text))
	err = errors.Join(os.WriteFile(filepath.Join(disk, crawlName), text, 0o600),
		os.WriteFile(filepath.Join(disk, "ballast"), ballast, 0o600))
	if err != nil {
		t.Fatal(err)
	}
	if r, err := Open(t.Context(), disk, disk); !errors.Is(err, sqlite.ErrFull) {
		t.Errorf("on a full disk: %v", err)
		if err == nil {
			r.Close()
		}
	}
	if left, _ := filepath.Glob(filepath.Join(disk, "*")); len(left) != 2 {
		t.Errorf("%v", left)
	}
	if left, _ := filepath.Glob(filepath.Join(disk, ".*")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

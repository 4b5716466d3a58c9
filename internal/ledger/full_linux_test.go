package ledger

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/internal/sqlite"
)

// TestFullDisk fills a file system of its own, which only root may mount. A batch that
// cannot be recorded is not claimed, and what was recorded before is kept.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("mount a small file system: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	name := filepath.Join(dir, "ledger.sqlite")
	l, err := Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Claim(t.Context(), batch("1")); err != nil {
		t.Fatal(err)
	}
	big := batch("1")
	big.Items = nil
	for i := range 5000 {
		big.Items = append(big.Items, announce.Item{URL: "https://example.com/page/" + strconv.Itoa(i), Version: "1"})
	}
	if _, err := l.Claim(t.Context(), big); !errors.Is(err, sqlite.ErrFull) {
		t.Errorf("error %v", err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(name + "-journal"); err == nil {
		t.Error("a journal is left")
	}
	l = openTest(t, name)
	if c, err := l.Claim(t.Context(), batch("1")); err != nil || c.Busy != 1 {
		t.Errorf("claim %+v, error %v", c, err)
	}
}

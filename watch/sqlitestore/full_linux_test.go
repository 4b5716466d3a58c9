package sqlitestore_test

import (
	"crypto/rand"
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/mapatools/mapa/watch"
	"github.com/mapatools/mapa/watch/sqlitestore"
)

// TestFullDisk fills a file system of its own, which only root may mount. A change that
// does not fit is not kept, and what was in the file before is.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=512k"); err != nil {
		t.Skipf("mount a small file system: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	s, err := sqlitestore.Open(t.Context(), filepath.Join(dir, "watch.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const site = "https://example.com/"
	add := func(entries int) error {
		events := make([]watch.Event, entries)
		for i := range events {
			events[i].Loc = site + rand.Text() + rand.Text() + rand.Text()
		}
		return s.Update(t.Context(), site, func(tx watch.Tx) error { return tx.AddEvents(events) })
	}
	if err := add(1); err != nil {
		t.Fatal(err)
	}
	if err := add(20_000); !errors.Is(err, sqlitestore.ErrFull) {
		t.Errorf("error %v", err)
	}
	if events, err := s.Pending(t.Context(), 10); err != nil || len(events) != 1 {
		t.Errorf("%d events, error %v", len(events), err)
	}
}

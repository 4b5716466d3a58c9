package service

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mapatools/mapa/internal/app"
)

// TestSweep opens a folder in which a kill left folders of crawls, next to folders of
// somebody else.
func TestSweep(t *testing.T) {
	folder := t.TempDir()
	id := newID()
	for _, name := range []string{id, id + temporarySuffix, "notes", "UPPERCASE234567ABCDEFGHIJK"} {
		if err := os.MkdirAll(filepath.Join(folder, "crawls", name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Open(t.Context(), Options{Folder: folder, App: &app.App{}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	entries, err := os.ReadDir(filepath.Join(folder, "crawls"))
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, entry := range entries {
		left = append(left, entry.Name())
	}
	if len(left) != 2 || left[0] != "UPPERCASE234567ABCDEFGHIJK" || left[1] != "notes" {
		t.Errorf("left: %q", left)
	}
}

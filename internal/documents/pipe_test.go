//go:build linux || darwin

package documents

import (
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// TestSetPipes opens no named pipe: it would wait for a writer for ever.
func TestSetPipes(t *testing.T) {
	t.Parallel()
	s, folder := newSet(t, map[string]string{"docs/a.md": "---\na: b\n---\n[x](/nope/y) [p](p.md) [q](p)\n"}, ".")
	for _, name := range []string{"docs/p.md", "docs/index.html", ".gitignore", ".gitmodules"} {
		if err := syscall.Mkfifo(filepath.Join(folder, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range slices.Collect(s.Paths()) {
		get(t, s, path)
	}
	if found := s.rewriterOf(partName{name: "docs/a.md"}, &document{}).resolve("p.md"); found.file != "" {
		t.Errorf("a link leads to a pipe: %s", found.file)
	}
}

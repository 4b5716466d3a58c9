package service

import (
	"os"
	"path/filepath"

	"github.com/mapatools/mapa/internal/statefile"
)

// reserveSize is how many bytes are kept free for the state of the server.
const reserveSize = 1 << 20

// reserveName is the file that keeps them free.
const reserveName = "reserve"

// fillReserve takes room on the disk that the state of the server can have when a crawl
// has filled it. Without room it does nothing.
func (s *Service) fillReserve() {
	name := filepath.Join(s.options.Folder, reserveName)
	if info, err := os.Stat(name); err == nil && info.Size() == reserveSize {
		_ = statefile.Restrict(name) // it holds nothing
		return
	}
	// The bytes are written, because a file system may store a hole for free.
	if err := os.WriteFile(name, make([]byte, reserveSize), 0o600); err != nil {
		s.releaseReserve()
	}
}

// releaseReserve gives the room back, and reports whether there was any.
func (s *Service) releaseReserve() bool {
	return os.Remove(filepath.Join(s.options.Folder, reserveName)) == nil
}

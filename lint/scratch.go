package lint

import (
	"fmt"
	"os"
)

// A scratchFile is a temporary file that is made when the first byte is written
// and that nobody else sees.
type scratchFile struct {
	file *os.File
	size int64
}

// write appends and returns where.
func (s *scratchFile) write(b []byte) (at int64, err error) {
	if s.file == nil {
		if s.file, err = os.CreateTemp("", "mapa-lint-*"); err != nil {
			return 0, fmt.Errorf("making a temporary file: %w", err)
		}
		// Where an open file can be removed, nothing is left behind even when
		// the process is killed; elsewhere close removes it.
		_ = os.Remove(s.file.Name())
	}
	at = s.size
	n, err := s.file.WriteAt(b, at)
	s.size += int64(n)
	if err != nil {
		return 0, fmt.Errorf("writing to a temporary file: %w", err)
	}
	return at, nil
}

func (s *scratchFile) close() {
	if s.file != nil {
		s.file.Close()
		_ = os.Remove(s.file.Name()) // mostly gone already
	}
}

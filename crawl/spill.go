package crawl

import (
	"errors"
	"fmt"
	"os"
)

// A spill is a queue of chunks in a temporary file, which is made when it is
// first needed. The zero value is empty.
type spill struct {
	folder  string // for the file; empty is the system's
	file    *os.File
	lengths []int32 // of the chunks in the file, oldest first
	from    int64   // where the oldest begins
	to      int64   // where the next goes
}

func (s *spill) chunks() int { return len(s.lengths) }

// put adds a chunk.
func (s *spill) put(chunk []byte) error {
	if s.file == nil {
		file, err := os.CreateTemp(s.folder, ".frontier-*")
		if err != nil {
			return fmt.Errorf("making room for what waits to be fetched: %w", err)
		}
		s.file = file
		_ = os.Remove(file.Name()) // where a system lets an open file go, not even a kill leaves it behind
	}
	if _, err := s.file.WriteAt(chunk, s.to); err != nil {
		return fmt.Errorf("keeping what waits to be fetched: %w", err)
	}
	s.to += int64(len(chunk))
	s.lengths = append(s.lengths, int32(len(chunk)))
	return nil
}

// take removes the oldest chunk, using buffer where it is large enough.
func (s *spill) take(buffer []byte) ([]byte, error) {
	length := int(s.lengths[0])
	if cap(buffer) < length {
		buffer = make([]byte, max(length, frontierChunk))
	}
	chunk := buffer[:length]
	if _, err := s.file.ReadAt(chunk, s.from); err != nil {
		return nil, fmt.Errorf("reading what waits to be fetched: %w", err)
	}
	s.from += int64(length)
	if s.lengths = s.lengths[1:]; len(s.lengths) == 0 {
		s.lengths, s.from, s.to = nil, 0, 0
	}
	return chunk, nil
}

// close lets the file go.
func (s *spill) close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if removed := os.Remove(s.file.Name()); removed != nil && !errors.Is(removed, os.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	return err
}

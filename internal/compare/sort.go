package compare

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
)

const (
	arenaSize = 8 << 20 // bytes of records sorted in memory
	fanIn     = 16      // runs that are merged into one
)

// record is a URL of a sitemap with its date.
type record struct{ address, lastMod []byte }

// compare orders records by URL. Records of one URL are ordered by the text of their
// dates, newest first.
func (r record) compare(other record) int {
	return cmp.Or(bytes.Compare(r.address, other.address), bytes.Compare(other.lastMod, r.lastMod))
}

// sorter sorts any number of records in constant memory. It writes sorted runs to a
// temporary file and merges fanIn runs of one size into a larger run.
type sorter struct {
	records []record // parts of the arena
	arena   []byte
	file    *os.File
	size    int64   // of file
	runs    [][]run // by number of merges
	limit   int     // bytes of the arena
}

// run is a sorted part of the file.
type run struct{ from, to int64 }

func newSorter() *sorter { return &sorter{limit: arenaSize} }

// add copies a record.
func (s *sorter) add(address, lastMod []byte) error {
	if len(s.arena)+len(address)+len(lastMod) > s.limit && len(s.records) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	if s.arena == nil {
		s.arena = make([]byte, 0, s.limit)
	}
	from := len(s.arena)
	s.arena = append(append(s.arena, address...), lastMod...)
	part := s.arena[from:len(s.arena):len(s.arena)]
	s.records = append(s.records, record{part[:len(address)], part[len(address):]})
	return nil
}

// sorted returns all records in order. A record is valid until the next one. No records
// may be added during the iteration.
func (s *sorter) sorted() iter.Seq2[record, error] {
	slices.SortFunc(s.records, record.compare)
	if s.file == nil {
		return inMemory(s.records)
	}
	return merge(s.file, slices.Concat(s.runs...), s.records)
}

func inMemory(records []record) iter.Seq2[record, error] {
	return func(yield func(record, error) bool) {
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// spill writes the records in memory as a run and merges runs when there are enough of
// one size.
func (s *sorter) spill() error {
	if s.file == nil {
		file, err := os.CreateTemp("", "mapa-sort-*")
		if err != nil {
			return fmt.Errorf("sort on disk: %w", err)
		}
		s.file = file
	}
	slices.SortFunc(s.records, record.compare)
	if err := s.write(0, inMemory(s.records)); err != nil {
		return err
	}
	s.records, s.arena = s.records[:0], s.arena[:0]
	for level := 0; level < len(s.runs) && len(s.runs[level]) == fanIn; level++ {
		if err := s.write(level+1, merge(s.file, s.runs[level], nil)); err != nil {
			return err
		}
		s.runs[level] = s.runs[level][:0]
	}
	return nil
}

// write appends records as a run of a level.
func (s *sorter) write(level int, records iter.Seq2[record, error]) error {
	from := s.size
	var block []byte
	flush := func() error {
		n, err := s.file.WriteAt(block, s.size)
		s.size += int64(n)
		block = block[:0]
		if err != nil {
			return fmt.Errorf("sort on disk: %w", err)
		}
		return nil
	}
	for r, err := range records {
		if err != nil {
			return err
		}
		block = binary.AppendUvarint(block, uint64(len(r.address)))
		block = append(block, r.address...)
		block = binary.AppendUvarint(block, uint64(len(r.lastMod)))
		block = append(block, r.lastMod...)
		if len(block) >= blockSize {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	if level == len(s.runs) {
		s.runs = append(s.runs, nil)
	}
	s.runs[level] = append(s.runs[level], run{from, s.size})
	return nil
}

// close removes the temporary file.
func (s *sorter) close() error {
	if s.file == nil {
		return nil
	}
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}

package compare

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"iter"
	"slices"

	"github.com/mapatools/mapa/internal/tempfile"
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
	file    tempfile.File
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
	if s.file.Size() == 0 {
		return inMemory(s.records)
	}
	return merge(&s.file, slices.Concat(s.runs...), s.records)
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
	slices.SortFunc(s.records, record.compare)
	if err := s.write(0, inMemory(s.records)); err != nil {
		return err
	}
	s.records, s.arena = s.records[:0], s.arena[:0]
	for level := 0; level < len(s.runs) && len(s.runs[level]) == fanIn; level++ {
		if err := s.write(level+1, merge(&s.file, s.runs[level], nil)); err != nil {
			return err
		}
		s.runs[level] = s.runs[level][:0]
	}
	return nil
}

// write appends records as a run of a level.
func (s *sorter) write(level int, records iter.Seq2[record, error]) error {
	from := s.file.Size()
	out := bufio.NewWriterSize(&s.file, blockSize)
	var text []byte
	for r, err := range records {
		if err != nil {
			return err
		}
		text = binary.AppendUvarint(text[:0], uint64(len(r.address)))
		text = append(text, r.address...)
		text = binary.AppendUvarint(text, uint64(len(r.lastMod)))
		text = append(text, r.lastMod...)
		if _, err := out.Write(text); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if level == len(s.runs) {
		s.runs = append(s.runs, nil)
	}
	s.runs[level] = append(s.runs[level], run{from, s.file.Size()})
	return nil
}

// close removes the temporary file.
func (s *sorter) close() { s.file.Close() }

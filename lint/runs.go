package lint

import (
	"fmt"
	"io"
	"os"
	"sort"
	"sync"
)

// runs are sorted stretches of records, in memory up to a bound and in a
// temporary file beyond. Stretches may be added by several goroutines.
type runs struct {
	room int64 // bytes that may be held in memory

	mutex  sync.Mutex
	sorted []stretch
	held   int64
	spill  scratchFile
}

// A stretch is sorted; its records are in memory, or in the file at an offset.
type stretch struct {
	records []record
	at      int64
	count   int
}

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

// add takes in a sorted stretch and reports whether it has kept the slice.
func (r *runs) add(sorted []record) (kept bool, err error) {
	size := int64(cap(sorted)) * recordSize
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.held+size <= r.room {
		r.held += size
		r.sorted = append(r.sorted, stretch{records: sorted, count: len(sorted)})
		return true, nil
	}
	b := make([]byte, 0, len(sorted)*recordSize)
	for i := range sorted {
		b = sorted[i].append(b)
	}
	at, err := r.spill.write(b)
	r.sorted = append(r.sorted, stretch{at: at, count: len(sorted)})
	return false, err
}

// merge calls visit with all records whose first key lies in from to to,
// inclusive, in their order, until it returns false.
func (r *runs) merge(from, to uint64, visit func(*record) bool) error {
	h := make(streams, 0, len(r.sorted))
	for i := range r.sorted {
		s, err := r.stream(&r.sorted[i], from, to)
		if err != nil {
			return err
		}
		if s.next() {
			h = append(h, headOf(s))
		} else if s.err != nil {
			return s.err
		}
	}
	h.arrange()
	for len(h) > 0 {
		s := h[0].stream
		if !visit(&s.record) {
			return nil
		}
		switch {
		case s.next():
			h[0] = headOf(s)
		case s.err != nil:
			return s.err
		default:
			h[0] = h[len(h)-1]
			h = h[:len(h)-1]
		}
		if len(h) > 0 {
			h.sink(0)
		}
	}
	return nil
}

// A stream is the part of a stretch that a merge reads.
type stream struct {
	record  record // the one at hand
	records []record
	from    io.Reader // of what lies on disk
	left    int       // records on disk not yet read
	buffer  []byte
	pending []byte
	err     error
}

// streamBuffer holds the records of one read, of which there may be thousands of
// streams.
const streamBuffer = 512 * recordSize

func (r *runs) stream(s *stretch, from, to uint64) (*stream, error) {
	var failed error
	first := func(i int) uint64 {
		if s.records != nil {
			return s.records[i].key[0]
		}
		var b [recordSize]byte
		if _, err := r.spill.file.ReadAt(b[:], s.at+int64(i)*recordSize); err != nil {
			failed = fmt.Errorf("reading a temporary file: %w", err)
		}
		found := parseRecord(b[:])
		return found.key[0]
	}
	start := sort.Search(s.count, func(i int) bool { return first(i) >= from })
	end := start + sort.Search(s.count-start, func(i int) bool { return first(start+i) > to })
	if s.records != nil {
		return &stream{records: s.records[start:end]}, nil
	}
	section := io.NewSectionReader(r.spill.file, s.at+int64(start)*recordSize, int64(end-start)*recordSize)
	return &stream{from: section, left: end - start}, failed
}

// next makes the next record the one at hand.
func (s *stream) next() bool {
	if len(s.records) > 0 {
		s.record, s.records = s.records[0], s.records[1:]
		return true
	}
	if len(s.pending) == 0 {
		if s.left == 0 {
			return false
		}
		if s.buffer == nil {
			s.buffer = make([]byte, min(streamBuffer, s.left*recordSize))
		}
		s.pending = s.buffer[:min(len(s.buffer), s.left*recordSize)]
		if _, err := io.ReadFull(s.from, s.pending); err != nil {
			s.err = fmt.Errorf("reading a temporary file: %w", err)
			return false
		}
		s.left -= len(s.pending) / recordSize
	}
	s.record, s.pending = parseRecord(s.pending), s.pending[recordSize:]
	return true
}

// streams is a heap with the least record on top. Each has the first part of its
// key beside it, which mostly decides: to follow the pointers would take most of a
// merge's time.
type streams []head

type head struct {
	key    uint64
	stream *stream
}

func headOf(s *stream) head { return head{s.record.key[0], s} }

func (h head) before(other head) bool {
	if h.key != other.key {
		return h.key < other.key
	}
	return compareRecords(h.stream.record, other.stream.record) < 0
}

// arrange makes a heap of streams in any order.
func (h streams) arrange() {
	for i := len(h)/2 - 1; i >= 0; i-- {
		h.sink(i)
	}
}

// sink restores the heap when the one at i has changed.
func (h streams) sink(i int) {
	moved := h[i]
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if right := child + 1; right < len(h) && h[right].before(h[child]) {
			child = right
		}
		if !h[child].before(moved) {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = moved
}

package lint

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"
)

// A spool keeps the address and the place of every page that cannot be read once
// more, so that a finding about the set can name them: in memory up to a bound and
// in a temporary file beyond. An address is stored as what it does not share with
// the one before.
type spool struct {
	room  int64
	mutex sync.Mutex
	held  int64
	spill scratchFile
}

// A reel is the part of a spool that belongs to one file. It is written by one
// goroutine.
type reel struct {
	spool  *spool
	pieces []piece
	buffer []byte
	loc    []byte // of the last page
	offset int64
	line   int
	lines  int // between the last two
	column int
}

type piece struct {
	text []byte // nil for what lies in the spool's file
	at   int64
	size int
}

// A place is what a finding says of a page.
type place struct {
	loc    []byte
	offset int64
	line   int
	column int
}

const (
	pieceSize      = 64 << 10
	longestNumbers = 5 * binary.MaxVarintLen64
)

// add appends a page. Pages mostly stand as many lines behind the one before and in
// the same column.
func (r *reel) add(loc []byte, offset int64, line, column int) error {
	shared := sharedPrefix(loc, r.loc)
	if err := r.makeRoom(len(loc) - shared + longestNumbers); err != nil {
		return err
	}
	lines, moved := line-r.line, uint64(0)
	if lines != r.lines || column != r.column {
		moved = 1
	}
	b := appendNumber(r.buffer, uint64(shared)<<1|moved)
	b = appendNumber(b, uint64(len(loc)-shared))
	b = append(b, loc[shared:]...)
	b = appendNumber(b, uint64(offset-r.offset))
	if moved != 0 {
		b = appendNumber(b, uint64(lines))
		b = appendNumber(b, uint64(column))
	}
	r.loc = append(r.loc[:shared], loc[shared:]...)
	r.buffer, r.offset, r.line, r.lines, r.column = b, offset, line, lines, column
	return nil
}

// appendNumber appends one byte where that is enough, and is mostly called for such.
func appendNumber(b []byte, n uint64) []byte {
	if n < 0x80 {
		return append(b, byte(n))
	}
	return binary.AppendUvarint(b, n)
}

// makeRoom sees that a page fits into the buffer, which becomes a piece when it does
// not.
func (r *reel) makeRoom(size int) error {
	if cap(r.buffer)-len(r.buffer) >= size {
		return nil
	}
	err := r.flush()
	if cap(r.buffer) < size {
		r.buffer = make([]byte, 0, max(pieceSize, size))
	}
	return err
}

// flush makes a piece of the buffer, which stays usable only when it was written to
// the file.
func (r *reel) flush() error {
	size := len(r.buffer)
	if size == 0 {
		return nil
	}
	if r.spool.reserve(int64(size)) {
		r.pieces = append(r.pieces, piece{text: r.buffer, size: size})
		r.buffer = nil
		return nil
	}
	at, err := r.spool.write(r.buffer)
	r.pieces = append(r.pieces, piece{at: at, size: size})
	r.buffer = r.buffer[:0]
	return err
}

// done ends the file.
func (r *reel) done() error {
	if 2*len(r.buffer) < cap(r.buffer) {
		r.buffer = bytes.Clone(r.buffer)
	}
	err := r.flush()
	r.buffer, r.loc = nil, nil
	return err
}

// reserve reports whether memory may be held.
func (s *spool) reserve(size int64) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.held+size > s.room {
		return false
	}
	s.held += size
	return true
}

func (s *spool) write(b []byte) (at int64, err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.spill.write(b)
}

// each calls visit with the pages of the file in their order, until it returns
// false. The location is overwritten by the next.
func (r *reel) each(visit func(entry uint32, page func() place) bool) error {
	var p place
	page := func() place { return p }
	entry, lines := uint32(0), 0
	var buffer []byte
	for _, piece := range r.pieces {
		b := piece.text
		if b == nil {
			buffer = slices.Grow(buffer[:0], piece.size)
			b = buffer[:piece.size]
			if _, err := r.spool.spill.file.ReadAt(b, piece.at); err != nil {
				return fmt.Errorf("reading a temporary file: %w", err)
			}
		}
		number := func() uint64 {
			n, size := binary.Uvarint(b)
			b = b[size:]
			return n
		}
		for len(b) > 0 {
			head, size := number(), number()
			shared, moved := head>>1, head&1 != 0
			p.loc = append(p.loc[:shared], b[:size]...)
			b = b[size:]
			p.offset += int64(number())
			if moved {
				lines = int(number())
				p.column = int(number())
			}
			p.line += lines
			if !visit(entry, page) {
				return nil
			}
			entry++
		}
	}
	return nil
}

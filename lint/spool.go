package lint

import (
	"encoding/binary"
	"fmt"
	"sync"
)

// A spool keeps the address and the place of every page, so that a finding about
// the set can name them: in memory up to a bound and in a temporary file beyond.
// An address is stored as what it does not share with the one before.
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
	offset int64 // of the last page
	line   int
}

type piece struct {
	text []byte // nil for what lies in the spool's file
	at   int64
	size int
}

// A place is what a spool knows of a page.
type place struct {
	loc    []byte
	offset int64
	line   int
}

const pieceSize = 64 << 10

// add appends a page, whose address begins with as many bytes of the one before.
func (r *reel) add(loc []byte, shared int, offset int64, line int) error {
	b := r.buffer
	b = binary.AppendUvarint(b, uint64(shared))
	b = binary.AppendUvarint(b, uint64(len(loc)-shared))
	b = append(b, loc[shared:]...)
	b = binary.AppendUvarint(b, uint64(offset-r.offset))
	r.buffer = binary.AppendUvarint(b, uint64(line-r.line))
	r.offset, r.line = offset, line
	if len(r.buffer) >= pieceSize {
		return r.flush()
	}
	return nil
}

func (r *reel) flush() error {
	if len(r.buffer) == 0 {
		return nil
	}
	s := r.spool
	s.mutex.Lock()
	defer s.mutex.Unlock()
	size := len(r.buffer)
	if s.held+int64(size) <= s.room {
		s.held += int64(size)
		r.pieces = append(r.pieces, piece{text: append(make([]byte, 0, size), r.buffer...), size: size})
		r.buffer = r.buffer[:0]
		return nil
	}
	at, err := s.spill.write(r.buffer)
	r.pieces = append(r.pieces, piece{at: at, size: size})
	r.buffer = r.buffer[:0]
	return err
}

// each calls visit with the pages of the file in their order, until it returns
// false. The location is overwritten by the next.
func (r *reel) each(visit func(entry uint32, p place) bool) error {
	var p place
	entry := uint32(0)
	for _, piece := range r.pieces {
		b := piece.text
		if b == nil {
			b = make([]byte, piece.size)
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
			shared, size := number(), number()
			p.loc = append(p.loc[:shared], b[:size]...)
			b = b[size:]
			p.offset += int64(number())
			p.line += int(number())
			if !visit(entry, p) {
				return nil
			}
			entry++
		}
	}
	return nil
}

package pageset

import (
	"bytes"
	"encoding/binary"
	"slices"
	"sync"

	"github.com/mapatools/mapa/internal/tempfile"
	"github.com/mapatools/mapa/lint/internal/scan"
)

// Position is where a page is listed.
type Position struct {
	Loc    []byte
	Offset int64
	Line   int // 0 where it is unknown
	Column int
}

// positionStore keeps the address and the position of every page of a file that
// cannot be read again, so that a finding can name them: in memory up to a bound
// and in a temporary file beyond it.
type positionStore struct {
	memory int64
	mutex  sync.Mutex
	held   int64
	file   tempfile.File
}

// reserve reports whether more memory may be held.
func (s *positionStore) reserve(size int64) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.held+size > s.memory {
		return false
	}
	s.held += size
	return true
}

func (s *positionStore) write(b []byte) (offset int64, err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.file.Write(b)
}

// positionLog is the part of a positionStore that belongs to one sitemap. One
// goroutine writes it. An address is stored as the bytes that it does not share
// with the one before.
type positionLog struct {
	store  *positionStore
	chunks []chunk
	buffer []byte
	loc    []byte // of the last page
	offset int64
	line   int
	lines  int // between the last two pages
	column int
}

type chunk struct {
	text   []byte // nil for a chunk in the store's file
	offset int64
	size   int
}

const (
	chunkSize      = 64 << 10
	longestNumbers = 5 * binary.MaxVarintLen64
)

// add appends a page. Most pages are as many lines after the page before as that
// was after its own, and in the same column.
func (l *positionLog) add(loc []byte, offset int64, line, column int) error {
	shared := scan.SharedPrefix(loc, l.loc)
	if err := l.grow(len(loc) - shared + longestNumbers); err != nil {
		return err
	}
	lines, moved := line-l.line, uint64(0)
	if lines != l.lines || column != l.column {
		moved = 1
	}
	b := appendNumber(l.buffer, uint64(shared)<<1|moved)
	b = appendNumber(b, uint64(len(loc)-shared))
	b = append(b, loc[shared:]...)
	b = appendNumber(b, uint64(offset-l.offset))
	if moved != 0 {
		b = appendNumber(b, uint64(lines))
		b = appendNumber(b, uint64(column))
	}
	l.loc = append(l.loc[:shared], loc[shared:]...)
	l.buffer, l.offset, l.line, l.lines, l.column = b, offset, line, lines, column
	return nil
}

// appendNumber is the inlined fast path for a number of one byte.
func appendNumber(b []byte, n uint64) []byte {
	if n < 0x80 {
		return append(b, byte(n))
	}
	return binary.AppendUvarint(b, n)
}

// grow makes room for a page in the buffer, which becomes a chunk when it is full.
func (l *positionLog) grow(size int) error {
	if cap(l.buffer)-len(l.buffer) >= size {
		return nil
	}
	err := l.flush()
	if cap(l.buffer) < size {
		l.buffer = make([]byte, 0, max(chunkSize, size))
	}
	return err
}

// flush makes a chunk of the buffer. The buffer can be used again only when it
// was written to the file.
func (l *positionLog) flush() error {
	size := len(l.buffer)
	if size == 0 {
		return nil
	}
	if l.store.reserve(int64(size)) {
		l.chunks = append(l.chunks, chunk{text: l.buffer, size: size})
		l.buffer = nil
		return nil
	}
	offset, err := l.store.write(l.buffer)
	l.chunks = append(l.chunks, chunk{offset: offset, size: size})
	l.buffer = l.buffer[:0]
	return err
}

// close ends the sitemap.
func (l *positionLog) close() error {
	if 2*len(l.buffer) < cap(l.buffer) {
		l.buffer = bytes.Clone(l.buffer)
	}
	err := l.flush()
	l.buffer, l.loc = nil, nil
	return err
}

// each calls visit with the pages of the sitemap in their order, until it returns
// false. The next page overwrites the Loc.
func (l *positionLog) each(visit func(entry uint32, position func() Position) bool) error {
	var p Position
	position := func() Position { return p }
	entry, lines := uint32(0), 0
	var buffer []byte
	for _, c := range l.chunks {
		b := c.text
		if b == nil {
			buffer = slices.Grow(buffer[:0], c.size)
			b = buffer[:c.size]
			if err := l.store.file.Read(b, c.offset); err != nil {
				return err
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
			p.Loc = append(p.Loc[:shared], b[:size]...)
			b = b[size:]
			p.Offset += int64(number())
			if moved {
				lines = int(number())
				p.Column = int(number())
			}
			p.Line += lines
			if !visit(entry, position) {
				return nil
			}
			entry++
		}
	}
	return nil
}

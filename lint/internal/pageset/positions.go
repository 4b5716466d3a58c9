package pageset

import (
	"bytes"
	"encoding/binary"
	"slices"
	"sync"

	"github.com/mapatools/mapa/internal/tempfile"
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// Position is where a page is listed.
type Position struct {
	Loc    []byte
	Offset int64
	Line   int // 0 where it is unknown
	Column int
	Values Values
}

// Values are lastmod, changefreq and priority as a page is listed with them, empty where it
// has none. They are known if the set looks for a [Conflict].
type Values [3][]byte

// maxValue limits a value, which is for display.
const maxValue = 64

func valuesOf(e *sitemap.Entry) (v Values) {
	for i, value := range [...][]byte{e.LastMod, e.ChangeFreq, e.Priority} {
		v[i] = value[:min(len(value), maxValue)]
	}
	return v
}

// clone returns values that own their memory.
func (v Values) clone() Values {
	for i := range v {
		v[i] = bytes.Clone(v[i])
	}
	return v
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
	offset = s.file.Size()
	_, err = s.file.Write(b)
	return offset, err
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
	values []byte // of the last page, each after its length
}

type chunk struct {
	text   []byte // nil for a chunk in the store's file
	offset int64
	size   int
}

const (
	chunkSize      = 64 << 10
	longestNumbers = 5*binary.MaxVarintLen64 + len(Values{})*(1+maxValue)
)

// The flags of a page in the log, below the length that its address shares.
const (
	flagMoved  = 1 << iota // other lines or another column
	flagValues             // other values
	flagBits   = iota
)

// add appends a page. Most pages are as many lines after the page before as that
// was after its own, and in the same column.
func (l *positionLog) add(loc []byte, offset int64, line, column int, values Values) error {
	shared := scan.SharedPrefix(loc, l.loc)
	if err := l.grow(len(loc) - shared + longestNumbers); err != nil {
		return err
	}
	lines, flags := line-l.line, uint64(0)
	if lines != l.lines || column != l.column {
		flags |= flagMoved
	}
	if !l.hasValues(values) {
		flags |= flagValues
		l.values = l.values[:0]
		for _, value := range values {
			l.values = append(append(l.values, byte(len(value))), value...)
		}
	}
	b := appendNumber(l.buffer, uint64(shared)<<flagBits|flags)
	b = appendNumber(b, uint64(len(loc)-shared))
	b = append(b, loc[shared:]...)
	b = appendNumber(b, uint64(offset-l.offset))
	if flags&flagMoved != 0 {
		b = appendNumber(b, uint64(lines))
		b = appendNumber(b, uint64(column))
	}
	if flags&flagValues != 0 {
		b = append(b, l.values...)
	}
	l.loc = append(l.loc[:shared], loc[shared:]...)
	l.buffer, l.offset, l.line, l.lines, l.column = b, offset, line, lines, column
	return nil
}

// hasValues reports whether the values are those of the last page.
func (l *positionLog) hasValues(values Values) bool {
	rest := l.values
	for _, value := range values {
		if len(rest) == 0 {
			if len(value) > 0 {
				return false
			}
			continue
		}
		size := int(rest[0])
		if !bytes.Equal(rest[1:1+size], value) {
			return false
		}
		rest = rest[1+size:]
	}
	return true
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
// false. The next page overwrites the Loc and the values.
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
			if _, err := l.store.file.ReadAt(b, c.offset); err != nil {
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
			shared := head >> flagBits
			p.Loc = append(p.Loc[:shared], b[:size]...)
			b = b[size:]
			p.Offset += int64(number())
			if head&flagMoved != 0 {
				lines = int(number())
				p.Column = int(number())
			}
			if head&flagValues != 0 {
				for i := range p.Values {
					size := int(b[0])
					p.Values[i] = append(p.Values[i][:0], b[1:1+size]...)
					b = b[1+size:]
				}
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

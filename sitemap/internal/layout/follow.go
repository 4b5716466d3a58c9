package layout

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"github.com/mapatools/mapa/sitemap/internal/swar"
)

// pieceSize is how many bytes are compared at once: four words.
const pieceSize = 32

// A piece is a step of a layout, or a part of a long one, in the form in which it
// is compared.
type piece struct {
	words  [pieceSize / 8]uint64
	masks  [pieceSize / 8]uint64 // the bytes of words that count
	length int
	next   Field // None where no value follows
}

// cut appends a step in pieces.
func (s *Step) cut(pieces []piece) []piece {
	for run := s.Run; ; {
		var text, counts [pieceSize]byte
		n := copy(text[:], run)
		for i := range n {
			counts[i] = 0xff
		}
		p := piece{length: n, next: None}
		for i := range p.words {
			p.words[i] = binary.LittleEndian.Uint64(text[8*i:])
			p.masks[i] = binary.LittleEndian.Uint64(counts[8*i:])
		}
		if run = run[n:]; len(run) == 0 {
			p.next = s.Next
			return append(pieces, p)
		}
		pieces = append(pieces, p)
	}
}

// followInWords does the work of Layout.Follow. It gives up where b ends less
// than a piece after the record. All is one loop without calls, since the
// processor spends most of a file in it.
func followInWords(b []byte, pieces []piece, values *[Fields]Span) (end int, clean bool) {
	at := 0
	clean = true
	for i := range pieces {
		p := &pieces[i]
		if at+pieceSize > len(b) {
			return 0, false
		}
		if s := b[at : at+pieceSize]; (binary.LittleEndian.Uint64(s)^p.words[0])&p.masks[0]|
			(binary.LittleEndian.Uint64(s[8:])^p.words[1])&p.masks[1]|
			(binary.LittleEndian.Uint64(s[16:])^p.words[2])&p.masks[2]|
			(binary.LittleEndian.Uint64(s[24:])^p.words[3])&p.masks[3] != 0 {
			return 0, false
		}
		at += p.length
		if p.next == None {
			continue
		}
		from := at
		if at+8 > len(b) {
			return 0, false
		}
		if stops := markUnusual(binary.LittleEndian.Uint64(b[at : at+8])); stops != 0 {
			at += bits.TrailingZeros64(stops) / 8
		} else {
			for at += 8; ; at += pieceSize {
				if at+pieceSize > len(b) {
					return 0, false
				}
				s := b[at : at+pieceSize]
				m0, m1 := markUnusual(binary.LittleEndian.Uint64(s)), markUnusual(binary.LittleEndian.Uint64(s[8:]))
				m2, m3 := markUnusual(binary.LittleEndian.Uint64(s[16:])), markUnusual(binary.LittleEndian.Uint64(s[24:]))
				if m0|m1|m2|m3 != 0 {
					at += bits.TrailingZeros64(gather(m0) | gather(m1)<<8 | gather(m2)<<16 | gather(m3)<<24)
					break
				}
			}
		}
		if b[at] != '<' {
			if p.next != Loc {
				return 0, false
			}
			length := bytes.IndexByte(b[at:], '<')
			if length < 0 {
				return 0, false
			}
			at += length
			clean = false
		}
		if at == from {
			return 0, false
		}
		values[p.next] = Span{from, at}
	}
	return at, clean
}

// markUnusual marks the bytes of a word that are <, below ' or above 0x7f by
// their highest bits. Only the lowest mark is exact.
func markUnusual(x uint64) uint64 {
	return (x | (x - '\''*swar.Ones) | ((x ^ '<'*swar.Ones) - swar.Ones)) & swar.HighBits
}

// gather makes one byte of the highest bits of all bytes.
func gather(x uint64) uint64 { return (x >> 7) * 0x0102040810204080 >> 56 }

package sitemap

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/mapatools/mapa/sitemap/internal/swar"
	"github.com/mapatools/mapa/sitemap/internal/xmltext"
)

// isUsual reports whether a location is absolute in the usual spelling.
func isUsual(loc []byte) bool {
	return len(loc) > 8 && (string(loc[:8]) == "https://" || string(loc[:7]) == "http://")
}

// decodeLoc decodes the location between two positions, at least eight bytes before
// the end of the window, into scratch. It reports false for one that has white
// space, control characters or broken references.
func (x *xmlReader) decodeLoc(from, to int) bool {
	b := x.window.Bytes()
	x.scratch = slices.Grow(x.scratch[:0], to-from+8)
	decoded, n := x.scratch[:to-from+8], 0
	for from < to {
		word := binary.LittleEndian.Uint64(b[from : from+8])
		binary.LittleEndian.PutUint64(decoded[n:n+8], word)
		special := spaceOrAmpersand(word)
		if special == 0 {
			from, n = from+8, n+8
			continue
		}
		skip := bits.TrailingZeros64(special) / 8
		if from, n = from+skip, n+skip; from >= to {
			break
		}
		if string(b[from:from+5]) != "&amp;" {
			return x.decodeRest(n, b[from:to])
		}
		decoded[n] = '&'
		from, n = from+5, n+1
	}
	x.scratch = decoded[:n-(from-to)]
	return !endsInSpace(x.scratch)
}

// decodeRest decodes a location from the first reference on that is not &amp;.
// The n bytes before are in scratch.
func (x *xmlReader) decodeRest(n int, text []byte) (ok bool) {
	if xmltext.HasSpace(text) {
		return false
	}
	x.scratch, ok = xmltext.UnescapeKnown(x.scratch[:n], text)
	return ok && !endsInSpace(x.scratch)
}

// endsInSpace reports whether text that ends in no white space of ASCII ends in
// other white space.
func endsInSpace(text []byte) bool {
	if text[len(text)-1] < utf8.RuneSelf {
		return false
	}
	last, _ := utf8.DecodeLastRune(text)
	return unicode.IsSpace(last)
}

// spaceOrAmpersand marks, by their highest bits, the bytes of a word that are white
// space, control characters of ASCII or &. The first mark is exact, later ones may
// be wrong.
func spaceOrAmpersand(x uint64) uint64 {
	ampersand := x ^ '&'*swar.Ones
	return ((x-'!'*swar.Ones)&^x | (ampersand-swar.Ones)&^ampersand) & swar.HighBits
}

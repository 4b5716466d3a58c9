package xmltext

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"github.com/mapatools/mapa/sitemap/internal/swar"
)

// Measure returns the length of the text that b begins with, up to the next <,
// and whether it is plain, as IsPlain defines it. found is false where the < is
// among the last seven bytes of b or not in b.
func Measure(b []byte) (length int, isPlain, found bool) {
	if len(b) < 8 {
		return 0, false, false
	}
	x := binary.LittleEndian.Uint64(b)
	stop := x ^ '<'*swar.Ones
	if stop = (stop - swar.Ones) &^ stop & swar.HighBits; stop != 0 {
		before := stop&-stop - 1 // includes bits of the < itself, which is not odd
		return bits.TrailingZeros64(stop) / 8, oddBytes(x)&before == 0, true
	}
	length = bytes.IndexByte(b, '<')
	if length < 8 {
		return 0, false, false
	}
	return length, IsPlain(b[:length]), true
}

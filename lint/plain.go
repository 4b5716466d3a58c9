package lint

import (
	"encoding/binary"
	"math/bits"
)

// plainBytes reports whether all bytes from a position are plain at first sight, of
// which the one before is. Those before it may be looked at again: as many words
// each time let the processor foresee the way.
func plainBytes(loc []byte, from int) bool {
	const step = 32
	end := len(loc)
	for end-from > step {
		if odd(loc[end-step-1:end]) != 0 {
			return false
		}
		end -= step
	}
	return end > step && odd(loc[end-step-1:end]) == 0
}

// odd looks at the last 32 of 33 bytes.
func odd(b []byte) uint64 {
	_ = b[32]
	return oddWord(binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[1:])) |
		oddWord(binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b[9:])) |
		oddWord(binary.LittleEndian.Uint64(b[16:]), binary.LittleEndian.Uint64(b[17:])) |
		oddWord(binary.LittleEndian.Uint64(b[24:]), binary.LittleEndian.Uint64(b[25:]))
}

// oddWord is 0 where eight bytes are letters, digits and ()*+,-./: without a dot
// behind a slash. The word before begins a byte earlier.
func oddWord(before, word uint64) uint64 {
	const every, high = 0x01_01_01_01_01_01_01_01, 0x80_80_80_80_80_80_80_80
	small := word | 0x20*every
	letters := (small + (0x80-'a')*every) &^ (small + (0x7f-'z')*every)
	others := (word + (0x80-'(')*every) &^ (word + (0x7f-':')*every)
	dots := (before ^ '/'*every) | (word ^ '.'*every) // a byte is 0 where the two meet
	return (^(letters | others) | word | (dots-every)&^dots) & high
}

// sharedPrefix counts the bytes that a and b begin with alike.
func sharedPrefix(a, b []byte) (n int) {
	most := min(len(a), len(b))
	for n+8 <= most {
		if x := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); x != 0 {
			return n + bits.TrailingZeros64(x)/8
		}
		n += 8
	}
	for n < most && a[n] == b[n] {
		n++
	}
	return n
}

package scan

import (
	"encoding/binary"
	"math/bits"
)

// plainBytes reports whether all bytes from a position on are plain, given that
// the one before is. It may look at plain bytes before the position again: a
// constant number of words lets the processor predict the branches. False means
// that a closer look is needed.
func plainBytes(loc []byte, from int) bool {
	const step = 32
	end := len(loc)
	for end-from > step {
		if unusual(loc[end-step-1:end]) != 0 {
			return false
		}
		end -= step
	}
	return end > step && unusual(loc[end-step-1:end]) == 0
}

// unusual looks at the last 32 of 33 bytes and returns 0 where all are plain.
func unusual(b []byte) uint64 {
	_ = b[32]
	return unusualWord(binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[1:])) |
		unusualWord(binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b[9:])) |
		unusualWord(binary.LittleEndian.Uint64(b[16:]), binary.LittleEndian.Uint64(b[17:])) |
		unusualWord(binary.LittleEndian.Uint64(b[24:]), binary.LittleEndian.Uint64(b[25:]))
}

// unusualWord returns 0 where eight bytes are letters, digits and ()*+,-./:
// without a dot after a slash. The word before begins one byte earlier.
func unusualWord(before, word uint64) uint64 {
	const every, high = 0x01_01_01_01_01_01_01_01, 0x80_80_80_80_80_80_80_80
	small := word | 0x20*every
	letters := (small + (0x80-'a')*every) &^ (small + (0x7f-'z')*every)
	others := (word + (0x80-'(')*every) &^ (word + (0x7f-':')*every)
	dots := (before ^ '/'*every) | (word ^ '.'*every) // a byte is 0 where a dot follows a slash
	return (^(letters | others) | word | (dots-every)&^dots) & high
}

// SharedPrefix counts the bytes that a and b begin with alike.
func SharedPrefix(a, b []byte) (n int) {
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

package extract

import (
	"encoding/binary"
	"unicode/utf8"
)

// Chinese and Japanese are written without spaces. A character of theirs counts as half a
// word, which is about what a translation has. Korean has spaces.

// halfWords returns how many half words a run without white space has in addition to the
// word that it is counted as: negative for a single character.
func halfWords(run []byte) int {
	characters := 0
	for i := 0; i < len(run); {
		if !mayBeginCJK(run[i]) {
			i++
			continue
		}
		r, size := utf8.DecodeRune(run[i:])
		if isCJK(r) {
			characters++
		}
		i += size
	}
	if characters == 0 {
		return 0
	}
	return characters - 2
}

// isCJK reports whether r is a Han character, or one of Hiragana or Katakana.
func isCJK(r rune) bool {
	return 0x3005 <= r && r <= 0x3007 || 0x3041 <= r && r <= 0x30ff || 0x31f0 <= r && r <= 0x31ff ||
		0x3400 <= r && r <= 0x4dbf || 0x4e00 <= r && r <= 0x9fff || 0xf900 <= r && r <= 0xfaff ||
		0xff66 <= r && r <= 0xff9f || 0x20000 <= r && r <= 0x3ffff
}

// mayBeginCJK reports whether c is the first byte of some of these characters in UTF-8.
func mayBeginCJK(c byte) bool { return 0xe3 <= c && c <= 0xe9 || c == 0xef || c == 0xf0 }

// mayHaveCJK reports whether a text may have one of these characters.
func mayHaveCJK(text []byte) bool {
	for ; len(text) >= 8; text = text[8:] {
		x := binary.LittleEndian.Uint64(text)
		if x&(x<<1)&(x<<2)&0x8080808080808080 == 0 {
			continue // no byte begins with 111
		}
		for _, c := range text[:8] {
			if mayBeginCJK(c) {
				return true
			}
		}
	}
	for _, c := range text {
		if mayBeginCJK(c) {
			return true
		}
	}
	return false
}

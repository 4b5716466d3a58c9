// Package xmltext decodes, checks and escapes the text of XML 1.0: characters,
// white space and references.
package xmltext

import (
	"encoding/binary"
	"unicode/utf8"

	"github.com/mapatools/mapa/sitemap/internal/swar"
)

// Whitespace is the production S of XML 1.0, section 2.3.
const Whitespace = " \t\r\n"

// IsSpace reports whether c is one of Whitespace.
func IsSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// AfterSpace returns the position of the first byte at or after b[at] that is not
// white space, or len(b).
func AfterSpace(b []byte, at int) int {
	for at < len(b) && IsSpace(b[at]) {
		at++
	}
	return at
}

// IsChar follows the production Char of XML 1.0, section 2.2.
func IsChar(r rune) bool {
	return r >= 0x20 && r <= 0xd7ff || r == '\t' || r == '\n' || r == '\r' ||
		r >= 0xe000 && r <= 0xfffd || r >= 0x10000 && r <= utf8.MaxRune
}

// IsControl reports whether XML cannot hold r. Broken UTF-8 does not count.
func IsControl(r rune) bool { return !IsChar(r) && r != utf8.RuneError }

// IsPlain reports whether text is its own value: it has neither white space nor
// control characters, no & and nothing outside ASCII. It looks at many bytes at
// a time, since it runs before every value that is read.
func IsPlain(text []byte) bool {
	if len(text) < 8 {
		for _, c := range text {
			if c <= ' ' || c == '&' || c >= 0x80 {
				return false
			}
		}
		return true
	}
	odd := oddBytes(binary.LittleEndian.Uint64(text[len(text)-8:]))
	for ; len(text) >= 32; text = text[32:] {
		odd |= oddBytes(binary.LittleEndian.Uint64(text)) | oddBytes(binary.LittleEndian.Uint64(text[8:])) |
			oddBytes(binary.LittleEndian.Uint64(text[16:])) | oddBytes(binary.LittleEndian.Uint64(text[24:]))
	}
	for ; len(text) >= 8; text = text[8:] {
		odd |= oddBytes(binary.LittleEndian.Uint64(text))
	}
	return odd == 0
}

// oddBytes is not zero when a byte of x is below 0x21, is & or is above 0x7f.
func oddBytes(x uint64) uint64 {
	ampersand := x ^ '&'*swar.Ones
	return (x | (x - 0x21*swar.Ones) | (ampersand - swar.Ones)) & swar.HighBits
}

// HasBreak reports whether text has a tab or a line break. Control characters
// are rare, so a word with any of them is searched byte by byte.
func HasBreak(text []byte) bool {
	for ; len(text) >= 8; text = text[8:] {
		x := binary.LittleEndian.Uint64(text)
		if (x-' '*swar.Ones)&^x&swar.HighBits != 0 {
			break
		}
	}
	for _, c := range text {
		if c == '\t' || c == '\n' || c == '\r' {
			return true
		}
	}
	return false
}

// HasSpace reports whether text has white space or a control character of ASCII.
func HasSpace(text []byte) bool {
	for ; len(text) >= 8; text = text[8:] {
		x := binary.LittleEndian.Uint64(text)
		if (x-('!'*swar.Ones))&^x&swar.HighBits != 0 {
			return true
		}
	}
	for _, c := range text {
		if c <= ' ' {
			return true
		}
	}
	return false
}

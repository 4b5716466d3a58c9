package sitemap

import (
	"bytes"
	"encoding/binary"
	"html"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A notice reports a tolerated fault at a position in the bytes at hand.
type notice func(kind FaultKind, at int, detail string)

const longestEntityName = 32

// unescape appends text with its character and entity references resolved (XML
// 1.0, 4.1 and 4.6). Entities that only HTML knows are resolved too, since
// writers leave them behind; everything else stays as it is, and is reported.
func unescape(dst, text []byte, report notice) []byte {
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '&')
		if n < 0 {
			return append(dst, text[at:]...)
		}
		dst = append(dst, text[at:at+n]...)
		at += n
		reference := entityAt(text[at:])
		if reference == nil {
			report(FaultBareAmpersand, at, "")
			dst = append(dst, '&')
			at++
			continue
		}
		resolved, ok := resolve(dst, reference)
		if !ok {
			report(FaultUndeclaredEntity, at, evidence(reference))
		}
		dst = resolved
		at += len(reference)
	}
}

// unescapeKnown does as unescape does for text in which every reference is one
// that XML knows and stands for no white space. It reports whether that is so.
func unescapeKnown(dst, text []byte) ([]byte, bool) {
	for {
		n := bytes.IndexByte(text, '&')
		if n < 0 {
			return append(dst, text...), true
		}
		dst = append(dst, text[:n]...)
		text = text[n:]
		if len(text) > 4 && string(text[:5]) == "&amp;" {
			dst, text = append(dst, '&'), text[5:]
			continue
		}
		reference := entityAt(text)
		if reference == nil {
			return dst, false
		}
		before, known := len(dst), false
		if dst, known = resolve(dst, reference); !known || dst[before] <= ' ' {
			return dst, false
		}
		text = text[len(reference):]
	}
}

// entityAt returns the reference, from & to ;, that text begins with.
func entityAt(text []byte) []byte {
	limit := min(len(text), longestEntityName)
	end := bytes.IndexByte(text[:limit], ';')
	if end < 2 {
		return nil
	}
	for i, c := range text[1:end] {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		digit := c >= '0' && c <= '9'
		if !letter && !(digit && i > 0) && !(c == '#' && i == 0) {
			return nil
		}
	}
	return text[:end+1]
}

// resolve appends what a reference stands for, or itself. It reports whether
// XML knows the reference without a declaration.
func resolve(dst, reference []byte) ([]byte, bool) {
	switch string(reference) {
	case "&amp;":
		return append(dst, '&'), true
	case "&lt;":
		return append(dst, '<'), true
	case "&gt;":
		return append(dst, '>'), true
	case "&quot;":
		return append(dst, '"'), true
	case "&apos;":
		return append(dst, '\''), true
	}
	if reference[1] != '#' {
		text := html.UnescapeString(string(reference))
		if strings.HasSuffix(text, ";") && text != ";" {
			text = string(reference) // unknown, though its start may be a name, as in &section;
		}
		return append(dst, text...), false
	}
	digits, base := reference[2:len(reference)-1], 10
	if len(digits) > 0 && digits[0] == 'x' {
		digits, base = digits[1:], 16
	}
	code, err := strconv.ParseUint(string(digits), base, 32)
	if err != nil || !isXMLChar(rune(code)) {
		return append(dst, reference...), false
	}
	return utf8.AppendRune(dst, rune(code)), true
}

// isXMLChar follows the production Char of XML 1.0, section 2.2.
func isXMLChar(r rune) bool {
	return r >= 0x20 && r <= 0xd7ff || r == '\t' || r == '\n' || r == '\r' ||
		r >= 0xe000 && r <= 0xfffd || r >= 0x10000 && r <= utf8.MaxRune
}

const (
	everyByte = 0x0101010101010101
	highBits  = 0x80 * everyByte
)

// plain reports whether text has neither white space nor control characters,
// no & and nothing outside ASCII, many bytes at a time: the test stands before
// every value that is read.
func plain(text []byte) bool {
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
	ampersand := x ^ '&'*everyByte
	return (x | (x - 0x21*everyByte) | (ampersand - everyByte)) & highBits
}

// hasBreak reports whether text has a tab or a line break. Control characters
// are rare enough to be told apart one by one.
func hasBreak(text []byte) bool {
	for ; len(text) >= 8; text = text[8:] {
		x := binary.LittleEndian.Uint64(text)
		if (x-' '*everyByte)&^x&highBits != 0 {
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

// hasSpace reports whether text has white space or a control character of ASCII.
func hasSpace(text []byte) bool {
	for ; len(text) >= 8; text = text[8:] {
		x := binary.LittleEndian.Uint64(text)
		if (x-('!'*everyByte))&^x&highBits != 0 {
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

// plainText measures the text that b begins with, up to the next <, and reports
// whether it is plain. It finds nothing in the last seven bytes of b.
func plainText(b []byte) (length int, isPlain, found bool) {
	if len(b) < 8 {
		return 0, false, false
	}
	x := binary.LittleEndian.Uint64(b)
	stop := x ^ '<'*everyByte
	if stop = (stop - everyByte) &^ stop & highBits; stop != 0 {
		before := stop&-stop - 1 // includes bits of the < itself, which is not odd
		return bits.TrailingZeros64(stop) / 8, oddBytes(x)&before == 0, true
	}
	length = bytes.IndexByte(b, '<')
	if length < 8 {
		return 0, false, false
	}
	return length, plain(b[:length]), true
}

package extract

import (
	"html"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// longestReference is the length of the longest named character reference
// without its "&", CounterClockwiseContourIntegral;.
const longestReference = 32

// references decodes character references as the HTML standard does (section
// 13.2.5.72 to 13.2.5.80). It caches the named ones, about 2,200.
type references map[string]string

// newReferences starts with the two references that package html does not decode,
// because they are shorter than their characters.
func newReferences() references {
	return references{"nLt;": "\u226a\u20d2", "nGt;": "\u226b\u20d2"}
}

// appendDecoded appends the reference at the beginning of b, which is a "&", to
// dst and returns its length. Without a reference, it appends the "&"
// itself. In an attribute a name without ";" counts only if no "=", letter or
// digit follows.
func (r references) appendDecoded(dst, b []byte, inAttribute bool) ([]byte, int) {
	if len(b) > 1 && b[1] == '#' {
		return appendNumeric(dst, b)
	}
	end := 1
	for end < len(b) && end <= longestReference && (isLetter(b[end]) || isDigit(b[end])) {
		end++
	}
	hasSemicolon := end < len(b) && b[end] == ';'
	if hasSemicolon {
		end++
	}
	if end < 3 || inAttribute && !hasSemicolon && end < len(b) && (b[end] == '=' || isLetter(b[end]) || isDigit(b[end])) {
		return append(dst, '&'), 1
	}
	if text, known := r[string(b[1:end])]; known {
		return append(dst, text...), end
	}
	name := string(b[:end])
	text := html.UnescapeString(name)
	if isWhole(text, name) {
		r[name[1:]] = text
		return append(dst, text...), end
	}
	if !inAttribute && text != name {
		// A name without ";" at the beginning; what follows it is text.
		return append(dst, text...), end
	}
	return append(dst, '&'), 1
}

// isWhole reports whether decoding name, which has one "&", consumed all of it. No
// reference but &semi; yields a ";", and all those without ";" yield a single
// character.
func isWhole(text, name string) bool {
	switch {
	case text == name:
		return false
	case name[len(name)-1] == ';':
		return text == ";" || text[len(text)-1] != ';'
	}
	return utf8.RuneCountInString(text) == 1
}

// appendNumeric decodes a numeric character reference (section 13.2.5.80).
func appendNumeric(dst, b []byte) ([]byte, int) {
	p, base := 2, rune(10)
	if p < len(b) && lower(b[p]) == 'x' {
		p, base = 3, 16
	}
	start := p
	var code rune
	for ; p < len(b); p++ {
		digit, ok := digitValue(b[p])
		if !ok || digit >= base {
			break
		}
		if code <= utf8.MaxRune {
			code = code*base + digit
		}
	}
	if p == start {
		return append(dst, '&'), 1
	}
	if p < len(b) && b[p] == ';' {
		p++
	}
	switch {
	case code == 0 || !utf8.ValidRune(code):
		code = utf8.RuneError
	case 0x80 <= code && code <= 0x9f:
		if meant := charmap.Windows1252.DecodeByte(byte(code)); meant != utf8.RuneError {
			code = meant // five have no meaning there and are kept
		}
	}
	return utf8.AppendRune(dst, code), p
}

func digitValue(c byte) (rune, bool) {
	switch c = lower(c); {
	case isDigit(c):
		return rune(c - '0'), true
	case 'a' <= c && c <= 'f':
		return rune(c-'a') + 10, true
	}
	return 0, false
}

// needsDecoding marks the bytes of an attribute value that are not returned as they
// are.
var needsDecoding = [256]bool{'&': true, '\r': true, 0: true}

// decodeAttribute appends the value of an attribute as written to dst, with
// references decoded, line ends unified and NUL replaced (section 13.2.3.5 and
// 13.2.5.36).
func (r references) decodeAttribute(dst, raw []byte) []byte {
	for len(raw) > 0 {
		n := 0
		for n < len(raw) && !needsDecoding[raw[n]] {
			n++
		}
		dst = append(dst, raw[:n]...)
		if raw = raw[n:]; len(raw) == 0 {
			break
		}
		taken := 1
		switch raw[0] {
		case '&':
			dst, taken = r.appendDecoded(dst, raw, true)
		case '\r':
			dst = append(dst, '\n')
			if len(raw) > 1 && raw[1] == '\n' {
				taken = 2
			}
		default:
			dst = utf8.AppendRune(dst, utf8.RuneError)
		}
		raw = raw[taken:]
	}
	return dst
}

package robots

import "strings"

// octetSet is a set of octets, one bit each.
type octetSet [4]uint64

func (s *octetSet) has(c byte) bool { return s[c>>6]>>(c&63)&1 != 0 }

// The character classes of RFC 3986, sections 2.2 and 2.3: the octets below 64, and those
// from 64 to 127.
const (
	unreservedLow  uint64 = (1<<10-1)<<'0' | 1<<'-' | 1<<'.'
	unreservedHigh uint64 = (1<<26-1)<<('A'-64) | (1<<26-1)<<('a'-64) | 1<<('_'-64) | 1<<('~'-64)
	reservedLow    uint64 = 1<<':' | 1<<'/' | 1<<'?' | 1<<'#' | 1<<'!' | 1<<'$' | 1<<'&' | 1<<'\'' | 1<<'(' |
		1<<')' | 1<<'*' | 1<<'+' | 1<<',' | 1<<';' | 1<<'='
	reservedHigh uint64 = 1<<('['-64) | 1<<(']'-64) | 1<<('@'-64)
)

var (
	unreserved = octetSet{unreservedLow, unreservedHigh}
	reserved   = octetSet{reservedLow, reservedHigh}
)

// A form normalizes paths and patterns so that they can be compared. In every form,
// encoded unreserved octets are decoded, other escapes have upper-case digits, and
// octets that a URI does not allow are encoded. The forms differ in the reserved
// octets that they do not encode.
type form struct {
	path  octetSet // up to the first question mark
	query octetSet // after it
}

var (
	// written keeps reserved octets as they are, encoded or not.
	written = form{
		path:  octetSet{unreservedLow | reservedLow, unreservedHigh | reservedHigh},
		query: octetSet{unreservedLow | reservedLow, unreservedHigh | reservedHigh},
	}
	// encoded encodes the reserved octets that do not structure the URL, so
	// that both spellings of one are equal, as in the table of RFC 9309,
	// section 2.2.2: the query baz=https://foo.bar is
	// baz=https%3A%2F%2Ffoo.bar.
	encoded = form{
		path:  octetSet{unreservedLow | 1<<'/' | 1<<'?' | 1<<'=' | 1<<'&', unreservedHigh},
		query: octetSet{unreservedLow | 1<<'=' | 1<<'&', unreservedHigh},
	}
	// encodedPattern is the form encoded for patterns, whose stars are wildcards.
	encodedPattern = form{
		path:  octetSet{unreservedLow | 1<<'/' | 1<<'?' | 1<<'=' | 1<<'&' | 1<<'*', unreservedHigh},
		query: octetSet{unreservedLow | 1<<'=' | 1<<'&' | 1<<'*', unreservedHigh},
	}
)

// append appends text in the form f to dst. A percent sign that does not begin an
// escape is kept: a pattern such as /*% matches any escape.
func (f *form) append(dst []byte, text string) []byte {
	keep := &f.path
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch octet, escape := unescape(text[i:]); {
		case escape && unreserved.has(octet):
			dst = append(dst, octet)
			i += 2
		case escape:
			dst = appendEscape(dst, octet)
			i += 2
		case keep.has(c) || c == '%':
			dst = append(dst, c)
		default:
			dst = appendEscape(dst, c)
		}
		if c == '?' {
			keep = &f.query
		}
	}
	return dst
}

// keeps reports whether text is already in the form f.
func (f *form) keeps(text string) bool {
	keep := &f.path
	for i := 0; i < len(text); i++ {
		c := text[i]
		if !keep.has(c) {
			return false
		}
		if c == '?' {
			keep = &f.query
		}
	}
	return true
}

// hasEscapedReserved reports whether text contains an encoded reserved octet.
func hasEscapedReserved(text string) bool {
	for {
		i := strings.IndexByte(text, '%')
		if i < 0 {
			return false
		}
		text = text[i:]
		if octet, escape := unescape(text); escape && reserved.has(octet) {
			return true
		}
		text = text[1:]
	}
}

// unescape decodes the escape at the beginning of text. escape is false when there
// is none.
func unescape(text string) (octet byte, escape bool) {
	if len(text) < 3 || text[0] != '%' {
		return 0, false
	}
	high, low := hexValue(text[1]), hexValue(text[2])
	return high<<4 | low, high < 16 && low < 16
}

// hexValue returns the value of a hexadecimal digit, and 16 for any other octet.
func hexValue(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10
	default:
		return 16
	}
}

func appendEscape(dst []byte, octet byte) []byte {
	const digits = "0123456789ABCDEF"
	return append(dst, '%', digits[octet>>4], digits[octet&15])
}

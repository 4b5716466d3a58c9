package robots

import "strings"

// octetSet holds the octets that stand for themselves.
type octetSet [256]bool

func newOctetSet(characters string) octetSet {
	var set octetSet
	for _, c := range []byte(characters) {
		set[c] = true
	}
	return set
}

// The character classes of RFC 3986, sections 2.2 and 2.3.
const (
	unreservedCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
	reservedCharacters   = ":/?#[]@!$&'()*+,;="
)

var (
	unreserved = newOctetSet(unreservedCharacters)
	reserved   = newOctetSet(reservedCharacters)
)

// form is a way to write paths and patterns so that equal octets compare equal.
// In every form an encoded unreserved octet is decoded, other escapes have
// upper-case digits, and an octet that may not stand in a URI is encoded. The
// forms differ in the reserved octets that they leave alone.
type form struct {
	path  octetSet // before the first question mark, and that mark
	query octetSet // after it
}

var (
	// written leaves reserved octets as they are found, encoded or not.
	written = form{
		path:  newOctetSet(unreservedCharacters + reservedCharacters),
		query: newOctetSet(unreservedCharacters + reservedCharacters),
	}
	// encoded encodes the reserved octets that do not structure the URL, so
	// that both spellings of one are equal, as in the table of RFC 9309,
	// section 2.2.2: the query baz=https://foo.bar is
	// baz=https%3A%2F%2Ffoo.bar.
	encoded = form{
		path:  newOctetSet(unreservedCharacters + "/?=&"),
		query: newOctetSet(unreservedCharacters + "=&"),
	}
	// encodedPattern is encoded for a pattern, whose stars are wildcards.
	encodedPattern = form{
		path:  newOctetSet(unreservedCharacters + "/?=&*"),
		query: newOctetSet(unreservedCharacters + "=&*"),
	}
)

// append appends text in the form f to dst. A percent sign that begins no
// escape is kept: a pattern such as /*% means any escape.
func (f *form) append(dst []byte, text string) []byte {
	keep := &f.path
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch octet, escape := unescape(text[i:]); {
		case escape && unreserved[octet]:
			dst = append(dst, octet)
			i += 2
		case escape:
			dst = appendEscape(dst, octet)
			i += 2
		case keep[c] || c == '%':
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

// keeps reports whether the form f leaves text exactly as it is.
func (f *form) keeps(text string) bool {
	keep := &f.path
	for i := 0; i < len(text); i++ {
		c := text[i]
		if !keep[c] {
			return false
		}
		if c == '?' {
			keep = &f.query
		}
	}
	return true
}

// holdsEscapedReserved reports whether one of the escapes in text stands for a
// reserved octet.
func holdsEscapedReserved(text string) bool {
	for {
		i := strings.IndexByte(text, '%')
		if i < 0 {
			return false
		}
		text = text[i:]
		if octet, escape := unescape(text); escape && reserved[octet] {
			return true
		}
		text = text[1:]
	}
}

// unescape gives the octet whose escape text begins with, if it does.
func unescape(text string) (octet byte, escape bool) {
	if len(text) < 3 || text[0] != '%' {
		return 0, false
	}
	high, low := hexValue(text[1]), hexValue(text[2])
	return high<<4 | low, high < 16 && low < 16
}

// hexValue gives the value of a hexadecimal digit, and 16 for any other octet.
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

package urlnorm

import (
	"strconv"
	"unicode/utf8"
)

// The classes of bytes, one bit each.
const (
	encodeQuery   = 1 << iota // percent-encoded in the query of a special URL
	encodePath                // percent-encoded in a path
	stopPath                  // cannot be copied from path to path without a check
	stopQuery                 // cannot be copied from query to query without a check
	plainHost                 // part of a host that needs no mapping
	forbiddenHost             // a forbidden domain code point
)

// class holds the percent-encode sets of
// https://url.spec.whatwg.org/#percent-encoded-bytes and the forbidden domain
// code points of https://url.spec.whatwg.org/#host-miscellaneous.
var class = classify()

func classify() (table [256]uint8) {
	mark := func(chars string, bits uint8) {
		for i := range len(chars) {
			table[chars[i]] |= bits
		}
	}
	const everywhere = encodeQuery | encodePath
	for c := range table {
		if c <= 0x1F || c > 0x7E {
			table[c] |= everywhere
		}
		if c <= 0x1F || c == 0x7F {
			table[c] |= forbiddenHost
		}
		if 'a' <= c && c <= 'z' || '0' <= c && c <= '9' {
			table[c] |= plainHost
		}
	}
	mark(" \"<>", everywhere)
	mark("`?^{}", encodePath)
	mark("#", encodeQuery|encodePath)
	mark("'", encodeQuery)
	mark(" #/:<>?@[\\]^|%", forbiddenHost)
	mark("_", plainHost)
	for c := range table {
		if table[c]&encodePath != 0 {
			table[c] |= stopPath
		}
		if table[c]&encodeQuery != 0 {
			table[c] |= stopQuery
		}
	}
	mark(".%\\", stopPath)
	return table
}

const upperHex = "0123456789ABCDEF"

func appendEscape(dst []byte, c byte) []byte {
	return append(dst, '%', upperHex[c>>4], upperHex[c&15])
}

// appendEncoded percent-encodes the characters of s that are in the given set,
// each as UTF-8.
func appendEncoded(dst, s []byte, set uint8) []byte {
	for len(s) > 0 {
		n := plainLength(s, set)
		dst, s = append(dst, s[:n]...), s[n:]
		if len(s) == 0 {
			break
		}
		r, size := utf8.DecodeRune(s)
		dst = appendEscapedRune(dst, r)
		s = s[size:]
	}
	return dst
}

// plainLength returns the number of bytes at the beginning of s that are not in set.
func plainLength(s []byte, set uint8) int {
	for i, c := range s {
		if class[c]&set != 0 {
			return i
		}
	}
	return len(s)
}

func appendEscapedRune(dst []byte, r rune) []byte {
	var buffer [utf8.UTFMax]byte
	for _, c := range utf8.AppendRune(buffer[:0], r) {
		dst = appendEscape(dst, c)
	}
	return dst
}

// appendQuery percent-encodes a query after encoding it by encode, or as UTF-8
// if that is nil. A character that the encoding lacks becomes a numeric
// character reference
// (https://url.spec.whatwg.org/#string-percent-encode-after-encoding).
func appendQuery(dst, s []byte, encode func([]byte, rune) ([]byte, bool)) []byte {
	if encode == nil {
		return appendEncoded(dst, s, encodeQuery)
	}
	var buffer [8]byte
	for len(s) > 0 {
		r, size := utf8.DecodeRune(s)
		s = s[size:]
		encoded, ok := utf8.AppendRune(buffer[:0], r), true
		if r >= utf8.RuneSelf {
			encoded, ok = encode(buffer[:0], r)
		}
		if !ok {
			dst = append(dst, "%26%23"...)
			dst = strconv.AppendInt(dst, int64(r), 10)
			dst = append(dst, "%3B"...)
			continue
		}
		for _, c := range encoded {
			if class[c]&encodeQuery != 0 {
				dst = appendEscape(dst, c)
			} else {
				dst = append(dst, c)
			}
		}
	}
	return dst
}

// appendLower appends s with its ASCII letters in lower case.
func appendLower(dst, s []byte) []byte {
	for _, c := range s {
		dst = append(dst, lower(c))
	}
	return dst
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c |= 0x20
	}
	return c
}

// isEscape reports whether s begins with a percent sign and two hexadecimal
// digits.
func isEscape(s []byte) bool {
	return len(s) >= 3 && s[0] == '%' && isHex(s[1]) && isHex(s[2])
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

// unhex returns the value of a hexadecimal digit.
func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c&0xF + 9
}

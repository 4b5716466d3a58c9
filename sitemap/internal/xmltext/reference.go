package xmltext

import (
	"bytes"
	"html"
	"strconv"
	"strings"
	"unicode/utf8"
)

const longestReference = 32 // bytes, with & and ;

// A Problem is what is wrong with an & in a text.
type Problem uint8

const (
	// BareAmpersand is an & that begins no reference.
	BareAmpersand Problem = iota
	// UndeclaredEntity is a reference that XML does not know without a declaration.
	UndeclaredEntity
)

// A Report is called for every problem of a text, with the position of the & in
// the text and the reference, which is nil for a bare ampersand.
type Report func(problem Problem, at int, reference []byte)

// Ignore is a Report that does nothing.
func Ignore(Problem, int, []byte) {}

// Unescape appends text with its character and entity references resolved (XML
// 1.0, 4.1 and 4.6). Entities that only HTML defines are resolved too, since
// writers leave them in; everything else stays as it is. Both are reported.
func Unescape(dst, text []byte, report Report) []byte { return walk(dst, text, report, false) }

// Repair appends text so that it can be written again: references that XML knows
// stay as they are; of others the value is escaped, and a bare ampersand is
// escaped. Both are reported, as by Unescape.
func Repair(dst, text []byte, report Report) []byte { return walk(dst, text, report, true) }

// walk appends text with its references resolved or, where it repairs, with those
// that XML does not know escaped.
func walk(dst, text []byte, report Report, repair bool) []byte {
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '&')
		if n < 0 {
			return append(dst, text[at:]...)
		}
		dst = append(dst, text[at:at+n]...)
		at += n
		reference := referenceAt(text[at:])
		if reference == nil {
			report(BareAmpersand, at, nil)
			dst = append(dst, '&')
			if repair {
				dst = append(dst, "amp;"...)
			}
			at++
			continue
		}
		before := len(dst)
		resolved, known := resolve(dst, reference)
		if !known {
			report(UndeclaredEntity, at, reference)
		}
		switch dst = resolved; {
		case repair && known:
			dst = append(dst[:before], reference...)
		case repair:
			dst = AppendEscaped(dst[:before], string(resolved[before:]))
		}
		at += len(reference)
	}
}

// UnescapeKnown does the work of Unescape for a text in which every reference is
// one that XML knows and does not resolve to white space. ok is false for any
// other text; dst then holds a part of it.
func UnescapeKnown(dst, text []byte) (result []byte, ok bool) {
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
		reference := referenceAt(text)
		if reference == nil {
			return dst, false
		}
		before := len(dst)
		var known bool
		if dst, known = resolve(dst, reference); !known || dst[before] <= ' ' {
			return dst, false
		}
		text = text[len(reference):]
	}
}

// referenceAt returns the reference, from & to ;, that text begins with, or nil.
func referenceAt(text []byte) []byte {
	limit := min(len(text), longestReference)
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

// resolve appends the value of a reference, or the reference itself if it has no
// value. known reports whether XML knows it without a declaration.
func resolve(dst, reference []byte) (result []byte, known bool) {
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
	if err != nil || !IsChar(rune(code)) {
		return append(dst, reference...), false
	}
	return utf8.AppendRune(dst, rune(code)), true
}

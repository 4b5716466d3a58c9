package report

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// active reports whether a character does something to the display instead of
// standing in it: the controls C0 and C1, which terminals obey, the marks that
// turn the direction of text (Unicode UAX #9), and line separators.
func active(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return true
	case r == 0x61c, r == 0x200e, r == 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return r == utf8.RuneError || r == 0xfeff
}

// plain returns text on one line without active characters.
func plain(text string) string {
	for i := range len(text) {
		if c := text[i]; c < 0x20 || c >= 0x7f {
			return strings.Map(drop, strings.ToValidUTF8(text, ""))
		}
	}
	return text
}

func drop(r rune) rune {
	switch {
	case r == '\t', r == '\n', r == '\r':
		return ' '
	case active(r):
		return -1
	}
	return r
}

// cut returns at most so many characters of a text.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	count := 0
	for i := range text {
		if count++; count > most {
			return text[:i] + "…"
		}
	}
	return text
}

// cell keeps a text from becoming a formula in a spreadsheet
// (https://owasp.org/www-community/attacks/CSV_Injection).
func cell(text string) string {
	text = plain(text)
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, " "))
	if text != "" && strings.ContainsRune("=+-@＝＋－＠", first) {
		return "'" + text
	}
	return text
}

// escapeJSON appends encoded JSON with the active characters that it holds as
// escapes: the text stays the same and does nothing where it is shown.
func escapeJSON(dst, encoded []byte) []byte {
	for len(encoded) > 0 {
		r, size := utf8.DecodeRune(encoded)
		if r >= 0x20 && active(r) {
			dst = fmt.Appendf(dst, `\u%04x`, r)
		} else {
			dst = append(dst, encoded[:size]...)
		}
		encoded = encoded[size:]
	}
	return dst
}

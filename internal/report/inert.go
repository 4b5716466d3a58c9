package report

import (
	"bytes"
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

// cell makes a text harmless in a table that may be shown on a terminal.
func cell(text string) string { return Cell(plain(text)) }

// appendScript appends a value as JSON that may stand in an element of HTML:
// nothing in it can end the element.
func appendScript(dst []byte, value any) ([]byte, error) {
	from := len(dst)
	dst, err := appendJSON(dst, value)
	if err != nil || bytes.IndexByte(dst[from:], '<') < 0 {
		return dst, err
	}
	return append(dst[:from], bytes.ReplaceAll(dst[from:], []byte("<"), []byte(`\u003c`))...), nil
}

// Package display makes text from files, and numbers, fit for a message.
package display

import (
	"strconv"
	"strings"
)

const maxText = 200

// Text cuts text from a file to a length that fits a line and removes what could
// move a terminal's cursor or reverse its writing direction.
func Text[T string | []byte](text T) string {
	cut := text[:min(len(text), maxText)]
	s := strings.Map(func(r rune) rune {
		switch {
		case r < 0x20, r >= 0x7f && r < 0xa0:
			return ' '
		case r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2066 && r <= 0x2069,
			r == 0xfeff, r == 0x61c:
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(cut), "\uFFFD"))
	if len(cut) < len(text) {
		s += "…"
	}
	return s
}

// Number writes a number with a comma before every three digits.
func Number(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Package display makes text from files, and numbers, fit for a message.
package display

import (
	"strconv"
	"unicode/utf8"

	"github.com/mapatools/mapa/internal/format"
)

const maxText = 200

// Text cuts text from a file to a length that fits a line and makes it printable.
func Text[T string | []byte](text T) string {
	if len(text) <= maxText {
		return format.Printable(string(text))
	}
	end := maxText
	for end > maxText-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return format.Printable(string(text[:end])) + "…"
}

// Number writes a number with a comma before every three digits.
func Number(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

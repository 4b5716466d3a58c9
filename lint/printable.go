package lint

import (
	"unicode/utf8"

	"github.com/mapatools/mapa/internal/format"
)

const maxText = 200

// printable cuts text from a file to a length that fits a line and makes it printable.
func printable[T string | []byte](text T) string {
	if len(text) <= maxText {
		return format.Printable(string(text))
	}
	end := maxText
	for end > maxText-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return format.Printable(string(text[:end])) + "…"
}

package publish

import (
	"strings"
	"unicode/utf8"

	"github.com/mapatools/mapa/internal/format"
)

// maxTitle is the number of bytes of a title that outputs hold.
const maxTitle = 300

// plainTitle returns a text of a page as one line of valid XML with single spaces, at
// most maxTitle bytes long.
func plainTitle(text string) string {
	text = joinFields(format.Plain(joinFields(text)))
	if len(text) <= maxTitle {
		return text
	}
	end := maxTitle - 1
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return strings.TrimSuffix(text[:end], " ") + "…"
}

// joinFields replaces all white space by single spaces.
func joinFields(text string) string { return strings.Join(strings.Fields(text), " ") }

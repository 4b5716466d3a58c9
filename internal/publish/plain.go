package publish

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxTitle is the number of bytes of a title that outputs hold.
const maxTitle = 300

// plainTitle returns a text of a page, written by strangers, as one line that any
// XML may hold: white space is single, and what moves a cursor or turns the
// direction of the text around it is left out.
func plainTitle(text string) string {
	var b strings.Builder
	space := false
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		case r == utf8.RuneError || unicode.IsControl(r) || turnsText(r) || r&0xfffe == 0xfffe:
			continue
		}
		if b.Len()+1+utf8.RuneLen(r) > maxTitle {
			return b.String() + "…"
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// turnsText reports whether r is one of the characters that embed, override or
// isolate a direction (UAX #9, 2.1 to 2.5). Marks that stand for themselves, which
// Hebrew and Arabic need, are none.
func turnsText(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

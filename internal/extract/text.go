package extract

import (
	"unicode"
	"unicode/utf8"
)

// capture collects the text of an element: references decoded, ASCII white space
// collapsed, NUL replaced, cut at a length. Other white space is left to fold.
type capture struct {
	open  bool
	text  []byte
	limit int
	space bool // there is white space before the next word
	// decoded says that the text has a reference that was decoded.
	decoded bool
}

func (c *capture) begin(limit int) {
	c.open, c.text, c.limit, c.space, c.decoded = true, c.text[:0], limit, false, false
}

// add appends a run of text.
func (c *capture) add(run []byte, refs references) {
	for i := 0; i < len(run) && len(c.text) < c.limit; {
		switch b := run[i]; {
		case isSpace[b]:
			c.space = true
			i++
		case b == '&':
			c.decoded = true
			var decoded [longestReference]byte
			text, n := refs.appendDecoded(decoded[:0], run[i:], false)
			i += n
			if len(text) == 1 && isSpace[text[0]] {
				c.space = true
			} else {
				c.word(text)
			}
		case b == 0:
			c.word([]byte("\ufffd"))
			i++
		default:
			from := i
			for i < len(run) && !isSpace[run[i]] && !needsDecoding[run[i]] {
				i++
			}
			c.word(run[from:i])
		}
	}
}

func (c *capture) word(w []byte) {
	if c.space && len(c.text) > 0 {
		c.text = append(c.text, ' ')
	}
	c.space = false
	kept := cut(w, max(c.limit-len(c.text), 0))
	c.text = append(c.text, kept...)
	if len(kept) < len(w) {
		c.limit = len(c.text)
	}
}

// cut shortens b to at most limit bytes without splitting a character.
func cut(b []byte, limit int) []byte {
	if len(b) <= limit {
		return b
	}
	for limit > 0 && !utf8.RuneStart(b[limit]) {
		limit--
	}
	return b[:limit]
}

// fold returns text without white space around it and with a space in place of any run of
// white space, non-breaking spaces included. It works in place.
func fold(text []byte) []byte {
	kept, space := text[:0], false
	for i := 0; i < len(text); {
		c, size := text[i], 1
		isSpace := isSpace[c] || c == '\v'
		if c >= utf8.RuneSelf {
			var r rune
			r, size = utf8.DecodeRune(text[i:])
			isSpace = unicode.IsSpace(r)
		}
		switch {
		case isSpace:
		case space && len(kept) > 0:
			kept = append(append(kept, ' '), text[i:i+size]...)
		case size == 1:
			kept = append(kept, c)
		default:
			kept = append(kept, text[i:i+size]...)
		}
		space = isSpace
		i += size
	}
	return kept
}

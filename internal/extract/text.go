package extract

import "unicode/utf8"

// capture collects the text of an element: references decoded, ASCII white space
// collapsed, NUL replaced, cut at a length.
type capture struct {
	open  bool
	text  []byte
	limit int
	space bool // there is white space before the next word
}

func (c *capture) begin(limit int) {
	c.open, c.text, c.limit, c.space = true, c.text[:0], limit, false
}

// add appends a run of text.
func (c *capture) add(run []byte, refs references) {
	for i := 0; i < len(run) && len(c.text) < c.limit; {
		switch b := run[i]; {
		case isSpace[b]:
			c.space = true
			i++
		case b == '&':
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

// collapse returns text with its white space collapsed, cut at limit bytes. It
// works in place.
func collapse(text []byte, limit int) []byte {
	kept := text[:0]
	space := false
	for _, b := range text {
		if isSpace[b] {
			space = true
			continue
		}
		if space && len(kept) > 0 {
			kept = append(kept, ' ')
		}
		space = false
		kept = append(kept, b)
	}
	return cut(kept, limit)
}

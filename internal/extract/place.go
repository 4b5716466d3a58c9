package extract

import (
	"bytes"
	"unicode/utf8"
)

// A place counts the lines and the characters of a page up to an offset.
type place struct{ offset, line, column int }

// move moves the place forward to an offset. It reads every byte of the page once at most.
func (p *place) move(page []byte, to int) {
	passed := page[p.offset:to]
	p.offset = to
	if lines := bytes.Count(passed, []byte{'\n'}); lines > 0 {
		p.line += lines
		p.column = 0
		passed = passed[bytes.LastIndexByte(passed, '\n')+1:]
	}
	p.column += utf8.RuneCount(passed)
}

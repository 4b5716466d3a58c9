package extract

import (
	"bytes"
	"unicode/utf8"
)

// A Place counts the lines and the characters of a text up to an offset. The zero value is its
// beginning.
type Place struct{ offset, line, column int }

// Move moves the place forward to an offset, and returns its line and column from 1. It reads
// every byte of the text once at most.
func (p *Place) Move(page []byte, to int) (line, column int) {
	passed := page[p.offset:to]
	p.offset = to
	for {
		end := bytes.IndexByte(passed, '\n')
		if end < 0 {
			break
		}
		p.line++
		p.column, passed = 0, passed[end+1:]
	}
	if isASCII(passed) {
		p.column += len(passed)
	} else {
		p.column += utf8.RuneCount(passed)
	}
	return p.line + 1, p.column + 1
}

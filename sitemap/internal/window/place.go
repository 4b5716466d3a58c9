package window

import "bytes"

// Offset returns the offset in the stream of a position.
func (w *Window) Offset(pos int) int64 { return w.offset + int64(w.start+pos) }

// Place returns the offset in the stream of a position, its line, counted from
// 1, and its column, counted from 1 in bytes. Lines are counted only when asked
// for, and from the last place on when it lies before.
func (w *Window) Place(pos int) (offset int64, line, column int) {
	w.count(w.start)
	offset = w.Offset(pos)
	if w.last.offset < w.Offset(0) || w.last.offset > offset {
		w.last = place{w.offset + int64(w.counted), w.line, w.lineAt}
	}
	passed := w.buf[w.last.offset-w.offset : w.start+pos]
	if n, last := newlines(passed); n > 0 {
		w.last.line += n
		w.last.lineAt = w.last.offset + int64(last+1)
	}
	w.last.offset = offset
	return offset, w.last.line, int(offset-w.last.lineAt) + 1
}

// LineAround returns the part of a line before and after an offset in the
// stream, as far as it is still in memory, at most so many bytes and about half
// of them before. found is false where the offset is not in memory.
func (w *Window) LineAround(offset int64, most int) (before, after []byte, found bool) {
	held := w.buf[:w.end]
	at := int(offset - w.offset)
	if at < 0 || at > len(held) {
		return nil, nil, false
	}
	from := max(bytes.LastIndexByte(held[:at], '\n')+1, at-most/2)
	to := min(from+most, len(held))
	if i := bytes.IndexByte(held[at:to], '\n'); i >= 0 {
		to = at + i
	}
	return held[from:at], held[at:to], true
}

// count moves the line counter to buf[upTo].
func (w *Window) count(upTo int) {
	if upTo <= w.counted {
		return
	}
	passed := w.buf[w.counted:upTo]
	if n, last := newlines(passed); n > 0 {
		w.line += n
		w.lineAt = w.offset + int64(w.counted+last+1)
	}
	w.counted = upTo
}

var newline = []byte{'\n'}

// newlines returns how many newlines b has and the index of the last. A single
// newline is searched from the front: an entry on a line of its own begins with
// it, and a search from the end would take long.
func newlines(b []byte) (n, last int) {
	switch n = bytes.Count(b, newline); n {
	case 0:
		return 0, -1
	case 1:
		return 1, bytes.IndexByte(b, '\n')
	}
	return n, bytes.LastIndexByte(b, '\n')
}

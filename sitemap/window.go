package sitemap

import (
	"bytes"
	"errors"
	"io"
)

const (
	firstBuffer = 64 << 10
	smallRead   = 64 << 10
)

// A window is the part of a stream that is held in memory: what was read and
// not yet given up. It grows at its end and is given up from its start, so that
// positions relative to the start stay true while more is read.
type window struct {
	src     io.Reader
	buf     []byte
	start   int // buf[start:end] is the window
	end     int
	most    int   // bytes the window may grow to
	offset  int64 // of buf[0] in the stream
	line    int   // of buf[counted]
	lineAt  int64 // offset of the first byte of that line
	counted int   // buf[:counted] is included in line and lineAt
	last    place // last asked for, where counting goes on
	err     error // what ended the stream; io.EOF when it ended well
}

// A place is an offset with its line and that line's own offset.
type place struct {
	offset int64
	line   int
	lineAt int64
}

func newWindow(src io.Reader, most int) *window {
	return &window{src: src, buf: make([]byte, firstBuffer), most: max(most, firstBuffer), line: 1, last: place{line: 1}}
}

func (w *window) bytes() []byte { return w.buf[w.start:w.end] }

// skipped counts bytes that the stream had before the window, all of one line,
// and no column.
func (w *window) skipped(n int) { w.offset, w.lineAt = int64(n), int64(n) }

// release gives up the first n bytes.
func (w *window) release(n int) { w.start += n }

// more reads on and reports whether the window grew. It does not grow past most
// or behind the end of the stream, which err tells apart.
func (w *window) more() bool {
	if w.err != nil {
		return false
	}
	held := w.end - w.start
	if held >= w.most {
		w.err = errWindowFull
		return false
	}
	w.makeRoom(held)
	// A large window grows by half at least, so that whoever scans it again
	// from the start does not do so once for each packet of a slow network.
	atLeast := 1
	if held >= smallRead {
		atLeast = min(held/2, len(w.buf)-w.end)
	}
	grown := 0
	for idle := 0; grown < atLeast; {
		n, err := w.src.Read(w.buf[w.end:])
		w.end += n
		grown += n
		if n == 0 {
			idle++
		}
		if err == nil && idle > 100 {
			err = io.ErrNoProgress
		}
		if err != nil {
			w.err = err
			break
		}
	}
	return grown > 0
}

var errWindowFull = errors.New("longer than the ceiling")

// makeRoom sees that half of the buffer is free behind the window: it moves the
// window to the front, or into a larger buffer when it fills more than half.
func (w *window) makeRoom(held int) {
	if len(w.buf)-w.end >= len(w.buf)/2 {
		return
	}
	w.count(w.start)
	into := w.buf
	if held > len(w.buf)/2 {
		into = make([]byte, min(2*len(w.buf), w.most))
		if len(into) <= len(w.buf) {
			into = w.buf
		}
	}
	copy(into, w.buf[w.start:w.end])
	w.buf = into
	w.offset += int64(w.start)
	w.counted -= w.start
	w.start, w.end = 0, held
}

// count brings the line counter to buf[upTo].
func (w *window) count(upTo int) {
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

// newlines returns how many there are and where the last is. The one of an entry
// on a line of its own stands in front, where looking from behind takes long.
func newlines(b []byte) (n, last int) {
	switch n = bytes.Count(b, newline); n {
	case 0:
		return 0, -1
	case 1:
		return 1, bytes.IndexByte(b, '\n')
	}
	return n, bytes.LastIndexByte(b, '\n')
}

// at returns the offset in the stream of a position in the window.
func (w *window) at(pos int) int64 { return w.offset + int64(w.start+pos) }

// place returns offset, line and column of a position in the window.
func (w *window) place(pos int) (offset int64, line, column int) {
	w.count(w.start)
	offset = w.at(pos)
	if w.last.offset < w.at(0) || w.last.offset > offset {
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

// indexByte finds c at or after pos, reading on as long as it must.
func (w *window) indexByte(pos int, c byte) (int, bool) {
	for {
		b := w.bytes()
		if i := bytes.IndexByte(b[pos:], c); i >= 0 {
			return pos + i, true
		}
		pos = len(b)
		if !w.more() {
			return pos, false
		}
	}
}

// need reports whether the window reaches n bytes beyond pos, reading on as long
// as it must.
func (w *window) need(pos, n int) bool {
	for w.end-w.start < pos+n {
		if !w.more() {
			return false
		}
	}
	return true
}

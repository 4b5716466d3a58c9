// Package window holds the part of a stream that a scanner still needs.
package window

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

const (
	firstBuffer = 4 << 10  // bytes of the buffer that a window starts with
	usualBuffer = 64 << 10 // bytes of the next one, which is enough for most files
	smallRead   = 64 << 10 // bytes of a window above which More reads on until it has grown by half
	mostIdle    = 100      // reads in a row that may return nothing
)

// ErrFull ends a window that has reached its maximum size.
var ErrFull = errors.New("longer than the ceiling")

// A Window is the part of a stream that is held in memory: what was read and not
// yet released. It grows at its end and is released from its start. A position
// counts bytes from the start of the window, so it stays valid while more is
// read, although the bytes themselves may move.
//
// A Window is for one goroutine.
type Window struct {
	src     io.Reader
	buf     []byte
	start   int // buf[start:end] is the window
	end     int
	most    int   // bytes the window may grow to
	offset  int64 // of buf[0] in the stream
	line    int   // of buf[counted]
	lineAt  int64 // offset of the first byte of that line
	counted int   // buf[:counted] is included in line and lineAt
	last    place // last asked for, where counting continues
	err     error // what ended the stream; io.EOF when it ended well
}

// A place is an offset with its line and that line's own offset.
type place struct {
	offset int64
	line   int
	lineAt int64
}

// Buffers of closed windows. Of a file that was opened ahead, only the start is in memory.
var (
	firstBuffers = sync.Pool{New: func() any { return new([firstBuffer]byte) }}
	usualBuffers = sync.Pool{New: func() any { return new([usualBuffer]byte) }}
)

// release makes a buffer that a pool gave out available to other windows.
func release(buf []byte) {
	switch len(buf) {
	case firstBuffer:
		firstBuffers.Put((*[firstBuffer]byte)(buf))
	case usualBuffer:
		usualBuffers.Put((*[usualBuffer]byte)(buf))
	}
}

// New returns an empty window of src that grows to at most so many bytes; it
// may always grow to 64 KiB.
func New(src io.Reader, most int) *Window {
	buf := firstBuffers.Get().(*[firstBuffer]byte)[:]
	return &Window{src: src, buf: buf, most: max(most, usualBuffer), line: 1, last: place{line: 1}}
}

// Close releases the window, and its buffer for other windows. The stream counts as
// ended, and places before its end are not known any more.
func (w *Window) Close() {
	w.count(w.end)
	w.last = place{w.offset + int64(w.end), w.line, w.lineAt}
	w.offset += int64(w.end)
	release(w.buf)
	w.buf, w.start, w.end, w.counted = nil, 0, 0, 0
	if w.err == nil {
		w.err = io.EOF
	}
}

// Bytes returns the window. The slice is valid until the next call of More, Need
// or IndexByte.
func (w *Window) Bytes() []byte { return w.buf[w.start:w.end] }

// Err returns what ended the stream: nil while there may be more, io.EOF at its
// end, ErrFull when the window may not grow, and otherwise the reader's error.
func (w *Window) Err() error { return w.err }

// SkipPrefix counts n bytes that the stream had before the window, such as a byte
// order mark. They belong to the first line and to no column.
func (w *Window) SkipPrefix(n int) { w.offset, w.lineAt = int64(n), int64(n) }

// Release removes the first n bytes from the window.
func (w *Window) Release(n int) { w.start += n }

// More reads on and reports whether the window grew. It stops at the maximum
// size and at the end of the stream; Err says which.
func (w *Window) More() bool {
	if w.err != nil {
		return false
	}
	held := w.end - w.start
	if held >= w.most {
		w.err = ErrFull
		return false
	}
	w.makeRoom(held)
	// A large window grows by at least half, so that a scan that starts over does
	// not do so once for each packet of a slow network.
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
		if err == nil && idle > mostIdle {
			err = io.ErrNoProgress
		}
		if err != nil {
			w.err = err
			break
		}
	}
	return grown > 0
}

// makeRoom frees half of the buffer after the window: it moves the window to the
// front, or into a larger buffer when it fills more than half.
func (w *Window) makeRoom(held int) {
	if len(w.buf)-w.end >= len(w.buf)/2 {
		return
	}
	w.count(w.start)
	into := w.buf
	switch {
	case len(w.buf) == firstBuffer:
		into = usualBuffers.Get().(*[usualBuffer]byte)[:]
	case held > len(w.buf)/2 && len(w.buf) < w.most:
		into = make([]byte, min(2*len(w.buf), w.most))
	}
	copy(into, w.buf[w.start:w.end])
	if len(into) > len(w.buf) {
		release(w.buf)
	}
	w.buf = into
	w.offset += int64(w.start)
	w.counted -= w.start
	w.start, w.end = 0, held
}

// Drain reads the rest of the stream without keeping it and returns what ended
// it, nil for a good end. Where the stream has ended already it returns Err.
func (w *Window) Drain() error {
	if w.err != nil {
		return w.err
	}
	_, err := io.Copy(io.Discard, w.src)
	return err
}

// IndexByte returns the position of the first c at or after pos, reading on as
// long as needed. found is false where the window ends before.
func (w *Window) IndexByte(pos int, c byte) (at int, found bool) {
	for {
		b := w.Bytes()
		if i := bytes.IndexByte(b[pos:], c); i >= 0 {
			return pos + i, true
		}
		pos = len(b)
		if !w.More() {
			return pos, false
		}
	}
}

// Need reports whether the window reaches n bytes beyond pos, reading on as long
// as needed.
func (w *Window) Need(pos, n int) bool {
	for w.end-w.start < pos+n {
		if !w.More() {
			return false
		}
	}
	return true
}

package sitemap

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// A textReader reads a list of URLs, one a line
// (https://www.sitemaps.org/protocol.html, "Text file").
type textReader struct {
	r        *Reader
	consumed int
}

func (t *textReader) next() error {
	r := t.r
	for {
		r.window.Release(t.consumed)
		line, consumed, err := t.line()
		if err != nil {
			return err
		}
		t.consumed = consumed
		at := bytes.Index(r.window.Bytes(), line)
		if len(line) == 0 {
			if r.once(FaultBlankLine) {
				r.tolerate(FaultBlankLine, 0, "", "")
			}
			continue
		}
		if r.inspecting() && !utf8.Valid(line) {
			r.tolerate(FaultInvalidUTF8, at, "", excerpt(line))
		}
		loc := line
		if !hasScheme(line) && r.base != nil && !bytes.ContainsAny(line, " \t") {
			loc = r.absolute(line, at, r.base)
		}
		if !hasScheme(loc) || bytes.ContainsAny(line, " \t") {
			r.tolerate(FaultLineInvalid, at, "", excerpt(line))
			continue
		}
		r.entry = Entry{Loc: loc, format: FormatText, window: r.window, at: at, end: at + len(line),
			offset: r.window.Offset(at)}
		return nil
	}
}

// line returns the line at the start of the window without its white space and
// the length with its end, which may be LF, CR LF or CR.
func (t *textReader) line() (line []byte, consumed int, err error) {
	w := t.r.window
	for searched := 0; ; {
		b := w.Bytes()
		if i := bytes.IndexAny(b[searched:], "\r\n"); i >= 0 {
			i += searched
			consumed = i + 1
			if b[i] == '\r' && w.Need(i, 2) && w.Bytes()[i+1] == '\n' {
				consumed++
			}
			return bytes.TrimSpace(w.Bytes()[:i]), consumed, nil
		}
		searched = len(b)
		if w.More() {
			continue
		}
		switch {
		case w.Err() != io.EOF:
			return nil, 0, t.r.readError(0)
		case len(b) == 0:
			t.r.requireEntries()
			return nil, 0, t.r.finish()
		}
		return bytes.TrimSpace(b), len(b), nil
	}
}

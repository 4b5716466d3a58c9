package sitemap

import (
	"bytes"

	"github.com/mapatools/mapa/sitemap/internal/xmlscan"
)

// longestShown is how much of a line [Reader.SourceLine] returns.
const longestShown = 200

// Find returns where the n-th element of a name, counted from 0, begins in the
// entry. The name has its usual prefix, as in "image:loc", whatever the file
// calls the namespace. Where the name is empty or the entry has no such element, and in a clone, it
// is the place of the entry itself. The offset is that of [Entry.Offset], the
// line counts from 1 and the column from 1 in bytes. Nothing is counted before
// somebody asks.
func (e *Entry) Find(element string, n int) (offset int64, line, column int) {
	if e.window == nil {
		return e.offset, e.lineFound, 1
	}
	at := e.at
	if element != "" {
		at += max(e.index(element, n), 0)
	}
	return e.window.Place(at)
}

// Raw returns the entry as it was written, from its start tag to its end tag; a
// line of a text file is one without its end. It is nil in a clone.
func (e *Entry) Raw() []byte {
	if e.window == nil {
		return nil
	}
	b := e.window.Bytes()
	return b[e.at:max(e.at, min(e.end, len(b)))]
}

// index finds the < of the n-th element of a name, or returns -1.
func (e *Entry) index(element string, n int) int {
	raw := e.Raw()
	for at := 0; at < len(raw); {
		t, err := xmlscan.Scan(raw, at)
		if err != nil {
			return -1
		}
		if t.Kind == xmlscan.StartTag && e.isCalled(t.Name(raw), element) {
			if n == 0 {
				return at
			}
			n--
		}
		at = t.End
	}
	return -1
}

// isCalled reports whether a name in the file means an element.
func (e *Entry) isCalled(name []byte, element string) bool {
	if string(name) == element {
		return true
	}
	prefix, local := xmlscan.SplitName(name)
	usual, wanted := xmlscan.SplitName([]byte(element))
	if !bytes.Equal(local, wanted) {
		return false
	}
	v, _ := e.scope.vocabulary(prefix)
	if len(usual) == 0 {
		return v == core || v == pageMapVocabulary
	}
	return v != foreign && v == usualPrefix(string(usual))
}

// SourceLine returns the part of the file's line around an offset, as far as it
// is still in memory, with at most 200 bytes and nothing that could disturb a
// terminal, and the column at which the offset lies in it, from 1. It has to be
// asked for before the next entry is read, as in [ReaderOptions.Report]. Without
// a line it is empty, and the column 0.
func (r *Reader) SourceLine(offset int64) (line string, column int) {
	if r.window == nil {
		return "", 0
	}
	before, after, found := r.window.LineAround(offset, longestShown)
	if !found {
		return "", 0
	}
	line = printable(before)
	return line + printable(after), len(line) + 1
}

// Compressed reports whether the file is compressed. It opens the file.
func (r *Reader) Compressed() bool {
	r.open()
	return r.in.layers > 0
}

// Size is how many bytes of the unpacked file have been taken in so far.
func (r *Reader) Size() int64 { return r.in.inflated }

// Prolog returns the XML before the first entry, up to and with the start tag of
// the root element, as much of it as fits into 64 KiB; nil for a file that is no
// XML. It opens the file.
func (r *Reader) Prolog() []byte {
	r.open()
	return r.prolog
}

// LateInstruction returns where the first processing instruction stands that is
// not before the root element nor inside an entry, as far as the file was read.
func (r *Reader) LateInstruction() (offset int64, found bool) { return max(r.late, 0), r.late >= 0 }

// pass notes an instruction behind the start of the root element.
func (r *Reader) pass(t xmlscan.Token) {
	if t.Kind == xmlscan.Instruction && r.late < 0 {
		r.late = r.window.Offset(t.BodyAt - len("<?"))
	}
}

const longestProlog = 64 << 10

// keep remembers a part of the prolog that is about to be released.
func (r *Reader) keep(end int) {
	if room := longestProlog - len(r.prolog); room > 0 {
		r.prolog = append(r.prolog, r.window.Bytes()[:min(end, room)]...)
	}
}

package sitemap

import (
	"bytes"

	"github.com/mapatools/mapa/sitemap/internal/xmlscan"
	"github.com/mapatools/mapa/sitemap/internal/xmltext"
)

// A Source is the text of an entry in its file. It is for programs that report
// about the file, such as linters: it says where an element is, and what parsing
// leaves out. Get one with [Entry.Source]. It is valid until the next entry is
// read; that of a clone knows no more than the entry's own place.
type Source struct{ entry *Entry }

// Source returns the entry's text in its file. It costs nothing.
func (e *Entry) Source() Source { return Source{e} }

// Ordered reports whether the children are in the order of the schemas: loc,
// lastmod, changefreq, priority, then extensions
// (https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd).
func (s Source) Ordered() bool { return !s.entry.disordered }

// Padded reports whether there was white space around the changefreq, the only
// field whose schema does not allow it.
func (s Source) Padded() bool { return s.entry.padded }

// Find returns the place of the n-th element of a name in the entry, counted from
// 0. The name has its usual prefix, as in "image:loc", even if the file binds the
// namespace to another. For an empty name, for an element that the entry does not
// have, and in a clone, it is the place of the entry itself. The offset is as in
// [Entry.Offset], the line counts from 1 and the column from 1 in bytes. Lines are
// counted only when asked for.
func (s Source) Find(element string, n int) (offset int64, line, column int) {
	return s.FindIn(element, n, "")
}

// FindIn returns the place of the first element of a name in the n-th element of another,
// such as that of news:language in the first news:news, and the place of the latter where it
// has no such element, or for an empty name. It is otherwise as [Source.Find].
func (s Source) FindIn(parent string, n int, element string) (offset int64, line, column int) {
	e := s.entry
	if e.window == nil {
		return e.offset, e.lineFound, 1
	}
	return e.window.Place(e.at + e.index(parent, n, element))
}

// Raw returns the entry as it was written, from its start tag to its end tag; for
// a text file, the line without its end. It is nil in a clone.
func (s Source) Raw() []byte { return s.entry.raw() }

func (e *Entry) raw() []byte {
	if e.window == nil {
		return nil
	}
	b := e.window.Bytes()
	return b[e.at:max(e.at, min(e.end, len(b)))]
}

// index finds the < of the first element of a name in the n-th one of another, or else that
// of the other, or of the entry.
func (e *Entry) index(parent string, n int, element string) int {
	raw, found := e.raw(), -1
	for at := 0; at < len(raw) && parent != ""; {
		t, err := xmlscan.Scan(raw, at)
		if err != nil {
			break
		}
		switch {
		case t.Kind == xmlscan.EndTag && found >= 0 && e.isCalled(t.Name(raw), parent):
			return found
		case t.Kind != xmlscan.StartTag:
		case found >= 0 && e.isCalled(t.Name(raw), element):
			return at
		case found < 0 && e.isCalled(t.Name(raw), parent):
			if n--; n < 0 {
				found = at
			}
			if n < 0 && (element == "" || t.SelfClosing) {
				return found
			}
		}
		at = t.End
	}
	return max(found, 0)
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
	v := e.scope.vocabulary(prefix)
	if len(usual) == 0 {
		return v == core || v == pageMapVocabulary
	}
	return v != foreign && v == usualPrefix(string(usual))
}

// An Inspection is what a [Reader] knows of its file apart from the entries. It is
// for programs that report about the file, such as linters. Get one with
// [Reader.Inspect]; it always shows the reader's present state.
type Inspection struct{ reader *Reader }

// Inspect returns what the reader knows of its file apart from the entries.
func (r *Reader) Inspect() Inspection { return Inspection{r} }

// Compressed reports whether the file is compressed. It opens the file.
func (i Inspection) Compressed() bool {
	i.reader.open()
	return i.reader.in.layers > 0
}

// Size returns the number of bytes of the unpacked file that were read so far.
func (i Inspection) Size() int64 { return i.reader.in.inflated }

// Prolog returns the XML before the first entry, up to and including the start
// tag of the root element, but at most 64 KiB; nil for a file that is not XML. It
// opens the file.
func (i Inspection) Prolog() []byte {
	i.reader.open()
	return i.reader.prolog
}

// LateStylesheet returns the place of the first xml-stylesheet instruction after
// the start tag of the root element, as far as the file was read. The line is 0
// where there is none.
func (i Inspection) LateStylesheet() (offset int64, line, column int) {
	late := i.reader.lateStylesheet
	return late.offset, late.line, late.column
}

// longestLine is how much of a line Inspection.Line returns.
const longestLine = 200

// Line returns the part of the file's line around an offset, at most 200 bytes
// with nothing that could disturb a terminal, and the column of the offset in it,
// from 1 in bytes. It knows what is still in memory, which includes the present
// entry and, in [ReaderOptions].OnFault, the place of the fault. For other offsets
// the line is empty and the column 0.
func (i Inspection) Line(offset int64) (line string, column int) {
	w := i.reader.window
	if w == nil {
		return "", 0
	}
	before, after, found := w.LineAround(offset, longestLine)
	if !found {
		return "", 0
	}
	line = printable(before)
	return line + printable(after), len(line) + 1
}

// A place is a position in the unpacked file, as in [Fault].
type place struct {
	offset       int64
	line, column int
}

// pass notes an instruction after the start tag of the root element.
func (r *Reader) pass(t xmlscan.Token) {
	if t.Kind != xmlscan.Instruction {
		return
	}
	at := t.BodyAt - len("<?")
	target := t.Body(r.window.Bytes())
	if end := bytes.IndexAny(target, xmltext.Whitespace); end >= 0 {
		target = target[:end]
	}
	switch {
	case string(target) == "xml":
		r.tolerate(FaultLateDeclaration, at, "", "")
	case string(target) == "xml-stylesheet" && r.lateStylesheet.line == 0:
		late := &r.lateStylesheet
		late.offset, late.line, late.column = r.window.Place(at)
	}
}

const longestProlog = 64 << 10

// keep remembers a part of the prolog that is about to be released.
func (r *Reader) keep(end int) {
	if room := longestProlog - len(r.prolog); room > 0 {
		r.prolog = append(r.prolog, r.window.Bytes()[:min(end, room)]...)
	}
}

package sitemap

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// fill makes the entry of what was read. It reports false for an entry without
// a location, which is left out.
func (x *xmlReader) fill() bool {
	b := x.window.bytes()
	e := &x.entry
	e.format, e.isSitemap, e.scope = x.format, x.isSitemap, x.scope
	e.depth = x.options.Ceilings.Depth
	e.disordered = x.late || !slices.IsSorted(x.order)
	e.window, e.at, e.end, e.offset = x.window, x.entryAt, x.consumed, x.window.at(x.entryAt)
	e.extension = b[x.extension.from:x.extension.to]
	e.tag = b[x.tag.from:x.tag.to]
	e.Loc = x.text(locField, b)
	e.LastMod = x.text(lastModField, b)
	e.ChangeFreq = x.text(changeFreqField, b)
	e.Priority = x.text(priorityField, b)
	e.padded = x.padded
	if x.inspecting() && e.HasExtensions() {
		x.inspectExtensions()
	}
	if e.Loc == nil {
		x.tolerate(FaultMissingLoc, x.entryAt, x.entryName(), "")
		return false
	}
	e.Loc = x.absolute(e.Loc, x.position(x.values[locField]), x.base)
	return true
}

// text returns the cleaned text of a field, or nil.
func (x *xmlReader) text(f field, b []byte) []byte {
	v := &x.values[f]
	if v.plain && v.from < v.to {
		return b[v.from:v.to]
	}
	return x.cleaned(f, b)
}

func (x *xmlReader) cleaned(f field, b []byte) []byte {
	v := x.values[f]
	if !v.present {
		return nil
	}
	text := b[v.from:v.to]
	if v.decoded {
		text = x.scratch[v.from:v.to]
	}
	if !plain(text) {
		text = x.clean(f, v, text)
	}
	if len(text) == 0 {
		x.tolerate(FaultEmptyTag, x.position(v), fieldNames[f], "")
		return nil
	}
	return text
}

// position is where a value lies, or the entry where it was put together.
func (x *xmlReader) position(v value) int {
	if v.decoded || v.from == 0 {
		return x.entryAt
	}
	return v.from
}

// clean decodes and trims a text that is not plain. The result lies in scratch
// unless trimming was enough.
func (x *xmlReader) clean(f field, v value, text []byte) []byte {
	at := x.position(v)
	if !v.decoded && bytes.IndexByte(text, '&') >= 0 {
		from := len(x.scratch)
		x.scratch = unescape(x.scratch, text, x.noticeAt(at, fieldNames[f]))
		text = x.scratch[from:]
	}
	trimmed := bytes.TrimSpace(text)
	if len(trimmed) < len(text) && f == locField {
		x.tolerate(FaultLocWhitespace, at, fieldNames[f], "white space around the address")
	}
	x.padded = x.padded || f == changeFreqField && len(trimmed) < len(text)
	text = trimmed
	if x.inspecting() {
		x.inspectText(f, at, text)
	}
	if f == locField && hasBreak(text) {
		x.tolerate(FaultLocWhitespace, at, fieldNames[f], detailLocLineBreak)
		from := len(x.scratch)
		for piece := range bytes.FieldsFuncSeq(text, isBreak) {
			x.scratch = append(x.scratch, bytes.Trim(piece, " ")...)
		}
		text = x.scratch[from:]
	}
	return text
}

// isBreak reports whether a character parts the lines of an address that was
// wrapped, or indents them.
func isBreak(c rune) bool { return c == '\t' || c == '\r' || c == '\n' }

func (x *xmlReader) inspectText(f field, at int, text []byte) {
	if !utf8.Valid(text) {
		x.tolerate(FaultInvalidUTF8, at, fieldNames[f], "")
	}
	if bytes.ContainsFunc(text, isControl) {
		x.tolerate(FaultControlCharacter, at, fieldNames[f], "")
	}
}

// isControl reports what XML cannot hold, broken UTF-8 aside.
func isControl(r rune) bool { return !isXMLChar(r) && r != utf8.RuneError }

package sitemap

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/mapatools/mapa/sitemap/internal/layout"
	"github.com/mapatools/mapa/sitemap/internal/xmltext"
)

// fill sets the entry to what was read. It reports false for an entry without a
// location, which is left out.
func (x *xmlReader) fill() bool {
	b := x.window.Bytes()
	e := &x.entry
	e.format, e.isSitemap, e.scope = x.format, x.isSitemap, x.scope
	e.depth = x.options.Ceilings.Depth
	e.disordered = x.afterExtension || !slices.IsSorted(x.order)
	e.window, e.at, e.end, e.offset = x.window, x.entryAt, x.consumed, x.window.Offset(x.entryAt)
	e.extension = b[x.extension.From:x.extension.To]
	e.tag = b[x.tag.From:x.tag.To]
	e.Loc = x.text(layout.Loc, b)
	e.LastMod = x.text(layout.LastMod, b)
	e.ChangeFreq = x.text(layout.ChangeFreq, b)
	e.Priority = x.text(layout.Priority, b)
	e.padded = x.padded
	if x.inspecting() && e.HasExtensions() {
		x.inspectExtensions()
	}
	if e.Loc == nil {
		if !x.unclosed {
			x.tolerate(FaultMissingLoc, x.entryAt, x.entryName(), "")
		}
		return false
	}
	e.Loc = x.absolute(e.Loc, x.position(x.values[layout.Loc]), x.base)
	return true
}

// text returns the cleaned text of a field, or nil.
func (x *xmlReader) text(f layout.Field, b []byte) []byte {
	v := &x.values[f]
	if v.plain && v.from < v.to {
		return b[v.from:v.to]
	}
	return x.cleaned(f, b)
}

func (x *xmlReader) cleaned(f layout.Field, b []byte) []byte {
	v := x.values[f]
	if !v.present {
		return nil
	}
	text := b[v.from:v.to]
	if v.decoded {
		text = x.scratch[v.from:v.to]
	}
	if !xmltext.IsPlain(text) {
		text = x.clean(f, v, text)
	}
	if len(text) == 0 {
		if f != layout.Loc { // without one, the entry has the fault
			x.tolerate(FaultEmptyTag, x.position(v), fieldNames[f], "")
		}
		return nil
	}
	return text
}

// position returns the position of a value, or of the entry for one that is decoded.
func (x *xmlReader) position(v value) int {
	if v.decoded || v.from == 0 {
		return x.entryAt
	}
	return v.from
}

// clean decodes and trims a text that is not plain. The result is in scratch unless
// trimming was enough.
func (x *xmlReader) clean(f layout.Field, v value, text []byte) []byte {
	at := x.position(v)
	if !v.decoded && bytes.IndexByte(text, '&') >= 0 {
		from := len(x.scratch)
		x.scratch = xmltext.Unescape(x.scratch, text, x.problemsAt(at, fieldNames[f]))
		text = x.scratch[from:]
	}
	trimmed := bytes.TrimSpace(text)
	if len(trimmed) < len(text) && f == layout.Loc {
		x.tolerate(FaultLocWhitespace, at, fieldNames[f], "white space around the address")
	}
	x.padded = x.padded || f == layout.ChangeFreq && len(trimmed) < len(text)
	text = trimmed
	if x.inspecting() {
		x.inspectText(f, at, text)
	}
	if f == layout.Loc && xmltext.HasBreak(text) {
		x.tolerate(FaultLocLineBreak, at, fieldNames[f], "a line break inside the address")
		from := len(x.scratch)
		for piece := range bytes.FieldsFuncSeq(text, isBreak) {
			x.scratch = append(x.scratch, bytes.Trim(piece, " ")...)
		}
		text = x.scratch[from:]
	}
	return text
}

// isBreak reports whether a character separates the lines of a wrapped location, or
// indents them.
func isBreak(c rune) bool { return c == '\t' || c == '\r' || c == '\n' }

func (x *xmlReader) inspectText(f layout.Field, at int, text []byte) {
	if !utf8.Valid(text) {
		x.tolerate(FaultInvalidUTF8, at, fieldNames[f], "")
	}
	if bytes.ContainsFunc(text, xmltext.IsControl) {
		x.tolerate(FaultControlCharacter, at, fieldNames[f], "")
	}
}

package sitemap

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// A field is one of the children that the protocol itself defines.
type field uint8

const (
	locField field = iota
	lastModField
	changeFreqField
	priorityField
	fields
	noField = fields
)

var fieldNames = [fields]string{"loc", "lastmod", "changefreq", "priority"}

// A value is where the text of a field lies: in the window as it was written,
// or already decoded in the reader's scratch memory.
type value struct {
	from, to int
	present  bool
	decoded  bool
	plain    bool // known to be plain
}

// An xmlReader reads url sets and indexes.
//
// Generators write one record like the other, so the reader compares what lies
// between two values with what lay there in the record before (layout) and needs
// no parsing while it is the same. Where it differs, parsing takes over in the
// middle of the record and the layout is learnt anew.
type xmlReader struct {
	*Reader
	roots      [][]byte // names of the root elements open inside each other, as written
	rootPrefix []byte
	scope      scope // declared by the outermost root
	layout     layout

	consumed  int // bytes of the window that the entry before occupied
	values    [fields]value
	order     []field // of the values in this entry
	entryAt   int
	isSitemap bool
	extension span
	tag       span
	tagScope  scope // declared by the tag; read only when somebody inspects
	regular   bool  // nothing in this entry that a layout must not repeat
	padded    bool  // white space was cut from the changefreq
	late      bool  // one of the fields stands behind an extension
	scratch   []byte
	inspected Extensions

	mixed    bool               // something else stands behind the extensions of this entry
	prefixes [known]shortPrefix // found not to be the protocol's
}

type span struct{ from, to int }

// in returns the bytes of a span, nil for the zero span.
func (s span) in(b []byte) []byte {
	if s.to == 0 {
		return nil
	}
	return b[s.from:s.to]
}

func newXMLReader(r *Reader, t token) (*xmlReader, error) {
	b := r.window.bytes()
	name := bytes.Clone(t.name(b))
	x := &xmlReader{Reader: r, roots: [][]byte{name}}
	x.rootPrefix, _ = splitName(name)
	if err := r.checkRoot(t, &x.scope); err != nil {
		return nil, err
	}
	if t.selfClosing {
		x.roots = nil
	}
	x.consumed = t.end
	return x, nil
}

// next reads entries until one has a location.
func (x *xmlReader) next() error {
	for {
		x.window.release(x.consumed)
		if x.repeat() {
			return nil
		}
		x.begin()
		at, found, err := x.read()
		if err != nil {
			return err
		}
		if !found {
			return x.epilog()
		}
		x.consumed = at
		if x.fill() {
			return nil
		}
	}
}

func (x *xmlReader) begin() {
	x.consumed = 0
	x.values = [fields]value{}
	x.order = x.order[:0]
	x.extension, x.tag, x.tagScope = span{}, span{}, x.tagScope[:0]
	x.regular, x.mixed, x.late, x.padded = true, false, false, false
	x.scratch = x.scratch[:0]
}

// read reads one entry and returns the position behind it. It finds none where
// the root element ends.
func (x *xmlReader) read() (at int, found bool, err error) {
	at, steps := x.predict()
	followed := steps > 0 && steps == len(x.layout.steps) && x.layout.whole
	switch {
	case followed && x.layout.extended:
	case followed:
		return at, true, nil
	case steps == 0:
		var t token
		if t, found, err = x.outside(); err != nil || !found {
			return 0, false, err
		}
		x.start(t)
		if t.selfClosing {
			return t.end, true, nil
		}
		at = t.end
	default:
		if at, err = x.resume(); err != nil {
			return 0, false, err
		}
	}
	if at, err = x.children(at); err != nil {
		return 0, false, err
	}
	if steps == 0 || steps < len(x.layout.steps) || x.extension.to == 0 {
		x.learn(at)
	}
	return at, true, nil
}

// outside looks for the next entry between two, or for the end of the root.
func (x *xmlReader) outside() (t token, found bool, err error) {
	at := 0
	for len(x.roots) > 0 {
		if t, err = x.token(at); err != nil {
			return t, false, err
		}
		b := x.window.bytes()
		switch t.kind {
		case startToken:
			if x.isEntry(t) {
				return t, true, nil
			}
			if at, err = x.nested(t); err != nil {
				return t, false, err
			}
		case textToken:
			if at, err = x.strayText(t, ""); err != nil {
				return t, false, err
			}
			if x.regular && at < longestRun {
				continue
			}
		case endToken:
			innermost := len(x.roots) - 1
			if name := x.roots[innermost]; !bytes.Equal(t.name(b), name) {
				return t, false, x.mismatch(t, name)
			}
			x.roots = x.roots[:innermost]
			at = t.end
		case cdataToken:
			x.tolerate(StrayText, t.bodyAt, "", "")
			at = t.end
		case declarationToken:
			return t, false, x.faultAt(NotWellFormed, at, "", "a DOCTYPE inside the root element")
		default:
			x.pass(t)
			at = t.end
		}
		x.regular = false
		x.window.release(at)
		at = 0
	}
	return t, false, nil
}

// strayText passes a text between elements, which is white space if all is well.
func (x *xmlReader) strayText(t token, element string) (end int, err error) {
	text := bytes.TrimLeft(t.body(x.window.bytes()), whitespace)
	if len(text) == 0 {
		return t.end, nil
	}
	at := t.bodyEnd - len(text)
	end, ok := x.window.indexByte(at, '<')
	if !ok {
		return 0, x.broken(at)
	}
	x.tolerate(StrayText, at, element, evidence(bytes.TrimSpace(x.window.bytes()[at:end])))
	x.regular = false
	return end, nil
}

func (x *xmlReader) isEntry(t token) bool {
	b := x.window.bytes()
	prefix, local := splitName(t.name(b))
	if name := string(local); name != "url" && name != "sitemap" {
		return false
	}
	return x.isCore(prefix)
}

// isCore reports whether a prefix stands for the protocol's own namespace. No
// prefix always does: files with a wrong default namespace are understood.
func (x *xmlReader) isCore(prefix []byte) bool {
	if len(prefix) == 0 || bytes.Equal(prefix, x.rootPrefix) {
		return true
	}
	v, _ := x.scope.vocabulary(prefix)
	return v == core
}

func isRoot(name []byte) bool {
	_, local := splitName(name)
	return string(local) == "urlset" || string(local) == "sitemapindex"
}

// nested passes an element that is no entry: another root is looked through,
// anything else skipped.
func (x *xmlReader) nested(t token) (at int, err error) {
	name := t.name(x.window.bytes())
	if isRoot(name) {
		x.tolerate(NestedRoot, t.nameAt, "", evidence(name))
		if t.selfClosing {
			return t.end, nil
		}
		if len(x.roots) == x.options.Ceilings.Depth {
			return 0, x.faultAt(CeilingReached, t.nameAt, "", "elements nested too deep")
		}
		x.roots = append(x.roots, bytes.Clone(name))
		return t.end, nil
	}
	x.tolerate(UnknownElement, t.nameAt, "", evidence(name))
	return x.skip(t)
}

// start opens an entry at its start tag.
func (x *xmlReader) start(t token) {
	b := x.window.bytes()
	x.entryAt = t.nameAt - 1
	_, local := splitName(t.name(b))
	x.isSitemap = string(local) == "sitemap"
	if x.isSitemap != (x.format == Index) {
		x.tolerate(MixedEntries, x.entryAt, string(local), "")
		x.regular = false
	}
	if t.bodyEnd > t.bodyAt {
		x.tag = span{t.bodyAt, t.bodyEnd}
		x.regular = false
		if x.inspecting() {
			x.tagScope, _ = x.tagScope.declare(t.body(b))
		}
	}
}

// children reads the children of an entry up to its end tag.
func (x *xmlReader) children(at int) (int, error) {
	for {
		at = afterSpace(x.window.bytes(), at)
		t, err := x.token(at)
		if err != nil {
			return 0, err
		}
		b := x.window.bytes()
		switch t.kind {
		case startToken:
			if f := x.fieldOf(t.name(b)); f != noField {
				at, err = x.leaf(t, f)
			} else {
				at, err = x.extend(t)
			}
			if err != nil {
				return 0, err
			}
			continue
		case endToken:
			if !x.closesEntry(t.name(b)) {
				return 0, x.mismatch(t, []byte(x.entryName()))
			}
			return t.end, nil
		case textToken:
			if at, err = x.strayText(t, x.entryName()); err != nil {
				return 0, err
			}
			continue
		case cdataToken:
			x.tolerate(StrayText, t.bodyAt, x.entryName(), "")
			x.regular = false
		case declarationToken:
			return 0, x.faultAt(NotWellFormed, at, "", "a DOCTYPE inside the root element")
		default:
			x.regular = false
		}
		at = t.end
	}
}

// closesEntry reports whether a name is that of the entry's start tag.
func (x *xmlReader) closesEntry(name []byte) bool {
	_, local := splitName(name)
	return string(local) == x.entryName() && bytes.HasPrefix(x.window.bytes()[x.entryAt+1:], name)
}

func (x *xmlReader) entryName() string {
	if x.isSitemap {
		return "sitemap"
	}
	return "url"
}

// fieldOf tells which child of the protocol a name is.
func (x *xmlReader) fieldOf(name []byte) field {
	prefix, local := splitName(name)
	f := noField
	switch string(local) {
	case "loc":
		f = locField
	case "lastmod":
		f = lastModField
	case "changefreq":
		f = changeFreqField
	case "priority":
		f = priorityField
	}
	if f == noField || x.isSitemap && f > lastModField || !x.isCore(prefix) {
		return noField
	}
	return f
}

// leaf reads the text of a child of the protocol and returns the position behind
// its end tag.
func (x *xmlReader) leaf(t token, f field) (int, error) {
	if t.bodyEnd > t.bodyAt {
		x.regular = false
	}
	if t.selfClosing {
		x.regular = false
		x.set(f, value{present: true}, t.nameAt)
		return t.end, nil
	}
	stop, ok := x.window.indexByte(t.end, '<')
	if !ok {
		return 0, x.broken(t.nameAt)
	}
	closing, err := x.token(stop)
	if err != nil {
		return 0, err
	}
	b := x.window.bytes()
	if closing.kind == endToken && bytes.Equal(closing.name(b), t.name(b)) {
		x.set(f, value{from: t.end, to: stop, present: true}, t.nameAt)
		return closing.end, nil
	}
	x.regular = false
	return x.mixedLeaf(t, f)
}

// mixedLeaf reads a text with CDATA sections, comments or elements in it.
func (x *xmlReader) mixedLeaf(t token, f field) (end int, err error) {
	from := len(x.scratch)
	x.scratch, end, err = x.appendText(x.scratch, t, fieldNames[f])
	if err == nil {
		x.set(f, value{from: from, to: len(x.scratch), present: true, decoded: true}, t.nameAt)
	}
	return end, err
}

func (x *xmlReader) set(f field, v value, at int) {
	if x.values[f].present {
		x.tolerate(DuplicateChild, at, fieldNames[f], "")
		x.regular = false
		return
	}
	x.late = x.late || x.extension.to > 0
	x.values[f] = v
	x.order = append(x.order, f)
}

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
		x.tolerate(MissingLoc, x.entryAt, x.entryName(), "")
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
		x.tolerate(EmptyTag, x.position(v), fieldNames[f], "")
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
		x.tolerate(LocWhitespace, at, fieldNames[f], "white space around the address")
	}
	x.padded = x.padded || f == changeFreqField && len(trimmed) < len(text)
	text = trimmed
	if x.inspecting() {
		x.inspectText(f, at, text)
	}
	if f == locField && hasBreak(text) {
		x.tolerate(LocWhitespace, at, fieldNames[f], "a line break inside the address")
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
		x.tolerate(InvalidUTF8, at, fieldNames[f], "")
	}
	if bytes.ContainsFunc(text, isControl) {
		x.tolerate(ControlCharacter, at, fieldNames[f], "")
	}
}

// isControl reports what XML cannot hold, broken UTF-8 aside.
func isControl(r rune) bool { return !isXMLChar(r) && r != utf8.RuneError }

package sitemap

import (
	"bytes"

	"github.com/mapatools/mapa/sitemap/internal/layout"
	"github.com/mapatools/mapa/sitemap/internal/xmlscan"
	"github.com/mapatools/mapa/sitemap/internal/xmltext"
)

// children reads the children of an entry up to its end tag.
func (x *xmlReader) children(at int) (int, error) {
	for {
		at = xmltext.AfterSpace(x.window.Bytes(), at)
		t, err := x.token(at)
		if err != nil {
			return 0, err
		}
		b := x.window.Bytes()
		switch t.Kind {
		case xmlscan.StartTag:
			switch f := x.fieldOf(t.Name(b)); {
			case f == layout.Loc && x.values[f].present:
				return x.split(t.NameAt), nil
			case f != layout.None:
				at, err = x.leaf(t, f)
			case x.beginsEntry(t):
				return x.breakOff(t.NameAt - len("<")), nil
			default:
				at, err = x.extend(t)
			}
			if err != nil {
				return 0, err
			}
			continue
		case xmlscan.EndTag:
			switch name := t.Name(b); {
			case x.closesEntry(name):
				return t.End, nil
			case bytes.Equal(name, x.roots[len(x.roots)-1]):
				return x.breakOff(t.NameAt - len("</")), nil
			}
			return 0, x.mismatch(t, []byte(x.entryName()))
		case xmlscan.Text:
			if at, err = x.strayText(t, x.entryName()); err != nil {
				return 0, err
			}
			continue
		case xmlscan.CDATA:
			x.tolerate(FaultStrayText, t.BodyAt, x.entryName(), "")
			x.regular = false
		case xmlscan.Declaration:
			return 0, x.faultAt(FaultNotWellFormed, at, "", "a DOCTYPE inside the root element")
		default:
			x.pass(t)
			x.regular = false
		}
		at = t.End
	}
}

// beginsEntry reports whether a start tag inside an entry begins the next one, so
// that the end tag of the entry is missing.
func (x *xmlReader) beginsEntry(t xmlscan.Token) bool {
	if !x.isEntry(t) {
		return false
	}
	b := x.window.Bytes()
	prefix, _ := xmlscan.SplitName(t.Name(b))
	own, err := scope(nil).declare(t.Body(b))
	bound, declared := own.find(prefix)
	return err == nil && (!declared || bound.vocabulary == core)
}

// breakOff ends an entry without its end tag at a position, where something begins
// or ends that cannot be inside an entry.
func (x *xmlReader) breakOff(at int) (end int) {
	x.tolerate(FaultUnclosedEntry, x.entryAt, x.entryName(), "")
	x.unclosed, x.regular = true, false
	x.open++
	return at
}

// split ends an entry at the name of its second location. A generator that lists several in
// one entry means as many pages, each with the values after it.
func (x *xmlReader) split(nameAt int) (end int) {
	x.tolerate(FaultDuplicateChild, nameAt, fieldNames[layout.Loc], "")
	if x.shared == nil {
		x.shared = bytes.Clone(xmlscan.NameAt(x.window.Bytes(), x.entryAt+len("<")))
	}
	x.splits, x.unclosed, x.regular = true, true, false
	return nameAt - len("<")
}

// closesEntry reports whether a name is that of the entry's start tag.
func (x *xmlReader) closesEntry(name []byte) bool {
	if x.shared != nil {
		return bytes.Equal(name, x.shared)
	}
	_, local := xmlscan.SplitName(name)
	return string(local) == x.entryName() && bytes.HasPrefix(x.window.Bytes()[x.entryAt+1:], name)
}

func (x *xmlReader) entryName() string {
	if x.isSitemap {
		return "sitemap"
	}
	return "url"
}

// fieldOf returns the field of the protocol that a name means, or layout.None.
func (x *xmlReader) fieldOf(name []byte) layout.Field {
	prefix, local := xmlscan.SplitName(name)
	f := layout.None
	switch string(local) {
	case "loc":
		f = layout.Loc
	case "lastmod":
		f = layout.LastMod
	case "changefreq":
		f = layout.ChangeFreq
	case "priority":
		f = layout.Priority
	}
	if f == layout.None || x.isSitemap && f > layout.LastMod || !x.isCore(prefix) {
		return layout.None
	}
	return f
}

// leaf reads the text of a field of the protocol and returns the position after its
// end tag.
func (x *xmlReader) leaf(t xmlscan.Token, f layout.Field) (int, error) {
	if t.BodyEnd > t.BodyAt {
		x.regular = false
	}
	if t.SelfClosing {
		x.regular = false
		x.set(f, value{present: true}, t.NameAt)
		return t.End, nil
	}
	stop, ok := x.window.IndexByte(t.End, '<')
	if !ok {
		return 0, x.readError(t.NameAt)
	}
	closing, err := x.token(stop)
	if err != nil {
		return 0, err
	}
	b := x.window.Bytes()
	if closing.Kind == xmlscan.EndTag && bytes.Equal(closing.Name(b), t.Name(b)) {
		x.set(f, value{from: t.End, to: stop, present: true}, t.NameAt)
		return closing.End, nil
	}
	x.regular = false
	return x.mixedLeaf(t, f)
}

// mixedLeaf reads a text with CDATA sections, comments or elements in it.
func (x *xmlReader) mixedLeaf(t xmlscan.Token, f layout.Field) (end int, err error) {
	from, isClosed := len(x.scratch), false
	x.scratch, end, err = x.appendText(x.scratch, t, fieldNames[f], func(inner xmlscan.Token) bool {
		if inner.Kind == xmlscan.StartTag && x.beginsEntry(inner) && x.holdsText(inner) {
			return false // it is nested, whatever its name
		}
		if x.isOutside(inner) {
			return true
		}
		if inner.Kind == xmlscan.StartTag && !isClosed {
			isClosed = x.closesLater(t, inner.End)
			return !isClosed
		}
		return false
	})
	if err == nil {
		x.set(f, value{from: from, to: len(x.scratch), present: true, decoded: true}, t.NameAt)
	}
	return end, err
}

// holdsText reports whether an element has text before its end tag and nothing else, so
// that it is not an entry.
func (x *xmlReader) holdsText(element xmlscan.Token) bool {
	hasText, at := false, element.End
	for range maxInValue {
		stop, ok := x.window.IndexByte(at, '<')
		if !ok {
			return false
		}
		hasText = hasText || len(bytes.Trim(x.window.Bytes()[at:stop], xmltext.Whitespace)) > 0
		t, err := x.token(stop)
		if err != nil {
			return false
		}
		switch t.Kind {
		case xmlscan.CDATA:
			hasText = hasText || t.BodyEnd > t.BodyAt
		case xmlscan.EndTag:
			b := x.window.Bytes()
			return hasText && bytes.Equal(t.Name(b), element.Name(b))
		case xmlscan.StartTag:
			return false
		}
		at = t.End
	}
	return false
}

// maxInValue is how many tags inside a value are looked at for its end tag.
const maxInValue = 16

// closesLater reports whether the end tag of a value comes after a position, before the
// entry ends. Otherwise an element at the position is not inside the value: it follows a
// value without an end tag.
func (x *xmlReader) closesLater(leaf xmlscan.Token, at int) bool {
	for range maxInValue {
		stop, ok := x.window.IndexByte(at, '<')
		if !ok {
			return false
		}
		t, err := x.token(stop)
		if err != nil || x.isOutside(t) {
			return false
		}
		b := x.window.Bytes()
		if t.Kind == xmlscan.EndTag && bytes.Equal(t.Name(b), leaf.Name(b)) {
			return true
		}
		at = t.End
	}
	return false
}

// isOutside reports whether a tag cannot be inside a value: it ends the entry or the root
// element, or begins the next entry.
func (x *xmlReader) isOutside(t xmlscan.Token) bool {
	switch t.Kind {
	case xmlscan.StartTag:
		return x.beginsEntry(t)
	case xmlscan.EndTag:
		name := t.Name(x.window.Bytes())
		return x.closesEntry(name) || bytes.Equal(name, x.roots[len(x.roots)-1])
	}
	return false
}

func (x *xmlReader) set(f layout.Field, v value, at int) {
	if x.values[f].present {
		x.tolerate(FaultDuplicateChild, at, fieldNames[f], "")
		x.regular = false
		return
	}
	x.afterExtension = x.afterExtension || x.extension.To > 0
	x.values[f] = v
	x.order = append(x.order, f)
}

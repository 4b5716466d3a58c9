package sitemap

import "bytes"

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
			x.tolerate(FaultStrayText, t.bodyAt, x.entryName(), "")
			x.regular = false
		case declarationToken:
			return 0, x.faultAt(FaultNotWellFormed, at, "", "a DOCTYPE inside the root element")
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
		x.tolerate(FaultDuplicateChild, at, fieldNames[f], "")
		x.regular = false
		return
	}
	x.late = x.late || x.extension.to > 0
	x.values[f] = v
	x.order = append(x.order, f)
}

package sitemap

import "bytes"

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
			x.tolerate(FaultStrayText, t.bodyAt, "", "")
			at = t.end
		case declarationToken:
			return t, false, x.faultAt(FaultNotWellFormed, at, "", "a DOCTYPE inside the root element")
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
	x.tolerate(FaultStrayText, at, element, evidence(bytes.TrimSpace(x.window.bytes()[at:end])))
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
		x.tolerate(FaultNestedRoot, t.nameAt, "", evidence(name))
		if t.selfClosing {
			return t.end, nil
		}
		if len(x.roots) == x.options.Ceilings.Depth {
			return 0, x.faultAt(FaultCeilingReached, t.nameAt, "", "elements nested too deep")
		}
		x.roots = append(x.roots, bytes.Clone(name))
		return t.end, nil
	}
	x.tolerate(FaultUnknownElement, t.nameAt, "", evidence(name))
	return x.skip(t)
}

// start opens an entry at its start tag.
func (x *xmlReader) start(t token) {
	b := x.window.bytes()
	x.entryAt = t.nameAt - 1
	_, local := splitName(t.name(b))
	x.isSitemap = string(local) == "sitemap"
	if x.isSitemap != (x.format == FormatIndex) {
		x.tolerate(FaultMixedEntries, x.entryAt, string(local), "")
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

package sitemap

// extend passes a child that is not of the protocol's own four and remembers
// where it lies.
func (x *xmlReader) extend(t token) (int, error) {
	if x.extension.to == 0 {
		x.extension.from = t.nameAt - 1
	}
	if x.inspecting() {
		x.inspectName(t)
	}
	end, err := x.skip(t)
	x.extension.to = end
	return end, err
}

// extendPlain passes as many extensions as follow one another in the usual
// spelling and lie in the window, and returns the position behind them. Whoever
// wants to know of every fault gets none of this.
func (x *xmlReader) extendPlain(at int) int {
	if x.inspecting() {
		return at
	}
	b := x.window.bytes()
	for {
		tag := at
		for tag < len(b) && isSpace(b[tag]) {
			tag++
		}
		if tag+1 >= len(b) || b[tag] != '<' {
			return at
		}
		end := plainTag(b[tag+1:])
		if end == 0 || !x.isExtension(b[tag+1:tag+1+end]) {
			return at
		}
		if end += tag + 1; b[end-2] != '/' {
			x.Reader.nested = append(x.Reader.nested[:0], tag+1)
			if end = x.skipPlain(end); len(x.Reader.nested) > 0 {
				return at
			}
		}
		if x.extension.to == 0 {
			x.extension.from = tag
		}
		x.extension.to = end
		at = end
	}
}

// isExtension reports whether a tag has a prefix that is not the protocol's. It
// remembers the last such prefix, since extensions come in groups.
func (x *xmlReader) isExtension(tag []byte) bool {
	if n := len(x.extensionPrefix); n > 0 && len(tag) > n && string(tag[:n]) == string(x.extensionPrefix) && tag[n] == ':' {
		return true
	}
	prefix, _ := splitName(nameAt(tag, 0))
	if len(prefix) == 0 || x.isCore(prefix) {
		return false
	}
	x.extensionPrefix = append(x.extensionPrefix[:0], prefix...)
	return true
}

// inspectName reports a child whose name is unknown or whose prefix nobody
// declared.
func (x *xmlReader) inspectName(t token) {
	b := x.window.bytes()
	name := t.name(b)
	prefix, _ := splitName(name)
	local, err := x.scope.declare(t.body(b))
	if err != nil {
		return
	}
	x.scope = local[:len(x.scope)]
	bound, declared := local.find(prefix)
	switch {
	case declared && bound.vocabulary != core, len(prefix) == 0 && declared && len(local) > len(x.scope):
	case x.isCore(prefix):
		x.tolerate(UnknownElement, t.nameAt, x.entryName(), evidence(name))
	case !declared && !x.tagDeclares(prefix):
		x.tolerate(ExtensionUndeclared, t.nameAt, evidence(name), "")
	}
}

// tagDeclares reports whether the entry's own tag binds a prefix.
func (x *xmlReader) tagDeclares(prefix []byte) bool {
	_, found := x.tagScope.find(prefix)
	return found
}

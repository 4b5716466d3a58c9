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

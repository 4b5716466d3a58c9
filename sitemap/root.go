package sitemap

import (
	"bytes"
	"slices"
)

// checkRoot reads the attributes of a root element into its scope and reports
// what is wrong with its namespaces.
func (r *Reader) checkRoot(t token, s *scope) error {
	b := r.window.bytes()
	declared, err := scope(nil).declare(t.body(b))
	if err != nil {
		return r.faultAt(FaultNotWellFormed, t.nameAt, "", err.Error())
	}
	*s = slices.Clip(declared)
	if !r.inspecting() {
		return nil
	}
	r.checkDuplicates(t)
	prefix, local := splitName(t.name(b))
	bound, ok := declared.find(prefix)
	switch v, exact := lookUpNamespace(bound.uri); {
	case !ok || bound.uri == "":
		r.tolerate(FaultNamespaceMissing, t.nameAt, string(local), "")
	case v != core:
		r.tolerate(FaultNamespaceWrong, t.nameAt, string(local), evidence([]byte(bound.uri)))
	case !exact:
		r.tolerate(FaultNamespaceVariant, t.nameAt, string(local), evidence([]byte(bound.uri)))
	}
	for _, d := range declared {
		if v, exact := lookUpNamespace(d.uri); v > core && !exact {
			r.tolerate(FaultExtensionVariant, t.nameAt, string(local), evidence([]byte(d.uri)))
		}
	}
	return nil
}

// checkDuplicates reports attributes that stand twice in a tag (XML 1.0, 3.1).
func (r *Reader) checkDuplicates(t token) {
	attributes := t.body(r.window.bytes())
	var names [][]byte
	for at := 0; ; {
		a, next, err := nextAttribute(attributes, at)
		if err != nil || a.name == nil || len(names) == mostBindings {
			return
		}
		if slices.ContainsFunc(names, func(name []byte) bool { return bytes.Equal(name, a.name) }) {
			r.tolerate(FaultDuplicateAttribute, t.bodyAt+at, "", evidence(a.name))
		}
		names = append(names, a.name)
		at = next
	}
}

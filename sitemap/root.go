package sitemap

import (
	"bytes"
	"slices"

	"github.com/mapatools/mapa/sitemap/internal/xmlscan"
)

// checkRoot reads the attributes of a root element into its scope and reports
// what is wrong with its namespaces.
func (r *Reader) checkRoot(t xmlscan.Token, s *scope) error {
	b := r.window.Bytes()
	declared, err := scope(nil).declare(t.Body(b))
	if err != nil {
		return r.faultAt(FaultNotWellFormed, t.NameAt, "", err.Error())
	}
	*s = slices.Clip(declared)
	if !r.inspecting() {
		return nil
	}
	r.checkDuplicates(t)
	prefix, local := xmlscan.SplitName(t.Name(b))
	bound, ok := declared.find(prefix)
	switch v, exact := lookUpNamespace(bound.uri); {
	case !ok || bound.uri == "":
		r.tolerate(FaultNamespaceMissing, t.NameAt, string(local), "")
	case v != core:
		r.tolerate(FaultNamespaceWrong, t.NameAt, string(local), excerpt([]byte(bound.uri)))
	case !exact:
		r.tolerate(FaultNamespaceVariant, t.NameAt, string(local), excerpt([]byte(bound.uri)))
	}
	for _, d := range declared {
		if v, exact := lookUpNamespace(d.uri); v > core && !exact {
			r.tolerate(FaultExtensionVariant, t.NameAt, string(local), excerpt([]byte(d.uri)))
		}
	}
	return nil
}

// checkDuplicates reports attributes that are repeated in a tag (XML 1.0, 3.1).
func (r *Reader) checkDuplicates(t xmlscan.Token) {
	attributes := t.Body(r.window.Bytes())
	var names [][]byte
	for at := 0; ; {
		a, next, err := xmlscan.NextAttribute(attributes, at)
		if err != nil || a.Name == nil || len(names) == maxBindings {
			return
		}
		if slices.ContainsFunc(names, func(name []byte) bool { return bytes.Equal(name, a.Name) }) {
			r.tolerate(FaultDuplicateAttribute, t.BodyAt+at, "", excerpt(a.Name))
		}
		names = append(names, a.Name)
		at = next
	}
}

package sitemap

import (
	"bytes"
	"encoding/binary"

	"github.com/mapatools/mapa/sitemap/internal/xmlscan"
	"github.com/mapatools/mapa/sitemap/internal/xmltext"
)

// extend passes a child that is not one of the protocol's four and keeps its
// position. Unless faults are reported, it passes what follows up to the end of
// the entry as well.
func (x *xmlReader) extend(t xmlscan.Token) (end int, err error) {
	if x.extension.To == 0 {
		x.extension.From = t.NameAt - 1
	}
	if x.inspecting() {
		x.inspectName(t)
	} else if !x.mixed {
		end, found := x.extensionsEnd(t.NameAt-1, x.entryAt+1)
		if found {
			x.extension.To = end
			return end, nil
		}
		x.mixed = true
	}
	end, err = x.skip(t)
	x.extension.To = end
	return end, err
}

// checkPassed reads the extensions that extend passed in an entry that is left out:
// nobody gets the entry, so nobody can ask it for their error.
func (x *xmlReader) checkPassed() error {
	if x.inspecting() || x.mixed || x.extension.To == 0 {
		return nil
	}
	x.mixed = true
	_, err := x.children(x.extension.From)
	return err
}

// extensionsEnd finds the end tag of the entry, whose name begins at a position,
// when only extensions come before it. It looks at the prefix after each < and at
// nothing else; the extension parser checks that the tags match. It finds nothing
// where an element may be the protocol's or a < may not begin a tag.
func (x *xmlReader) extensionsEnd(at, name int) (end int, found bool) {
	b := x.window.Bytes()
	for {
		n := bytes.IndexByte(b[at:], '<')
		if n < 0 || at+n+len("</")+8 > len(b) {
			if at += n; n < 0 {
				at = len(b)
			}
			if !x.window.More() {
				return 0, false
			}
			b = x.window.Bytes()
			continue
		}
		at += n + 1
		tag := at
		if b[at] == '/' {
			tag++
		}
		if x.prefixes[b[tag]%knownPrefixes].begins(b[tag:]) {
			continue
		}
		if _, closes := xmlscan.ClosesAt(b, at-1, xmlscan.NameAt(b, name)); closes {
			return at - 1, true
		}
		if !x.isExtension(b[tag:]) {
			return 0, false
		}
	}
}

// isExtension reports whether a name has a short prefix that is not the protocol's,
// and adds it to the known ones.
func (x *xmlReader) isExtension(name []byte) bool {
	colon := bytes.IndexByte(name[:8], ':')
	if colon <= 0 || !xmlscan.IsNameStart(name[0]) || bytes.ContainsAny(name[:colon], "<>/"+xmltext.Whitespace) ||
		x.isCore(name[:colon]) {
		return false
	}
	x.prefixes[name[0]%knownPrefixes] = newShortPrefix(name[:colon+1])
	return true
}

// knownPrefixes is how many prefixes are kept, by their first letter.
const knownPrefixes = 32

// A shortPrefix is a prefix with its colon, no more than eight bytes together,
// that is compared in one step.
type shortPrefix struct{ bytes, mask uint64 }

func newShortPrefix(prefix []byte) shortPrefix {
	var p, mask [8]byte
	for i, c := range prefix {
		p[i], mask[i] = c, 0xff
	}
	return shortPrefix{binary.LittleEndian.Uint64(p[:]), binary.LittleEndian.Uint64(mask[:])}
}

// begins reports whether a name, which has at least eight bytes, begins with the
// prefix.
func (p *shortPrefix) begins(name []byte) bool {
	return binary.LittleEndian.Uint64(name)&p.mask == p.bytes && p.mask != 0
}

// inspectName reports a child whose name is unknown or whose prefix is not
// declared.
func (x *xmlReader) inspectName(t xmlscan.Token) {
	b := x.window.Bytes()
	name := t.Name(b)
	prefix, _ := xmlscan.SplitName(name)
	local, err := x.scope.declare(t.Body(b))
	if err != nil {
		return
	}
	x.scope = local[:len(x.scope)]
	bound, declared := local.find(prefix)
	switch {
	case declared && bound.vocabulary != core, len(prefix) == 0 && declared && len(local) > len(x.scope):
	case x.isCore(prefix):
		x.tolerate(FaultUnknownElement, t.NameAt, x.entryName(), excerpt(name))
	case !declared && !x.tagDeclares(prefix):
		x.tolerate(FaultExtensionUndeclared, t.NameAt, excerpt(name), "")
	}
}

// tagDeclares reports whether the entry's own tag binds a prefix.
func (x *xmlReader) tagDeclares(prefix []byte) bool {
	_, found := x.tagScope.find(prefix)
	return found
}

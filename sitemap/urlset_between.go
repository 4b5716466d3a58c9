package sitemap

import (
	"bytes"

	"github.com/mapatools/mapa/sitemap/internal/layout"
	"github.com/mapatools/mapa/sitemap/internal/xmlscan"
	"github.com/mapatools/mapa/sitemap/internal/xmltext"
)

// outside looks for the next entry between two, or for the end of the root.
func (x *xmlReader) outside() (t xmlscan.Token, found bool, err error) {
	at := 0
	for len(x.roots) > 0 {
		if t, err = x.token(at); err != nil {
			return t, false, err
		}
		b := x.window.Bytes()
		switch t.Kind {
		case xmlscan.StartTag:
			if x.isEntry(t) {
				return t, true, nil
			}
			if at, err = x.nested(t); err != nil {
				return t, false, err
			}
		case xmlscan.Text:
			if at, err = x.strayText(t, ""); err != nil {
				return t, false, err
			}
			if x.regular && at < layout.LongestRun {
				continue
			}
		case xmlscan.EndTag:
			switch innermost := len(x.roots) - 1; {
			case bytes.Equal(t.Name(b), x.roots[innermost]):
				x.roots = x.roots[:innermost]
			case x.open > 0 && x.isEntry(t):
				x.open--
			default:
				return t, false, x.mismatch(t, x.roots[innermost])
			}
			at = t.End
		case xmlscan.CDATA:
			x.tolerate(FaultStrayText, t.BodyAt, "", "")
			at = t.End
		case xmlscan.Declaration:
			return t, false, x.faultAt(FaultNotWellFormed, at, "", "a DOCTYPE inside the root element")
		default:
			x.pass(t)
			at = t.End
		}
		x.regular = false
		x.window.Release(at)
		at = 0
	}
	return t, false, nil
}

// strayText passes a text between elements, which is white space if all is well.
func (x *xmlReader) strayText(t xmlscan.Token, element string) (end int, err error) {
	text := bytes.TrimLeft(t.Body(x.window.Bytes()), xmltext.Whitespace)
	if len(text) == 0 {
		return t.End, nil
	}
	at := t.BodyEnd - len(text)
	end, ok := x.window.IndexByte(at, '<')
	if !ok {
		return 0, x.readError(at)
	}
	x.tolerate(FaultStrayText, at, element, excerpt(bytes.TrimSpace(x.window.Bytes()[at:end])))
	x.regular = false
	return end, nil
}

func (x *xmlReader) isEntry(t xmlscan.Token) bool {
	b := x.window.Bytes()
	prefix, local := xmlscan.SplitName(t.Name(b))
	if name := string(local); name != "url" && name != "sitemap" {
		return false
	}
	return x.isCore(prefix)
}

// isCore reports whether a prefix is bound to the protocol's own namespace. An empty
// prefix always is: files with a wrong default namespace are understood.
func (x *xmlReader) isCore(prefix []byte) bool {
	if len(prefix) == 0 || bytes.Equal(prefix, x.rootPrefix) {
		return true
	}
	v := x.scope.vocabulary(prefix)
	return v == core
}

func isRoot(name []byte) bool {
	_, local := xmlscan.SplitName(name)
	return string(local) == "urlset" || string(local) == "sitemapindex"
}

// nested passes an element that is not an entry: it enters another root and skips
// anything else.
func (x *xmlReader) nested(t xmlscan.Token) (at int, err error) {
	name := t.Name(x.window.Bytes())
	if isRoot(name) {
		x.tolerate(FaultNestedRoot, t.NameAt, "", excerpt(name))
		if t.SelfClosing {
			return t.End, nil
		}
		if len(x.roots) == x.options.Ceilings.Depth {
			return 0, x.faultAt(FaultCeilingReached, t.NameAt, "", "elements nested too deep")
		}
		x.roots = append(x.roots, bytes.Clone(name))
		return t.End, nil
	}
	x.tolerate(FaultUnknownElement, t.NameAt, "", excerpt(name))
	return x.skip(t)
}

// start opens an entry at its start tag.
func (x *xmlReader) start(t xmlscan.Token) {
	b := x.window.Bytes()
	x.entryAt = t.NameAt - 1
	_, local := xmlscan.SplitName(t.Name(b))
	x.isSitemap = string(local) == "sitemap"
	if x.isSitemap != (x.format == FormatIndex) {
		x.tolerate(FaultMixedEntries, x.entryAt, string(local), "")
		x.regular = false
	}
	if t.BodyEnd > t.BodyAt {
		x.tag = layout.Span{From: t.BodyAt, To: t.BodyEnd}
		x.regular = false
		if x.inspecting() {
			x.tagScope, _ = x.tagScope.declare(t.Body(b))
		}
	}
}

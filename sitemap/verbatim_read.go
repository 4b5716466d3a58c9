package sitemap

import (
	"slices"

	"github.com/mapatools/mapa/sitemap/internal/xmlscan"
	"github.com/mapatools/mapa/sitemap/internal/xmltext"
)

// verbatim keeps an element as it is, with the namespaces it uses and does not
// declare. Only broken references are repaired: they could not be written again.
func (p *extensionParser) verbatim(t xmlscan.Token, into *[]Element) (int, error) {
	v := verbatim{extensionParser: p}
	text := make([]byte, 0, 64)
	for at := t.NameAt - 1; at < len(p.b); {
		inner, err := xmlscan.Scan(p.b, at)
		if err != nil {
			return 0, err
		}
		piece := p.b[at:inner.End]
		switch inner.Kind {
		case xmlscan.StartTag:
			err = v.enter(inner)
			text = xmltext.Repair(text, piece, p.problemsAt(at))
		case xmlscan.Text:
			text = xmltext.Repair(text, piece, p.problemsAt(at))
		case xmlscan.EndTag:
			err = p.closes(inner, v.open[len(v.open)-1].start)
			v.leave()
			text = append(text, piece...)
		default:
			text = append(text, piece...)
		}
		if err != nil {
			return 0, err
		}
		at = inner.End
		if len(v.open) == 0 {
			*into = append(*into, Element{string(text), v.inherited})
			return at, nil
		}
	}
	return 0, p.unclosed(v.open[len(v.open)-1].start)
}

// A verbatim collects the namespaces that an element inherits.
type verbatim struct {
	*extensionParser
	own       scope // declared inside, innermost last
	open      []openElement
	inherited []Namespace
}

// An openElement is the start of an element that is open.
type openElement struct {
	start xmlscan.Token
	outer int // bindings declared inside that are around it
}

func (v *verbatim) enter(t xmlscan.Token) (err error) {
	if v.depth+len(v.open) >= v.maxDepth && !t.SelfClosing {
		return errDepth
	}
	v.open = append(v.open, openElement{t, len(v.own)})
	body := t.Body(v.b)
	if v.own, err = v.own.declare(body); err != nil {
		return err
	}
	prefix, _ := xmlscan.SplitName(t.Name(v.b))
	err = v.use(prefix)
	for at := 0; err == nil; {
		var a xmlscan.Attribute
		if a, at, err = xmlscan.NextAttribute(body, at); err != nil || a.Name == nil {
			break
		}
		if prefix, _ := xmlscan.SplitName(a.Name); len(prefix) > 0 && string(prefix) != "xmlns" {
			err = v.use(prefix)
		}
	}
	if t.SelfClosing {
		v.leave()
	}
	return err
}

func (v *verbatim) leave() {
	last := len(v.open) - 1
	v.own, v.open = v.own[:v.open[last].outer], v.open[:last]
}

// use notes the namespace of a prefix unless it is declared inside or is xml,
// which needs no declaration.
func (v *verbatim) use(prefix []byte) error {
	_, inside := v.own.find(prefix)
	noted := slices.ContainsFunc(v.inherited, func(n Namespace) bool { return n.Prefix == string(prefix) })
	if inside || noted || string(prefix) == "xml" {
		return nil
	}
	bound, found := v.scope.find(prefix)
	if !found {
		bound = binding{prefix: string(prefix), uri: canonical[usualPrefix(string(prefix))].uri}
	}
	if len(prefix) == 0 && (!found || bound.vocabulary == core) {
		return nil
	}
	if len(v.inherited) == maxBindings {
		return errBindings
	}
	v.inherited = append(v.inherited, Namespace{bound.prefix, bound.uri})
	return nil
}

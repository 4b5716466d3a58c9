package sitemap

import (
	"bytes"
	"slices"
)

// verbatim keeps an element as it is, with the namespaces it uses and does not
// declare. Only broken references are mended: they could not be written again.
func (p *extensionParser) verbatim(t token, into *[]Element) (int, error) {
	v := verbatim{extensionParser: p}
	text := make([]byte, 0, 64)
	for at := t.nameAt - 1; at < len(p.b); {
		inner, err := scanToken(p.b, at)
		if err != nil {
			return 0, err
		}
		piece := p.b[at:inner.end]
		switch inner.kind {
		case startToken:
			err = v.enter(inner)
			text = p.mended(text, piece, at)
		case textToken:
			text = p.mended(text, piece, at)
		case endToken:
			err = p.closes(inner, v.open[len(v.open)-1].start)
			v.leave()
			text = append(text, piece...)
		default:
			text = append(text, piece...)
		}
		if err != nil {
			return 0, err
		}
		at = inner.end
		if len(v.open) == 0 {
			*into = append(*into, Element{string(text), v.taken})
			return at, nil
		}
	}
	return 0, p.unclosed(v.open[len(v.open)-1].start)
}

// A verbatim collects the namespaces that an element takes from around it.
type verbatim struct {
	*extensionParser
	own   scope // declared inside, innermost last
	open  []opened
	taken []Namespace
}

// An opened is the start of an element that is open.
type opened struct {
	start token
	outer int // bindings declared inside that are around it
}

func (v *verbatim) enter(t token) (err error) {
	if v.depth+len(v.open) >= v.most && !t.selfClosing {
		return errDepth
	}
	v.open = append(v.open, opened{t, len(v.own)})
	body := t.body(v.b)
	if v.own, err = v.own.declare(body); err != nil {
		return err
	}
	prefix, _ := splitName(t.name(v.b))
	err = v.use(prefix)
	for at := 0; err == nil; {
		var a attribute
		if a, at, err = nextAttribute(body, at); err != nil || a.name == nil {
			break
		}
		if prefix, _ := splitName(a.name); len(prefix) > 0 && string(prefix) != "xmlns" {
			err = v.use(prefix)
		}
	}
	if t.selfClosing {
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
	noted := slices.ContainsFunc(v.taken, func(n Namespace) bool { return n.Prefix == string(prefix) })
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
	if len(v.taken) == mostBindings {
		return errBindings
	}
	v.taken = append(v.taken, Namespace{bound.prefix, bound.uri})
	return nil
}

// mended appends text with references that XML does not know made harmless.
func (p *extensionParser) mended(dst, text []byte, from int) []byte {
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '&')
		if n < 0 {
			return append(dst, text[at:]...)
		}
		dst = append(dst, text[at:at+n]...)
		at += n
		reference := entityAt(text[at:])
		if reference == nil {
			p.report(FaultBareAmpersand, from+at, "")
			dst = append(dst, "&amp;"...)
			at++
			continue
		}
		resolved, known := resolve(nil, reference)
		if known {
			resolved = reference
		} else {
			p.report(FaultUndeclaredEntity, from+at, evidence(reference))
			resolved = appendEscaped(nil, string(resolved))
		}
		dst = append(dst, resolved...)
		at += len(reference)
	}
}

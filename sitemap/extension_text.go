package sitemap

import (
	"bytes"

	"github.com/mapatools/mapa/sitemap/internal/xmlscan"
	"github.com/mapatools/mapa/sitemap/internal/xmltext"
)

// leaf reads the text of the element that t opens into a string that is still
// empty; a second element of the name does not count.
func (p *extensionParser) leaf(t xmlscan.Token, into *string) (end int, err error) {
	text, end, err := p.textOf(t)
	if *into == "" {
		*into = text
	} else if err == nil {
		p.report(FaultDuplicateChild, t.NameAt, excerpt(t.Name(p.b)))
	}
	return end, err
}

// textOf returns the text of the element that t opens and the position after it.
func (p *extensionParser) textOf(t xmlscan.Token) (text string, end int, err error) {
	if t.SelfClosing {
		return "", t.End, nil
	}
	if stop := bytes.IndexByte(p.b[t.End:], '<'); stop >= 0 {
		stop += t.End
		if after, closes := xmlscan.ClosesAt(p.b, stop, t.Name(p.b)); closes {
			return p.decoded(t.End, stop), after, nil
		}
	}
	return p.mixedText(t)
}

// mixedText reads a text with CDATA sections, comments or elements in it.
func (p *extensionParser) mixedText(t xmlscan.Token) (text string, end int, err error) {
	p.depth++
	var mixed []byte
	for at := t.End; at < len(p.b); {
		inner, err := xmlscan.Scan(p.b, at)
		if err != nil {
			return "", 0, err
		}
		at = inner.End
		switch inner.Kind {
		case xmlscan.EndTag:
			p.depth--
			return string(bytes.TrimSpace(mixed)), at, p.closes(inner, t)
		case xmlscan.Text:
			mixed = xmltext.Unescape(mixed, inner.Body(p.b), p.problemsAt(inner.BodyAt))
		case xmlscan.CDATA:
			mixed = append(mixed, inner.Body(p.b)...)
		case xmlscan.StartTag:
			p.report(FaultNestedTag, inner.NameAt, excerpt(inner.Name(p.b)))
			if err = p.enter(inner); err == nil {
				at, err = p.skip(inner)
			}
			if err != nil {
				return "", 0, err
			}
		}
	}
	return "", 0, p.unclosed(t)
}

// decoded returns a text of the span, decoded and trimmed.
func (p *extensionParser) decoded(from, to int) string {
	text := p.b[from:to]
	if bytes.IndexByte(text, '&') < 0 {
		return p.keep(bytes.TrimSpace(text))
	}
	var room [256]byte
	resolved, ok := xmltext.UnescapeKnown(room[:0], text)
	if !ok {
		resolved = xmltext.Unescape(room[:0], text, p.problemsAt(from))
	}
	return p.keep(bytes.TrimSpace(resolved))
}

// keep copies a value. About half of the bytes of a page's extensions are values.
func (p *extensionParser) keep(text []byte) string {
	if free := p.values.Cap() - p.values.Len(); free < len(text) {
		p.values.Reset()
		p.values.Grow(max(len(p.b)/2, len(text)))
	}
	start := p.values.Len()
	p.values.Write(text)
	return p.values.String()[start:]
}

// problemsAt returns a report of the references in a text that begins at a
// position.
func (p *extensionParser) problemsAt(from int) xmltext.Report {
	return func(problem xmltext.Problem, at int, reference []byte) {
		if p.inspecting {
			p.report(problemKinds[problem], from+at, excerpt(reference))
		}
	}
}

// eachAttribute calls each for the attributes of a tag, namespaces left out.
func (p *extensionParser) eachAttribute(t xmlscan.Token, each func(name []byte, value string)) error {
	body := t.Body(p.b)
	for at := 0; ; {
		a, next, err := xmlscan.NextAttribute(body, at)
		if err != nil || a.Name == nil {
			return err
		}
		if !bytes.HasPrefix(a.Name, []byte("xmlns")) {
			from := t.BodyAt + a.ValueAt
			each(a.Name, p.decoded(from, from+len(a.Value)))
		}
		at = next
	}
}

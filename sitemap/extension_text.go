package sitemap

import (
	"bytes"
)

// leaf reads the text of the element that t opens into a string that is still
// empty; a second element of the name does not count.
func (p *extensionParser) leaf(t token, into *string) (end int, err error) {
	text, end, err := p.textOf(t)
	if *into == "" {
		*into = text
	} else if err == nil {
		p.report(FaultDuplicateChild, t.nameAt, evidence(t.name(p.b)))
	}
	return end, err
}

// textOf returns the text of the element that t opens and the position behind it.
func (p *extensionParser) textOf(t token) (text string, end int, err error) {
	if t.selfClosing {
		return "", t.end, nil
	}
	if stop := bytes.IndexByte(p.b[t.end:], '<'); stop >= 0 {
		stop += t.end
		if behind, closes := closesAt(p.b, stop, t.name(p.b)); closes {
			return p.decoded(t.end, stop), behind, nil
		}
	}
	return p.mixedText(t)
}

// mixedText reads a text with CDATA sections, comments or elements in it.
func (p *extensionParser) mixedText(t token) (text string, end int, err error) {
	p.depth++
	var mixed []byte
	for at := t.end; at < len(p.b); {
		inner, err := scanToken(p.b, at)
		if err != nil {
			return "", 0, err
		}
		at = inner.end
		switch inner.kind {
		case endToken:
			p.depth--
			return string(bytes.TrimSpace(mixed)), at, p.closes(inner, t)
		case textToken:
			mixed = unescape(mixed, inner.body(p.b), p.noticeAt(inner.bodyAt))
		case cdataToken:
			mixed = append(mixed, inner.body(p.b)...)
		case startToken:
			p.report(FaultNestedTag, inner.nameAt, evidence(inner.name(p.b)))
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
		return p.kept(bytes.TrimSpace(text))
	}
	var room [256]byte
	resolved, ok := unescapeKnown(room[:0], text)
	if !ok {
		resolved = unescape(room[:0], text, p.noticeAt(from))
	}
	return p.kept(bytes.TrimSpace(resolved))
}

// kept copies a value. About half of what a page's extensions are written in is
// values.
func (p *extensionParser) kept(text []byte) string {
	if free := p.values.Cap() - p.values.Len(); free < len(text) {
		p.values.Reset()
		p.values.Grow(max(len(p.b)/2, len(text)))
	}
	start := p.values.Len()
	p.values.Write(text)
	return p.values.String()[start:]
}

func (p *extensionParser) noticeAt(from int) notice {
	return func(kind FaultKind, at int, detail string) { p.report(kind, from+at, detail) }
}

// attributes calls each for the attributes of a tag, namespaces left out.
func (p *extensionParser) attributes(t token, each func(name []byte, value string)) error {
	body := t.body(p.b)
	for at := 0; ; {
		a, next, err := nextAttribute(body, at)
		if err != nil || a.name == nil {
			return err
		}
		if !bytes.HasPrefix(a.name, []byte("xmlns")) {
			from := t.bodyAt + a.valueAt
			each(a.name, p.decoded(from, from+len(a.value)))
		}
		at = next
	}
}

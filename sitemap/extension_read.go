package sitemap

import (
	"bytes"
	"strings"
)

// Extensions parses what the entry has beside the protocol's four fields. Into
// is emptied first and its memory used again, so one value serves a whole file;
// its strings are copies and stay true. The error is a [*Fault] and names what
// is not well-formed, by offset in the file; into then holds what came before.
func (e *Entry) Extensions(into *Extensions) error {
	return e.parseExtensions(into, ignore)
}

func (e *Entry) parseExtensions(into *Extensions, report notice) error {
	into.reset()
	if len(e.extension) == 0 {
		return nil
	}
	p := extensionParser{b: e.extension, text: string(e.extension), into: into, report: report}
	var err error
	if p.scope, err = e.scope.declare(e.tag); err == nil {
		err = p.parse()
	}
	if err == nil {
		return nil
	}
	return &Fault{Kind: NotWellFormed, Offset: e.offset, Line: e.Line(), Column: 1, Element: "url", Detail: err.Error()}
}

// inspectExtensions looks through the extensions for faults only.
func (x *xmlReader) inspectExtensions() {
	report := x.noticeAt(x.extension.from, x.entryName())
	if err := x.entry.parseExtensions(&x.inspected, report); err != nil {
		x.tolerate(NotWellFormed, x.extension.from, x.entryName(), err.Error())
	}
}

// An extensionParser reads the span of an entry in which its extensions lie. The
// span is copied once; values without references are parts of the copy.
type extensionParser struct {
	b      []byte
	text   string
	scope  scope
	into   *Extensions
	report notice
}

func (p *extensionParser) parse() error {
	for at := 0; at < len(p.b); {
		t, err := scanToken(p.b, at)
		if err != nil {
			return err
		}
		at = t.end
		if t.kind != startToken {
			continue
		}
		outer := len(p.scope)
		if bytes.Contains(t.body(p.b), []byte("xmlns")) {
			if p.scope, err = p.scope.declare(t.body(p.b)); err != nil {
				return err
			}
		}
		if at, err = p.element(t); err != nil {
			return err
		}
		p.scope = p.scope[:outer]
	}
	return nil
}

// element reads one child of the entry and returns the position behind it.
func (p *extensionParser) element(t token) (end int, err error) {
	prefix, local := splitName(t.name(p.b))
	v, _ := p.scope.vocabulary(prefix)
	switch {
	case v == imageVocabulary && string(local) == "image":
		p.into.Images = append(p.into.Images, Image{})
		return p.image(t, &p.into.Images[len(p.into.Images)-1])
	case v == videoVocabulary && string(local) == "video":
		p.into.Videos = append(p.into.Videos, Video{})
		return p.video(t, &p.into.Videos[len(p.into.Videos)-1])
	case v == newsVocabulary && string(local) == "news":
		p.into.News = append(p.into.News, News{})
		return p.news(t, &p.into.News[len(p.into.News)-1])
	case v == xhtmlVocabulary && string(local) == "link":
		return p.alternate(t)
	case v == pageMapVocabulary && string(local) == "PageMap":
		return p.pageMap(t)
	case v == mobileVocabulary && string(local) == "mobile":
		p.into.Mobile = true
		return p.skip(t)
	case v == core || len(prefix) == 0 && v == foreign:
		switch string(local) {
		case "loc", "lastmod", "changefreq", "priority":
			return p.skip(t)
		}
	}
	return p.verbatim(t, &p.into.Other)
}

// each calls child for every child element of the element that t opens; child
// returns the position behind it. The result is the position behind the element.
func (p *extensionParser) each(t token, child func(local string, t token) (end int, err error)) (int, error) {
	if t.selfClosing {
		return t.end, nil
	}
	for at := t.end; at < len(p.b); {
		inner, err := scanToken(p.b, at)
		if err != nil {
			return 0, err
		}
		at = inner.end
		switch inner.kind {
		case endToken:
			return at, nil
		case startToken:
			_, local := splitName(inner.name(p.b))
			from := inner.nameEnd - len(local)
			if at, err = child(p.text[from:inner.nameEnd], inner); err != nil {
				return 0, err
			}
		case textToken:
			if text := bytes.TrimSpace(inner.body(p.b)); len(text) > 0 {
				p.report(StrayText, inner.bodyAt, evidence(text))
			}
		}
	}
	return 0, errIncomplete
}

// leaf reads the text of the element that t opens into a string that is still
// empty; a second element of the name does not count.
func (p *extensionParser) leaf(t token, into *string) (end int, err error) {
	text, end, err := p.textOf(t)
	if *into == "" {
		*into = text
	} else if err == nil {
		p.report(DuplicateChild, t.nameAt, evidence(t.name(p.b)))
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
	var mixed []byte
	for at := t.end; at < len(p.b); {
		inner, err := scanToken(p.b, at)
		if err != nil {
			return "", 0, err
		}
		at = inner.end
		switch inner.kind {
		case endToken:
			return string(bytes.TrimSpace(mixed)), at, nil
		case textToken:
			mixed = unescape(mixed, inner.body(p.b), p.noticeAt(inner.bodyAt))
		case cdataToken:
			mixed = append(mixed, inner.body(p.b)...)
		case startToken:
			p.report(NestedTag, inner.nameAt, evidence(inner.name(p.b)))
			if at, err = p.skip(inner); err != nil {
				return "", 0, err
			}
		}
	}
	return "", 0, errIncomplete
}

// decoded returns a text of the span, decoded and trimmed.
func (p *extensionParser) decoded(from, to int) string {
	if plain(p.b[from:to]) {
		return p.text[from:to]
	}
	if bytes.IndexByte(p.b[from:to], '&') < 0 {
		return strings.TrimSpace(p.text[from:to])
	}
	return strings.TrimSpace(string(unescape(nil, p.b[from:to], p.noticeAt(from))))
}

func (p *extensionParser) noticeAt(from int) notice {
	return func(kind FaultKind, at int, detail string) { p.report(kind, from+at, detail) }
}

// attributes calls each for the attributes of a tag, namespaces left out.
func (p *extensionParser) attributes(t token, each func(name, value string)) error {
	body := t.body(p.b)
	for at := 0; ; {
		a, next, err := nextAttribute(body, at)
		if err != nil || a.name == nil {
			return err
		}
		if !bytes.HasPrefix(a.name, []byte("xmlns")) {
			name, value := t.bodyAt+a.nameAt, t.bodyAt+a.valueAt
			each(p.text[name:name+len(a.name)], p.decoded(value, value+len(a.value)))
		}
		at = next
	}
}

// skip passes an element; the reader has seen to it that its tags match.
func (p *extensionParser) skip(t token) (end int, err error) {
	return p.each(t, func(_ string, inner token) (int, error) { return p.skip(inner) })
}

// verbatim keeps an element as it is, with the namespaces it uses and does not
// declare. Only broken references are mended: they could not be written again.
func (p *extensionParser) verbatim(t token, into *[]Element) (int, error) {
	var e Element
	from := t.nameAt - 1
	text := make([]byte, 0, 64)
	for at, depth := from, 0; ; {
		inner, err := scanToken(p.b, at)
		if err != nil {
			return 0, err
		}
		piece := p.b[at:inner.end]
		switch inner.kind {
		case startToken:
			if !inner.selfClosing {
				depth++
			}
			p.collect(inner, &e.Namespaces)
			text = p.mended(text, piece, at)
		case textToken:
			text = p.mended(text, piece, at)
		case endToken:
			depth--
			text = append(text, piece...)
		default:
			text = append(text, piece...)
		}
		at = inner.end
		if depth == 0 {
			e.XML = string(text)
			*into = append(*into, e)
			return at, nil
		}
		if at == len(p.b) {
			return 0, errIncomplete
		}
	}
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
			p.report(BareAmpersand, from+at, "")
			dst = append(dst, "&amp;"...)
			at++
			continue
		}
		resolved, known := resolve(nil, reference)
		if known {
			resolved = reference
		} else {
			p.report(UndeclaredEntity, from+at, evidence(reference))
			resolved = appendEscaped(nil, string(resolved))
		}
		dst = append(dst, resolved...)
		at += len(reference)
	}
}

// collect adds the namespaces that a tag uses and that stand outside of it.
func (p *extensionParser) collect(t token, into *[]Namespace) {
	prefix, _ := splitName(t.name(p.b))
	p.use(prefix, into)
	body := t.body(p.b)
	for at := 0; ; {
		a, next, err := nextAttribute(body, at)
		if err != nil || a.name == nil {
			return
		}
		at = next
		if prefix, _ := splitName(a.name); len(prefix) > 0 && string(prefix) != "xmlns" && string(prefix) != "xml" {
			p.use(prefix, into)
		}
	}
}

func (p *extensionParser) use(prefix []byte, into *[]Namespace) {
	for _, n := range *into {
		if n.Prefix == string(prefix) {
			return
		}
	}
	bound, found := p.scope.find(prefix)
	if !found {
		bound = binding{prefix: string(prefix), uri: canonical[usualPrefix(string(prefix))].uri}
	}
	if len(prefix) > 0 || found && bound.vocabulary != core {
		*into = append(*into, Namespace{bound.prefix, bound.uri})
	}
}

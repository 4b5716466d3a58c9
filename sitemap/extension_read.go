package sitemap

import (
	"bytes"
	"strings"
	"unicode/utf8"
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
	text := x.entry.extension
	if !utf8.Valid(text) {
		report(InvalidUTF8, 0, "")
	}
	if i := bytes.IndexFunc(text, isControl); i >= 0 {
		report(ControlCharacter, i, "")
	}
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
			if at, err = child(p.localIn(t, inner), inner); err != nil {
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

// localIn is the local name of an element inside another, or empty when it has
// a prefix that stands for another vocabulary.
func (p *extensionParser) localIn(outer, inner token) string {
	prefix, local := splitName(inner.name(p.b))
	around, _ := splitName(outer.name(p.b))
	if len(prefix) > 0 && !bytes.Equal(prefix, around) {
		v, _ := p.scope.vocabulary(prefix)
		if of, _ := p.scope.vocabulary(around); v != of {
			return ""
		}
	}
	return p.text[inner.nameEnd-len(local) : inner.nameEnd]
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
	open := 0
	for {
		switch {
		case t.kind == startToken && !t.selfClosing:
			open++
		case t.kind == endToken:
			open--
		}
		if open == 0 {
			return t.end, nil
		}
		if t.end == len(p.b) {
			return 0, errIncomplete
		}
		if t, err = scanToken(p.b, t.end); err != nil {
			return 0, err
		}
	}
}

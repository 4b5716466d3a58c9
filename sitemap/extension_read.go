package sitemap

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mapatools/mapa/sitemap/internal/swar"
	"github.com/mapatools/mapa/sitemap/internal/xmlscan"
	"github.com/mapatools/mapa/sitemap/internal/xmltext"
)

// Extensions parses what the entry has in addition to the protocol's four fields.
// into is emptied first and its memory used again, so one value serves a whole
// file; its strings are copies and stay valid. The error is a [*Fault] at the place
// of the entry: [FaultNotWellFormed] where tags do not match or an attribute is
// broken, which the reader itself notices only with OnFault or Strict, or
// [FaultCeilingReached]. into then holds what came before.
func (e *Entry) Extensions(into *Extensions) error {
	return e.parseExtensions(into, nil)
}

// A notice receives a tolerated fault and its position in the bytes being read.
type notice func(kind FaultKind, at int, detail string)

func ignore(FaultKind, int, string) {}

// parseExtensions does the work of Extensions and reports tolerated faults, unless
// report is nil.
func (e *Entry) parseExtensions(into *Extensions, report notice) error {
	into.reset()
	if len(e.extension) == 0 {
		return nil
	}
	p := extensionParser{b: e.extension, into: into, report: report, inspecting: report != nil, maxDepth: e.depth}
	if report == nil {
		p.report = ignore
	}
	var err error
	if p.scope, err = e.scope.declare(e.tag); err == nil {
		err = p.parse()
	}
	if err == nil {
		return nil
	}
	kind := FaultNotWellFormed
	if err == errDepth {
		kind = FaultCeilingReached
	}
	return &Fault{Kind: kind, Offset: e.offset, Line: e.Line(), Column: 1, Element: "url", Detail: err.Error()}
}

// inspectExtensions looks through the extensions for faults only.
func (x *xmlReader) inspectExtensions() {
	report := x.noticeAt(x.extension.From, x.entryName())
	text := x.entry.extension
	if !utf8.Valid(text) {
		report(FaultInvalidUTF8, 0, "")
	}
	if i := bytes.IndexFunc(text, xmltext.IsControl); i >= 0 {
		report(FaultControlCharacter, i, "")
	}
	if err := x.entry.parseExtensions(&x.inspected, report); err != nil {
		x.tolerate(FaultNotWellFormed, x.extension.From, x.entryName(), err.Error())
	}
}

// An extensionParser reads the span of an entry that has its extensions.
type extensionParser struct {
	b          []byte
	values     strings.Builder // all values are parts of it
	scope      scope
	into       *Extensions
	report     notice
	inspecting bool // faults are reported
	depth      int  // elements open around the one being read
	maxDepth   int  // that may be open

	prefix     []byte // the last one that was looked up in the scope
	vocabulary vocabulary

	linkHead []byte // how the last usual link begins, up to its language
	linkRel  string // which relation that says
}

var errDepth = errors.New("elements nested too deep")

// parse reads the children of the entry.
func (p *extensionParser) parse() error {
	for at := xmltext.AfterSpace(p.b, 0); at < len(p.b); at = xmltext.AfterSpace(p.b, at) {
		if end := p.nextLink(at); end > 0 {
			at = end
			continue
		}
		t, local := p.usualTag(at, p.prefix)
		if local == nil {
			if end := p.usualLink(at); end > 0 {
				at = end
				continue
			}
			var err error
			if t, err = xmlscan.Scan(p.b, at); err != nil {
				return err
			}
		}
		var err error
		switch at = t.End; t.Kind {
		case xmlscan.StartTag:
			if at, err = p.child(t); err != nil {
				return err
			}
		case xmlscan.EndTag:
			return fmt.Errorf("</%s> without a start tag", excerpt(t.Name(p.b)))
		}
	}
	return nil
}

// child reads one child of the entry with the namespaces that its tag
// declares, and returns the position after it.
func (p *extensionParser) child(t xmlscan.Token) (end int, err error) {
	if !bytes.Contains(t.Body(p.b), []byte("xmlns")) {
		return p.element(t)
	}
	outer := len(p.scope)
	p.prefix = nil
	if p.scope, err = p.scope.declare(t.Body(p.b)); err != nil {
		return 0, err
	}
	end, err = p.element(t)
	p.scope, p.prefix = p.scope[:outer], nil
	return end, err
}

// vocabularyOf returns the vocabulary of a prefix. Extensions come in groups, so the
// last answer serves for most.
func (p *extensionParser) vocabularyOf(prefix []byte) vocabulary {
	if len(p.prefix) == 0 || !bytes.Equal(prefix, p.prefix) {
		p.prefix = prefix
		p.vocabulary = p.scope.vocabulary(prefix)
	}
	return p.vocabulary
}

// element reads one child of the entry and returns the position after it.
func (p *extensionParser) element(t xmlscan.Token) (end int, err error) {
	if err = p.enter(t); err != nil {
		return 0, err
	}
	prefix, local := xmlscan.SplitName(t.Name(p.b))
	v := p.vocabularyOf(prefix)
	switch {
	case v == imageVocabulary && string(local) == "image":
		p.into.Images = extend(p.into.Images)
		return p.image(t, &p.into.Images[len(p.into.Images)-1])
	case v == videoVocabulary && string(local) == "video":
		p.into.Videos = extend(p.into.Videos)
		return p.video(t, &p.into.Videos[len(p.into.Videos)-1])
	case v == newsVocabulary && string(local) == "news":
		p.into.News = extend(p.into.News)
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
	if v > core {
		p.report(FaultExtensionElement, t.NameAt, excerpt(t.Name(p.b)))
	}
	return p.verbatim(t, &p.into.Other)
}

// enter checks that an element is not nested too deep.
func (p *extensionParser) enter(t xmlscan.Token) error {
	if p.depth >= p.maxDepth && !t.SelfClosing {
		return errDepth
	}
	return nil
}

// each calls child for every child element of the element that t opens; child
// returns the position after it. The result is the position after the element.
// The first child that is out of order, where there is one, is reported.
func (p *extensionParser) each(t xmlscan.Token, o sequence,
	child func(local []byte, t xmlscan.Token) (end int, err error)) (int, error) {
	if t.SelfClosing {
		return t.End, nil
	}
	p.depth++
	name := t.Name(p.b)
	prefix, _ := xmlscan.SplitName(name)
	last := 0
	for at := xmltext.AfterSpace(p.b, t.End); at < len(p.b); at = xmltext.AfterSpace(p.b, at) {
		if after, closes := xmlscan.ClosesAt(p.b, at, name); closes {
			p.depth--
			return after, nil
		}
		if inner, local := p.usualTag(at, prefix); local != nil {
			if err := p.enter(inner); err != nil {
				return 0, err
			}
			if p.inspecting {
				last = p.place(o, last, local, inner)
			}
			var err error
			if at, err = child(local, inner); err != nil {
				return 0, err
			}
			continue
		}
		inner, err := xmlscan.Scan(p.b, at)
		if err != nil {
			return 0, err
		}
		switch at = inner.End; inner.Kind {
		case xmlscan.EndTag:
			p.depth--
			return at, p.closes(inner, t)
		case xmlscan.StartTag:
			if err = p.enter(inner); err == nil {
				local := p.localIn(prefix, inner)
				if p.inspecting {
					last = p.place(o, last, local, inner)
				}
				at, err = child(local, inner)
			}
			if err != nil {
				return 0, err
			}
		case xmlscan.Text:
			if text := bytes.TrimSpace(inner.Body(p.b)); len(text) > 0 {
				p.report(FaultStrayText, inner.BodyAt, excerpt(text))
			}
		}
	}
	return 0, p.unclosed(t)
}

// usualTag scans a start tag without attributes whose name has the prefix of the
// element around it. local is nil for anything else.
func (p *extensionParser) usualTag(at int, around []byte) (t xmlscan.Token, local []byte) {
	b := p.b
	nameAt := at + len("<")
	localAt := nameAt + len(around) + len(":")
	if len(around) == 0 || localAt > len(b) || b[at] != '<' || b[localAt-1] != ':' ||
		string(b[nameAt:localAt-1]) != string(around) {
		return xmlscan.Token{}, nil
	}
	end := localAt
	for ; end+8 <= len(b); end += 8 {
		if stop := noNameBytes(binary.LittleEndian.Uint64(b[end : end+8])); stop != 0 {
			end += bits.TrailingZeros64(stop) / 8
			break
		}
	}
	if end >= len(b) || b[end] != '>' || end == localAt {
		return xmlscan.Token{}, nil
	}
	return xmlscan.Token{Kind: xmlscan.StartTag, End: end + 1, NameAt: nameAt, NameEnd: end, BodyAt: end, BodyEnd: end},
		b[localAt:end]
}

// noNameBytes marks, by their highest bits, the bytes of a word before @ in ASCII,
// which no name of a vocabulary has, and those after ASCII. The first mark is
// exact, later ones may be wrong.
func noNameBytes(x uint64) uint64 { return (x | (x - '@'*swar.Ones)) & swar.HighBits }

// extend returns s with an empty element more, in memory of earlier ones.
func extend[T any](s []T) []T {
	if len(s) == cap(s) {
		s = slices.Grow(s, 1)
	}
	s = s[:len(s)+1]
	clear(s[len(s)-1:])
	return s
}

// closes checks that an end tag is that of an element.
func (p *extensionParser) closes(end, start xmlscan.Token) error {
	got, want := end.Name(p.b), start.Name(p.b)
	if bytes.Equal(got, want) {
		return nil
	}
	return fmt.Errorf("</%s> instead of </%s>", excerpt(got), excerpt(want))
}

func (p *extensionParser) unclosed(t xmlscan.Token) error {
	return fmt.Errorf("<%s> does not end", excerpt(t.Name(p.b)))
}

// localIn is the local name of an element inside another, or nil when it has
// a prefix of another vocabulary than the element around it.
func (p *extensionParser) localIn(around []byte, inner xmlscan.Token) []byte {
	name := inner.Name(p.b)
	if n := len(around); n > 0 && len(name) > n && name[n] == ':' && string(name[:n]) == string(around) {
		return name[n+1:]
	}
	prefix, local := xmlscan.SplitName(name)
	if len(prefix) > 0 && !bytes.Equal(prefix, around) {
		v := p.scope.vocabulary(prefix)
		if of := p.scope.vocabulary(around); v != of {
			return nil
		}
	}
	return local
}

// skip passes an element with its content.
func (p *extensionParser) skip(t xmlscan.Token) (end int, err error) {
	if t.SelfClosing {
		return t.End, nil
	}
	open := []xmlscan.Token{t}
	for at := t.End; at < len(p.b); {
		inner, err := xmlscan.Scan(p.b, at)
		if err != nil {
			return 0, err
		}
		at = inner.End
		switch inner.Kind {
		case xmlscan.StartTag:
			if p.depth+len(open) >= p.maxDepth && !inner.SelfClosing {
				return 0, errDepth
			}
			if !inner.SelfClosing {
				open = append(open, inner)
			}
		case xmlscan.EndTag:
			last := len(open) - 1
			if err := p.closes(inner, open[last]); err != nil {
				return 0, err
			}
			if open = open[:last]; last == 0 {
				return at, nil
			}
		}
	}
	return 0, p.unclosed(open[len(open)-1])
}

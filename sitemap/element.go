package sitemap

import (
	"bytes"
	"fmt"

	"github.com/mapatools/mapa/sitemap/internal/xmlscan"
	"github.com/mapatools/mapa/sitemap/internal/xmltext"
)

// appendText appends the decoded text of the element that t opens, without the
// elements and comments in it, and returns the position after the element. A tag for which
// outside returns true, if it is not nil, ends a text whose end tag is missing.
func (r *Reader) appendText(
	dst []byte, t xmlscan.Token, element string, outside func(xmlscan.Token) bool,
) (text []byte, end int, err error) {
	if t.SelfClosing {
		return dst, t.End, nil
	}
	for at := t.End; ; {
		stop, ok := r.window.IndexByte(at, '<')
		if !ok {
			return dst, 0, r.readError(t.NameAt)
		}
		dst = xmltext.Unescape(dst, r.window.Bytes()[at:stop], r.problemsAt(at, element))
		inner, err := r.token(stop)
		if err != nil {
			return dst, 0, err
		}
		b := r.window.Bytes()
		if outside != nil && outside(inner) {
			r.tolerate(FaultUnclosedValue, t.NameAt-len("<"), element, "")
			return bytes.TrimRight(dst, xmltext.Whitespace), stop, nil
		}
		at = inner.End
		switch inner.Kind {
		case xmlscan.EndTag:
			if !bytes.Equal(inner.Name(b), t.Name(b)) {
				return dst, 0, r.mismatch(inner, t.Name(b))
			}
			return dst, inner.End, nil
		case xmlscan.CDATA:
			dst = append(dst, inner.Body(b)...)
		case xmlscan.StartTag:
			r.tolerate(FaultNestedTag, inner.NameAt, element, excerpt(inner.Name(b)))
			if at, err = r.skip(inner); err != nil {
				return dst, 0, err
			}
		case xmlscan.Declaration:
			return dst, 0, r.faultAt(FaultNotWellFormed, stop, "", "a DOCTYPE inside the root element")
		}
	}
}

func (r *Reader) noticeAt(from int, element string) notice {
	return func(kind FaultKind, at int, detail string) { r.tolerate(kind, from+at, element, detail) }
}

// problemsAt returns a report of the references in the text of an element that
// begins at a position.
func (r *Reader) problemsAt(from int, element string) xmltext.Report {
	return func(problem xmltext.Problem, at int, reference []byte) {
		if r.inspecting() {
			r.tolerate(problemKinds[problem], from+at, element, excerpt(reference))
		}
	}
}

var problemKinds = [...]FaultKind{
	xmltext.BareAmpersand:    FaultBareAmpersand,
	xmltext.UndeclaredEntity: FaultUndeclaredEntity,
}

func (r *Reader) mismatch(t xmlscan.Token, want []byte) error {
	got := t.Name(r.window.Bytes())
	return r.faultAt(FaultNotWellFormed, t.NameAt-2, "",
		fmt.Sprintf("</%s> instead of </%s>", excerpt(got), excerpt(want)))
}

// skip passes an element with all that it holds, as long as its tags match.
func (r *Reader) skip(t xmlscan.Token) (int, error) {
	if t.SelfClosing {
		return t.End, nil
	}
	r.nested = append(r.nested[:0], t.NameAt)
	at := t.End
	for {
		at = r.skipPlain(at)
		if len(r.nested) == 0 {
			return at, nil
		}
		stop, ok := r.window.IndexByte(at, '<')
		if !ok {
			return 0, r.readError(t.NameAt)
		}
		inner := r.nested[len(r.nested)-1]
		next, err := r.token(stop)
		if err != nil {
			return 0, err
		}
		at = next.End
		switch next.Kind {
		case xmlscan.StartTag:
			if !next.SelfClosing {
				r.nested = append(r.nested, next.NameAt)
			}
			if len(r.nested) > r.options.Ceilings.Depth {
				return 0, r.faultAt(FaultCeilingReached, next.NameAt, "", "elements nested too deep")
			}
		case xmlscan.EndTag:
			b := r.window.Bytes()
			if name := xmlscan.NameAt(b, inner); string(next.Name(b)) != string(name) {
				return 0, r.mismatch(next, name)
			}
			r.nested = r.nested[:len(r.nested)-1]
			if len(r.nested) == 0 {
				return at, nil
			}
		case xmlscan.Declaration:
			return 0, r.faultAt(FaultNotWellFormed, stop, "", "a DOCTYPE inside the root element")
		}
	}
}

// skipPlain passes as many tags of the open elements as are written in the usual
// way and are in the window: nearly all. It returns the position after them.
func (r *Reader) skipPlain(at int) int {
	b := r.window.Bytes()
	for len(r.nested) > 0 {
		stop := bytes.IndexByte(b[at:], '<')
		if stop < 0 || at+stop+1 == len(b) {
			return at
		}
		stop += at
		if b[stop+1] == '/' {
			after := xmlscan.ClosesName(b, stop, r.nested[len(r.nested)-1])
			if after == 0 {
				return at
			}
			r.nested = r.nested[:len(r.nested)-1]
			at = after
			continue
		}
		end := xmlscan.PlainTag(b[stop+1:])
		if end == 0 || len(r.nested) >= r.options.Ceilings.Depth {
			return at
		}
		if end += stop + 1; b[end-2] != '/' {
			r.nested = append(r.nested, stop+1)
		}
		at = end
	}
	return at
}

// epilog checks what follows the root element: only comments and processing
// instructions may (XML 1.0, section 2.1).
func (r *Reader) epilog() error {
	r.requireEntries()
	for {
		b := r.window.Bytes()
		rest := bytes.TrimLeft(b, xmltext.Whitespace)
		r.window.Release(len(b) - len(rest))
		if len(rest) == 0 {
			if r.window.More() {
				continue
			}
			return r.finish()
		}
		t, err := r.token(0)
		if err != nil || t.Kind != xmlscan.Comment && t.Kind != xmlscan.Instruction {
			r.window.Need(0, longestExcerpt+1)
			r.tolerate(FaultTrailingContent, 0, "", excerpt(r.window.Bytes()))
			return r.finish()
		}
		r.pass(t)
		r.window.Release(t.End)
	}
}

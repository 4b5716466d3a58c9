package sitemap

import (
	"bytes"
	"fmt"
)

// appendText appends the decoded text of the element that t opens, whatever
// stands between, and returns the position behind it.
func (r *Reader) appendText(dst []byte, t token, element string) (text []byte, end int, err error) {
	if t.selfClosing {
		return dst, t.end, nil
	}
	for at := t.end; ; {
		stop, ok := r.window.indexByte(at, '<')
		if !ok {
			return dst, 0, r.broken(t.nameAt)
		}
		dst = unescape(dst, r.window.bytes()[at:stop], r.noticeAt(at, element))
		inner, err := r.token(stop)
		if err != nil {
			return dst, 0, err
		}
		b := r.window.bytes()
		at = inner.end
		switch inner.kind {
		case endToken:
			if !bytes.Equal(inner.name(b), t.name(b)) {
				return dst, 0, r.mismatch(inner, t.name(b))
			}
			return dst, inner.end, nil
		case cdataToken:
			dst = append(dst, inner.body(b)...)
		case startToken:
			r.tolerate(NestedTag, inner.nameAt, element, evidence(inner.name(b)))
			if at, err = r.skip(inner); err != nil {
				return dst, 0, err
			}
		case declarationToken:
			return dst, 0, r.faultAt(NotWellFormed, stop, "", "a DOCTYPE inside the root element")
		}
	}
}

func (r *Reader) noticeAt(from int, element string) notice {
	return func(kind FaultKind, at int, detail string) { r.tolerate(kind, from+at, element, detail) }
}

func (r *Reader) mismatch(t token, want []byte) error {
	got := t.name(r.window.bytes())
	return r.faultAt(NotWellFormed, t.nameAt-2, "",
		fmt.Sprintf("</%s> where </%s> should be", evidence(got), evidence(want)))
}

// skip passes an element with all that it holds, as long as its tags match.
func (r *Reader) skip(t token) (int, error) {
	if t.selfClosing {
		return t.end, nil
	}
	r.nested = append(r.nested[:0], span{t.nameAt, t.nameEnd})
	at := t.end
	for {
		stop, ok := r.window.indexByte(at, '<')
		if !ok {
			return 0, r.broken(t.nameAt)
		}
		b := r.window.bytes()
		inner := r.nested[len(r.nested)-1]
		if behind, closes := closesAt(b, stop, b[inner.from:inner.to]); closes {
			r.nested = r.nested[:len(r.nested)-1]
			if len(r.nested) == 0 {
				return behind, nil
			}
			at = behind
			continue
		}
		if nameEnd := bareTag(b, stop); nameEnd > 0 && len(r.nested) < r.options.Ceilings.Depth {
			r.nested = append(r.nested, span{stop + 1, nameEnd})
			at = nameEnd + 1
			continue
		}
		next, err := r.token(stop)
		if err != nil {
			return 0, err
		}
		at = next.end
		switch next.kind {
		case startToken:
			if !next.selfClosing {
				r.nested = append(r.nested, span{next.nameAt, next.nameEnd})
			}
			if len(r.nested) > r.options.Ceilings.Depth {
				return 0, r.faultAt(CeilingReached, next.nameAt, "", "elements nested too deep")
			}
		case endToken:
			b := r.window.bytes()
			if name := b[inner.from:inner.to]; string(next.name(b)) != string(name) {
				return 0, r.mismatch(next, name)
			}
			r.nested = r.nested[:len(r.nested)-1]
			if len(r.nested) == 0 {
				return at, nil
			}
		case declarationToken:
			return 0, r.faultAt(NotWellFormed, stop, "", "a DOCTYPE inside the root element")
		}
	}
}

// closesAt reports whether the end tag of name, in its usual spelling, stands at
// a position, and the position behind it.
func closesAt(b []byte, at int, name []byte) (behind int, ok bool) {
	behind = at + len(name) + 3
	return behind, behind <= len(b) && b[at+1] == '/' && b[behind-1] == '>' && string(b[at+2:behind-1]) == string(name)
}

// bareTag returns where the name of a start tag without attributes ends, before
// its >, or 0 where something else stands at the position.
func bareTag(b []byte, at int) (nameEnd int) {
	if at+1 == len(b) || !isNameStart(b[at+1]) {
		return 0
	}
	for i, c := range b[at+1:] {
		if endsName[c] {
			if c == '>' {
				return at + 1 + i
			}
			return 0
		}
	}
	return 0
}

// epilog checks what lies behind the root element: comments and processing
// instructions may (XML 1.0, section 2.1).
func (r *Reader) epilog() error {
	for {
		b := r.window.bytes()
		rest := bytes.TrimLeft(b, whitespace)
		r.window.release(len(b) - len(rest))
		if len(rest) == 0 {
			if r.window.more() {
				continue
			}
			return r.finish()
		}
		t, err := r.token(0)
		if err != nil || t.kind != commentToken && t.kind != instructionToken {
			r.window.need(0, longestEvidence+1)
			r.tolerate(TrailingContent, 0, "", evidence(r.window.bytes()))
			return r.finish()
		}
		r.window.release(t.end)
	}
}

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
			r.tolerate(FaultNestedTag, inner.nameAt, element, evidence(inner.name(b)))
			if at, err = r.skip(inner); err != nil {
				return dst, 0, err
			}
		case declarationToken:
			return dst, 0, r.faultAt(FaultNotWellFormed, stop, "", "a DOCTYPE inside the root element")
		}
	}
}

func (r *Reader) noticeAt(from int, element string) notice {
	return func(kind FaultKind, at int, detail string) { r.tolerate(kind, from+at, element, detail) }
}

func (r *Reader) mismatch(t token, want []byte) error {
	got := t.name(r.window.bytes())
	return r.faultAt(FaultNotWellFormed, t.nameAt-2, "",
		fmt.Sprintf("</%s> where </%s> should be", evidence(got), evidence(want)))
}

// skip passes an element with all that it holds, as long as its tags match.
func (r *Reader) skip(t token) (int, error) {
	if t.selfClosing {
		return t.end, nil
	}
	r.nested = append(r.nested[:0], t.nameAt)
	at := t.end
	for {
		at = r.skipPlain(at)
		if len(r.nested) == 0 {
			return at, nil
		}
		stop, ok := r.window.indexByte(at, '<')
		if !ok {
			return 0, r.broken(t.nameAt)
		}
		inner := r.nested[len(r.nested)-1]
		next, err := r.token(stop)
		if err != nil {
			return 0, err
		}
		at = next.end
		switch next.kind {
		case startToken:
			if !next.selfClosing {
				r.nested = append(r.nested, next.nameAt)
			}
			if len(r.nested) > r.options.Ceilings.Depth {
				return 0, r.faultAt(FaultCeilingReached, next.nameAt, "", "elements nested too deep")
			}
		case endToken:
			b := r.window.bytes()
			if name := nameAt(b, inner); string(next.name(b)) != string(name) {
				return 0, r.mismatch(next, name)
			}
			r.nested = r.nested[:len(r.nested)-1]
			if len(r.nested) == 0 {
				return at, nil
			}
		case declarationToken:
			return 0, r.faultAt(FaultNotWellFormed, stop, "", "a DOCTYPE inside the root element")
		}
	}
}

// closesAt reports whether the end tag of name, in its usual spelling, stands at
// a position, and the position behind it.
func closesAt(b []byte, at int, name []byte) (behind int, ok bool) {
	behind = at + len(name) + 3
	return behind, behind <= len(b) && b[at+1] == '/' && b[behind-1] == '>' && string(b[at+2:behind-1]) == string(name)
}

// skipPlain passes as many tags of the open elements as are spelled in the usual
// way and lie in the window: nearly all. It returns the position behind them.
func (r *Reader) skipPlain(at int) int {
	b := r.window.bytes()
	for len(r.nested) > 0 {
		stop := bytes.IndexByte(b[at:], '<')
		if stop < 0 || at+stop+1 == len(b) {
			return at
		}
		stop += at
		if b[stop+1] == '/' {
			behind := closedBy(b, r.nested[len(r.nested)-1], stop)
			if behind == 0 {
				return at
			}
			r.nested = r.nested[:len(r.nested)-1]
			at = behind
			continue
		}
		end := plainTag(b[stop+1:])
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

// closedBy returns the position behind the end tag that begins at stop, if it is
// that of the element whose name begins at name, or else 0.
func closedBy(b []byte, name, stop int) int {
	length := bytes.IndexByte(b[stop+2:], '>')
	if length <= 0 || string(b[name:name+length]) != string(b[stop+2:stop+2+length]) || !endsName[b[name+length]] {
		return 0
	}
	return stop + 2 + length + 1
}

// nameAt returns the name that begins at a position of a tag.
func nameAt(b []byte, at int) []byte {
	end := at
	for !endsName[b[end]] {
		end++
	}
	return b[at:end]
}

// plainTag measures a start tag whose values stand in double quotes and hold no
// markup. b begins behind its <; the result is 0 where the tag is spelled
// otherwise, or goes on behind b.
func plainTag(b []byte) (end int) {
	end = bytes.IndexByte(b, '>')
	if end <= 0 || !isNameStart(b[0]) {
		return 0
	}
	tag := b[:end]
	if bytes.IndexByte(tag, '"') >= 0 && bytes.Count(tag, quote)%2 != 0 ||
		bytes.IndexByte(tag, '\'') >= 0 || bytes.IndexByte(tag, '<') >= 0 {
		return 0
	}
	return end + 1
}

var quote = []byte{'"'}

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
			r.tolerate(FaultTrailingContent, 0, "", evidence(r.window.bytes()))
			return r.finish()
		}
		r.pass(t)
		r.window.release(t.end)
	}
}

package sitemap

import (
	"bytes"
	"errors"
)

// whitespace is what XML 1.0, section 2.3, calls S.
const whitespace = " \t\r\n"

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// afterSpace returns the position of the first byte at or behind b[at] that is no
// white space.
func afterSpace(b []byte, at int) int {
	for at < len(b) && isSpace(b[at]) {
		at++
	}
	return at
}

type tokenKind uint8

const (
	textToken tokenKind = iota // up to the next < or the end
	startToken
	endToken
	commentToken
	cdataToken
	instructionToken // <?...?>
	declarationToken // <!DOCTYPE...>
)

// A token is one piece of markup; its positions are relative to the bytes it
// was scanned from, so that they outlive a move of the window.
type token struct {
	kind        tokenKind
	selfClosing bool
	end         int // of the whole token
	nameAt      int // of a tag
	nameEnd     int
	bodyAt      int // text of a comment or CDATA section, attributes of a tag
	bodyEnd     int
}

func (t token) name(b []byte) []byte { return b[t.nameAt:t.nameEnd] }
func (t token) body(b []byte) []byte { return b[t.bodyAt:t.bodyEnd] }

var (
	errIncomplete = errors.New("the markup does not end")
	errMarkup     = errors.New("a < that begins no markup")
	errInValue    = errors.New("a < in an attribute value") // XML 1.0, section 3.1
	errAttribute  = errors.New("a broken attribute")
)

// scanToken reads the token at b[at:], which must not be empty. errIncomplete
// says that it goes on behind b; a text at the end of b counts as complete.
func scanToken(b []byte, at int) (token, error) {
	if b[at] != '<' {
		end := bytes.IndexByte(b[at:], '<')
		if end < 0 {
			end = len(b) - at
		}
		return token{kind: textToken, end: at + end, bodyAt: at, bodyEnd: at + end}, nil
	}
	if at+1 == len(b) {
		return token{}, errIncomplete
	}
	switch c := b[at+1]; {
	case c == '/':
		return scanEndTag(b, at)
	case c == '!':
		return scanDeclaration(b, at)
	case c == '?':
		return scanDelimited(b, at, instructionToken, "<?", "?>")
	case isNameStart(c):
		return scanStartTag(b, at)
	}
	return token{}, errMarkup
}

func scanEndTag(b []byte, at int) (token, error) {
	end := bytes.IndexByte(b[at:], '>')
	if end < 0 {
		return token{}, errIncomplete
	}
	end += at
	nameEnd := end
	for isSpace(b[nameEnd-1]) {
		nameEnd--
	}
	return token{kind: endToken, end: end + 1, nameAt: at + 2, nameEnd: nameEnd}, nil
}

// stopsTag tells the bytes outside of attribute values that scanStartTag looks at.
var stopsTag = [256]bool{'>': true, '"': true, '\'': true, '<': true}

// endsName tells the bytes that the name of a start tag ends before.
var endsName = [256]bool{' ': true, '\t': true, '\r': true, '\n': true, '>': true, '/': true, '<': true}

// scanStartTag finds the end of the tag with an eye on quotes, since a > may
// stand in a value; the attributes are checked when somebody reads them.
func scanStartTag(b []byte, at int) (token, error) {
	i := at + 1
	for i < len(b) && !endsName[b[i]] {
		i++
	}
	t := token{kind: startToken, nameAt: at + 1, nameEnd: i, bodyAt: i}
	for i < len(b) {
		c := b[i]
		if !stopsTag[c] {
			i++
			continue
		}
		switch c {
		case '>':
			t.end, t.bodyEnd = i+1, i
			if b[i-1] == '/' {
				t.selfClosing = true
				t.bodyEnd--
			}
			return t, nil
		case '"', '\'':
			value, _, closed := bytes.Cut(b[i+1:], b[i:i+1])
			if bytes.IndexByte(value, '<') >= 0 {
				return t, errInValue
			}
			if !closed {
				return t, errIncomplete
			}
			i += len(value) + 1
		case '<':
			return t, errMarkup
		}
		i++
	}
	return t, errIncomplete
}

func scanDeclaration(b []byte, at int) (token, error) {
	rest := b[at:]
	switch {
	case hasPrefixOrIsCut(rest, "<!--"):
		return scanDelimited(b, at, commentToken, "<!--", "-->")
	case hasPrefixOrIsCut(rest, "<![CDATA["):
		return scanDelimited(b, at, cdataToken, "<![CDATA[", "]]>")
	case hasPrefixOrIsCut(rest, "<!DOCTYPE"), hasPrefixOrIsCut(rest, "<!doctype"):
		return scanDoctype(b, at)
	}
	return token{}, errMarkup
}

// hasPrefixOrIsCut reports whether b begins with prefix or could, were it longer.
func hasPrefixOrIsCut(b []byte, prefix string) bool {
	n := min(len(b), len(prefix))
	return string(b[:n]) == prefix[:n]
}

func scanDelimited(b []byte, at int, kind tokenKind, open, closing string) (token, error) {
	body := at + len(open)
	if body > len(b) {
		return token{}, errIncomplete
	}
	n := bytes.Index(b[body:], []byte(closing))
	if n < 0 {
		return token{}, errIncomplete
	}
	return token{kind: kind, end: body + n + len(closing), bodyAt: body, bodyEnd: body + n}, nil
}

// scanDoctype finds the end of a document type declaration, which may hold
// quoted text and an internal subset in brackets.
func scanDoctype(b []byte, at int) (token, error) {
	depth := 0
	for i := at + 2; i < len(b); i++ {
		switch c := b[i]; c {
		case '"', '\'':
			closing := bytes.IndexByte(b[i+1:], c)
			if closing < 0 {
				return token{}, errIncomplete
			}
			i += closing + 1
		case '<':
			if t, err := scanToken(b, i); err == nil && t.kind == commentToken {
				i = t.end - 1
			} else if err == errIncomplete && hasPrefixOrIsCut(b[i:], "<!--") {
				return token{}, err
			}
		case '[':
			depth++
		case ']':
			depth--
		case '>':
			if depth <= 0 {
				return token{kind: declarationToken, end: i + 1, bodyAt: at + 2, bodyEnd: i}, nil
			}
		}
	}
	return token{}, errIncomplete
}

func isNameStart(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == ':' || c >= 0x80
}

// splitName cuts a qualified name at its colon; one at the start parts nothing.
func splitName(name []byte) (prefix, local []byte) {
	if i := bytes.IndexByte(name, ':'); i > 0 {
		return name[:i], name[i+1:]
	}
	return nil, name
}

// An attribute is a name and a value as written, undecoded, and where the name
// and the value begin.
type attribute struct {
	name, value     []byte
	nameAt, valueAt int
}

// nextAttribute reads the attribute at or behind b[at:]; at the end of b its
// name is nil.
func nextAttribute(b []byte, at int) (a attribute, next int, err error) {
	at = afterSpace(b, at)
	if at == len(b) {
		return attribute{}, at, nil
	}
	a.nameAt = at
	for at < len(b) && b[at] != '=' && !isSpace(b[at]) {
		at++
	}
	a.name = b[a.nameAt:at]
	for at < len(b) && isSpace(b[at]) {
		at++
	}
	if len(a.name) == 0 || at == len(b) || b[at] != '=' {
		return a, at, errAttribute
	}
	for at++; at < len(b) && isSpace(b[at]); {
		at++
	}
	if at == len(b) || b[at] != '"' && b[at] != '\'' {
		return a, at, errAttribute
	}
	closing := bytes.IndexByte(b[at+1:], b[at])
	if closing < 0 {
		return a, at, errAttribute
	}
	a.valueAt = at + 1
	a.value = b[a.valueAt : a.valueAt+closing]
	return a, a.valueAt + closing + 1, nil
}

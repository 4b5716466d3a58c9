// Package xmlscan splits XML into tokens without copying. It checks no more than
// it must to find where a token ends; matching tags is up to the caller.
package xmlscan

import (
	"bytes"
	"errors"

	"github.com/mapatools/mapa/sitemap/internal/xmltext"
)

// A Kind says what a token is.
type Kind uint8

// The kinds of tokens.
const (
	Text Kind = iota // up to the next < or the end of the bytes
	StartTag
	EndTag
	Comment
	CDATA
	Instruction // <?...?>
	Declaration // <!DOCTYPE...>
)

// A Token is one piece of markup or text. Its positions are relative to the bytes
// it was scanned from, so it stays valid when those move.
type Token struct {
	Kind        Kind
	SelfClosing bool
	End         int // of the whole token
	NameAt      int // start and end of a tag's name
	NameEnd     int
	BodyAt      int // start and end of a text, the inside of a comment or CDATA section, or a tag's attributes
	BodyEnd     int
}

// Name returns the name of a tag; b holds the bytes that the token was scanned
// from.
func (t Token) Name(b []byte) []byte { return b[t.NameAt:t.NameEnd] }

// Body returns the text, or the attributes of a tag; b holds the bytes that the
// token was scanned from.
func (t Token) Body(b []byte) []byte { return b[t.BodyAt:t.BodyEnd] }

// Why a token cannot be scanned. ErrIncomplete says that it continues after the
// given bytes; the others are violations of XML 1.0.
var (
	ErrIncomplete = errors.New("the markup does not end")
	ErrMarkup     = errors.New("a < that begins no markup")
	ErrInValue    = errors.New("a < in an attribute value") // section 3.1
	ErrAttribute  = errors.New("a broken attribute")
)

// Scan reads the token at b[at:], which must not be empty. A text at the end of b
// counts as complete; any other token that does not end in b is ErrIncomplete.
func Scan(b []byte, at int) (Token, error) {
	if b[at] != '<' {
		end := bytes.IndexByte(b[at:], '<')
		if end < 0 {
			end = len(b) - at
		}
		return Token{Kind: Text, End: at + end, BodyAt: at, BodyEnd: at + end}, nil
	}
	if at+1 == len(b) {
		return Token{}, ErrIncomplete
	}
	switch c := b[at+1]; {
	case c == '/':
		return scanEndTag(b, at)
	case c == '!':
		return scanDeclaration(b, at)
	case c == '?':
		return scanDelimited(b, at, Instruction, "<?", "?>")
	case IsNameStart(c):
		return scanStartTag(b, at)
	}
	return Token{}, ErrMarkup
}

func scanEndTag(b []byte, at int) (Token, error) {
	end := bytes.IndexByte(b[at:], '>')
	if end < 0 {
		return Token{}, ErrIncomplete
	}
	end += at
	nameEnd := end
	for xmltext.IsSpace(b[nameEnd-1]) {
		nameEnd--
	}
	return Token{Kind: EndTag, End: end + 1, NameAt: at + 2, NameEnd: nameEnd}, nil
}

// stopsTag marks the bytes outside of attribute values that scanStartTag looks at.
var stopsTag = [256]bool{'>': true, '"': true, '\'': true, '<': true}

// endsName marks the bytes that the name of a start tag ends before.
var endsName = [256]bool{' ': true, '\t': true, '\r': true, '\n': true, '>': true, '/': true, '<': true}

// scanStartTag finds the end of the tag. It follows quotes, since a value may
// contain a >; NextAttribute checks the attributes.
func scanStartTag(b []byte, at int) (Token, error) {
	i := at + 1
	for i < len(b) && !endsName[b[i]] {
		i++
	}
	t := Token{Kind: StartTag, NameAt: at + 1, NameEnd: i, BodyAt: i}
	for i < len(b) {
		c := b[i]
		if !stopsTag[c] {
			i++
			continue
		}
		switch c {
		case '>':
			t.End, t.BodyEnd = i+1, i
			if b[i-1] == '/' {
				t.SelfClosing = true
				t.BodyEnd--
			}
			return t, nil
		case '"', '\'':
			value, _, closed := bytes.Cut(b[i+1:], b[i:i+1])
			if bytes.IndexByte(value, '<') >= 0 {
				return t, ErrInValue
			}
			if !closed {
				return t, ErrIncomplete
			}
			i += len(value) + 1
		case '<':
			return t, ErrMarkup
		}
		i++
	}
	return t, ErrIncomplete
}

func scanDeclaration(b []byte, at int) (Token, error) {
	rest := b[at:]
	switch {
	case hasPrefixOrIsCut(rest, "<!--"):
		return scanDelimited(b, at, Comment, "<!--", "-->")
	case hasPrefixOrIsCut(rest, "<![CDATA["):
		return scanDelimited(b, at, CDATA, "<![CDATA[", "]]>")
	case hasPrefixOrIsCut(rest, "<!DOCTYPE"), hasPrefixOrIsCut(rest, "<!doctype"):
		return scanDoctype(b, at)
	}
	return Token{}, ErrMarkup
}

// hasPrefixOrIsCut reports whether b begins with prefix or could, were it longer.
func hasPrefixOrIsCut(b []byte, prefix string) bool {
	n := min(len(b), len(prefix))
	return string(b[:n]) == prefix[:n]
}

func scanDelimited(b []byte, at int, kind Kind, open, closing string) (Token, error) {
	body := at + len(open)
	if body > len(b) {
		return Token{}, ErrIncomplete
	}
	n := bytes.Index(b[body:], []byte(closing))
	if n < 0 {
		return Token{}, ErrIncomplete
	}
	return Token{Kind: kind, End: body + n + len(closing), BodyAt: body, BodyEnd: body + n}, nil
}

// scanDoctype finds the end of a document type declaration, which may hold
// quoted text and an internal subset in brackets.
func scanDoctype(b []byte, at int) (Token, error) {
	depth := 0
	for i := at + 2; i < len(b); i++ {
		switch c := b[i]; c {
		case '"', '\'':
			closing := bytes.IndexByte(b[i+1:], c)
			if closing < 0 {
				return Token{}, ErrIncomplete
			}
			i += closing + 1
		case '<':
			if t, err := Scan(b, i); err == nil && t.Kind == Comment {
				i = t.End - 1
			} else if err == ErrIncomplete && hasPrefixOrIsCut(b[i:], "<!--") {
				return Token{}, err
			}
		case '[':
			depth++
		case ']':
			depth--
		case '>':
			if depth <= 0 {
				return Token{Kind: Declaration, End: i + 1, BodyAt: at + 2, BodyEnd: i}, nil
			}
		}
	}
	return Token{}, ErrIncomplete
}

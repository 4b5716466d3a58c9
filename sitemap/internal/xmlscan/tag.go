package xmlscan

import (
	"bytes"

	"github.com/mapatools/mapa/sitemap/internal/xmltext"
)

// IsNameStart reports whether a name may begin with the byte c. Every byte of a
// character outside ASCII passes.
func IsNameStart(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == ':' || c >= 0x80
}

// SplitName cuts a qualified name at its colon. A colon at the start is part of
// the local name.
func SplitName(name []byte) (prefix, local []byte) {
	if i := bytes.IndexByte(name, ':'); i > 0 {
		return name[:i], name[i+1:]
	}
	return nil, name
}

// NameAt returns the name that begins at a position of a start tag.
func NameAt(b []byte, at int) []byte {
	end := at
	for !endsName[b[end]] {
		end++
	}
	return b[at:end]
}

// ClosesAt reports whether b[at:] begins with the end tag of name, without white
// space in it, and the position after the tag.
func ClosesAt(b []byte, at int, name []byte) (after int, ok bool) {
	after = at + len(name) + 3
	return after, after <= len(b) && b[at] == '<' && b[at+1] == '/' && b[after-1] == '>' &&
		string(b[at+2:after-1]) == string(name)
}

// ClosesName does the work of ClosesAt for an element whose start tag is in b,
// with its name at b[name:]. It returns the position after the end tag, or 0.
func ClosesName(b []byte, at, name int) (after int) {
	length := bytes.IndexByte(b[at+2:], '>')
	if length <= 0 || string(b[name:name+length]) != string(b[at+2:at+2+length]) || !endsName[b[name+length]] {
		return 0
	}
	return at + 2 + length + 1
}

// PlainTag returns the length of a start tag whose values are in double quotes
// and hold no markup. b begins after its <. The result is 0 where the tag is
// written in another way or does not end in b.
func PlainTag(b []byte) (length int) {
	end := bytes.IndexByte(b, '>')
	if end <= 0 || !IsNameStart(b[0]) {
		return 0
	}
	tag := b[:end]
	if first := bytes.IndexByte(tag, '"'); first >= 0 &&
		(tag[first-1] != '=' || len(NameAt(b, 0)) > first || bytes.Count(tag, quote)%2 != 0) ||
		bytes.IndexByte(tag, '\'') >= 0 || bytes.IndexByte(tag, '<') >= 0 {
		return 0
	}
	return end + 1
}

var quote = []byte{'"'}

// An Attribute is a name and a value as written, not decoded, and the positions
// where the two begin.
type Attribute struct {
	Name, Value     []byte
	NameAt, ValueAt int
}

// NextAttribute reads the attribute at or after b[at:], and returns the position
// after it; b holds the attributes of a tag. At the end of b the name is nil. The
// error is ErrAttribute.
func NextAttribute(b []byte, at int) (a Attribute, next int, err error) {
	at = xmltext.AfterSpace(b, at)
	if at == len(b) {
		return Attribute{}, at, nil
	}
	a.NameAt = at
	for at < len(b) && b[at] != '=' && !xmltext.IsSpace(b[at]) {
		at++
	}
	a.Name = b[a.NameAt:at]
	at = xmltext.AfterSpace(b, at)
	if len(a.Name) == 0 || at == len(b) || b[at] != '=' {
		return a, at, ErrAttribute
	}
	at = xmltext.AfterSpace(b, at+1)
	if at == len(b) || b[at] != '"' && b[at] != '\'' {
		return a, at, ErrAttribute
	}
	closing := bytes.IndexByte(b[at+1:], b[at])
	if closing < 0 {
		return a, at, ErrAttribute
	}
	a.ValueAt = at + 1
	a.Value = b[a.ValueAt : a.ValueAt+closing]
	return a, a.ValueAt + closing + 1, nil
}

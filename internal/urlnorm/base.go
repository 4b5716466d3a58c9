package urlnorm

import (
	"strings"
)

// A Base is the URL that references are resolved against: that of the document or
// of its base element. The zero Base resolves absolute URLs only. A Base is safe for
// concurrent use if EncodeQuery is.
type Base struct {
	// EncodeQuery appends r, a character outside ASCII, in the character
	// encoding of the document and reports whether that encoding has r. The
	// standard uses it for the queries of links in documents that are not in
	// UTF-8 or UTF-16; nil means UTF-8. An encoding with state, such as
	// ISO-2022-JP, is not supported.
	EncodeQuery func(dst []byte, r rune) ([]byte, bool)

	url    string // as serialised by the standard, without fragment
	scheme int    // length of the scheme, without colon
	path   int    // where the path begins
	dir    int    // where the last segment of the path begins
	query  int    // where the question mark is, or the length of url
}

// NewBase parses an absolute http or https URL and drops its user information and its
// fragment. Errors are those of [Base.AppendResolve].
func NewBase(absolute []byte) (*Base, error) {
	text, err := new(Base).AppendResolve(nil, absolute)
	if err != nil {
		return nil, err
	}
	b := &Base{url: string(text)}
	b.scheme = strings.IndexByte(b.url, ':')
	authority := b.scheme + len("://")
	b.path = authority + strings.IndexByte(b.url[authority:], '/')
	b.query = len(b.url)
	if i := strings.IndexByte(b.url, '?'); i >= 0 {
		b.query = i
	}
	b.dir = strings.LastIndexByte(b.url[:b.query], '/') + 1
	return b, nil
}

// String returns the URL as serialized by the standard, without fragment.
func (b *Base) String() string { return b.url }

// AppendResolve resolves ref and appends the absolute URL to dst, as serialized by
// the standard, but without its user information and its fragment.
// It does not allocate for a usual link if dst has capacity. The memory of dst and ref
// must not overlap.
//
// If ref is not a URL it returns dst unchanged and a [SchemeError], an error that
// wraps [ErrInvalid], or [ErrTooLong]. The scheme is checked first, so that a long
// data: URL is a SchemeError. In addition to the standard, a host of more than 1,024
// bytes is invalid.
func (b *Base) AppendResolve(dst, ref []byte) ([]byte, error) {
	start := len(dst)
	if len(ref) <= MaxLength {
		if out, ok := b.appendPlain(dst, ref); ok {
			return checkLength(out, start)
		}
	}
	out, err := b.appendParsed(dst, ref)
	if err != nil {
		return dst, err
	}
	return checkLength(out, start)
}

func checkLength(out []byte, start int) ([]byte, error) {
	if len(out)-start > MaxLength {
		return out[:start], ErrTooLong
	}
	return out, nil
}

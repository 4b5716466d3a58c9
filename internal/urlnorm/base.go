package urlnorm

import (
	"bytes"
	"strings"
)

// A Base is the URL that references are resolved against: that of the document,
// or what its base element gives. The zero value is no base: it resolves
// absolute URLs only. A Base is not changed by its use and is safe for
// concurrent use if EncodeQuery is.
type Base struct {
	// EncodeQuery appends r, a character outside ASCII, in the character
	// encoding of the document and reports whether that encoding has r at
	// all. The standard wants it for the query, and only there, of links in
	// documents that are not in UTF-8 or UTF-16; for those it stays nil. An
	// encoding with state, such as ISO-2022-JP, cannot be given.
	EncodeQuery func(dst []byte, r rune) ([]byte, bool)

	url    string // as serialised by the standard, without fragment
	scheme int    // length of the scheme, without colon
	path   int    // where the path begins
	dir    int    // where the last segment of the path begins
	query  int    // where the question mark is, or the length of url
}

// NewBase parses an absolute http or https URL and drops its fragment. Errors
// are those of [Base.AppendResolve].
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

// String gives the URL as the standard serialises it, without fragment.
func (b *Base) String() string { return b.url }

// AppendResolve appends to dst the absolute URL that ref stands for, as the
// standard serialises it, without its fragment (see [AppendFragment]).
// It allocates nothing for a usual link if dst has room. The memory of dst and
// ref must not overlap.
//
// When there is no such URL it returns dst as it was and a [SchemeError], an
// error that wraps [ErrInvalid], or [ErrTooLong]. The name of the scheme is
// looked at before all else, so that a long data: URL is told from a long link.
// Beyond the standard, a host of more than 1,024 bytes is invalid.
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

// AppendFragment appends to dst the fragment of ref, without the number sign
// and percent-encoded by the standard. It appends nothing if the fragment is
// missing or empty; both mean the top of the document. Only the first
// [MaxLength] bytes of ref are looked at.
func AppendFragment(dst, ref []byte) []byte {
	ref = trimSpace(ref)
	ref = ref[:min(len(ref), MaxLength)]
	_, fragment, _ := bytes.Cut(ref, []byte{'#'})
	return appendEncoded(dst, removeNewlines(fragment), encodeFragment)
}

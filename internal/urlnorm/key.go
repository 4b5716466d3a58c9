package urlnorm

import (
	"bytes"
	"slices"
)

// KeyOptions configure the differences between URLs that [AppendKey] ignores. With
// the zero value, two URLs have the same key only if RFC 3986, section 6.2.2, defines
// them as equivalent.
type KeyOptions struct {
	// Strip has the names of the parameters to remove, from the query
	// (?name=value) and from path segments (;name=value). nil removes none.
	Strip *Parameters
	// SortQuery sorts the parameters of the query by name. Parameters of the
	// same name keep their order, which may be significant.
	SortQuery bool
}

// AppendKey appends the deduplication key of url to dst. url is a result of
// [Base.AppendResolve], whose scheme, host, port and dot segments are normalized
// already. The key has no fragment, percent-escapes are in upper case, and escapes of
// unreserved characters (letters, digits, "-._~") are decoded. The key of a key is
// the key itself.
//
// Without SortQuery it does not allocate if dst has capacity. The memory of dst and
// url must not overlap.
func AppendKey(dst, url []byte, options KeyOptions) []byte {
	url, _, _ = bytes.Cut(url, []byte{'#'})
	n := authorityLength(url)
	dst, url = append(dst, url[:n]...), url[n:]
	path, query, hasQuery := bytes.Cut(url, []byte{'?'})
	dst = appendPathKey(dst, path, options.Strip)
	if hasQuery {
		dst = appendQueryKey(dst, query, options)
	}
	return dst
}

// authorityLength returns the length of scheme and authority, which is the index of
// the path.
func authorityLength(url []byte) int {
	const shortest = len("http://h")
	if len(url) < shortest {
		return len(url)
	}
	if n := bytes.IndexByte(url[shortest:], '/'); n >= 0 {
		return shortest + n
	}
	return len(url)
}

func appendPathKey(dst, path []byte, strip *Parameters) []byte {
	if strip == nil {
		return appendUnreserved(dst, path)
	}
	for {
		end := bytes.IndexByte(path, ';')
		if end < 0 {
			return appendUnreserved(dst, path)
		}
		dst, path = appendUnreserved(dst, path[:end]), path[end:]
		end = 1 + indexEither(path[1:], ';', '/')
		start := len(dst)
		dst, path = appendUnreserved(dst, path[:end]), path[end:]
		if strip.has(dst[start+1:]) {
			dst = dst[:start]
		}
	}
}

// indexEither returns the index of the first a or b in s, or its length.
func indexEither(s []byte, a, b byte) int {
	for i, c := range s {
		if c == a || c == b {
			return i
		}
	}
	return len(s)
}

func appendQueryKey(dst, query []byte, options KeyOptions) []byte {
	mark := len(dst)
	if options.Strip == nil {
		dst = appendUnreserved(append(dst, '?'), query)
	} else {
		dst = appendKept(dst, query, options.Strip)
	}
	if options.SortQuery && len(dst) > mark {
		sortQuery(dst[mark+1:])
	}
	return dst
}

// appendKept appends the question mark and the parameters of query that are not in
// strip. If none is left it appends nothing.
func appendKept(dst, query []byte, strip *Parameters) []byte {
	separator := byte('?')
	for parameter := range bytes.SplitSeq(query, []byte{'&'}) {
		start := len(dst)
		dst = appendUnreserved(append(dst, separator), parameter)
		if strip.has(dst[start+1:]) {
			dst = dst[:start]
			continue
		}
		separator = '&'
	}
	return dst
}

// sortQuery sorts the parameters of query by name, in place.
func sortQuery(query []byte) {
	parameters := bytes.Split(bytes.Clone(query), []byte{'&'})
	slices.SortStableFunc(parameters, func(a, b []byte) int {
		return bytes.Compare(parameterName(a), parameterName(b))
	})
	out := query[:0]
	for i, parameter := range parameters {
		if i > 0 {
			out = append(out, '&')
		}
		out = append(out, parameter...)
	}
}

// appendUnreserved appends s with its escapes in upper case and those of
// unreserved characters decoded. An escape in the two bytes after a stray
// percent sign is kept, since decoding it could create a new escape: "%%341" is not "%41".
func appendUnreserved(dst, s []byte) []byte {
	stray := -3
	for {
		i := bytes.IndexByte(s, '%')
		if i < 0 {
			return append(dst, s...)
		}
		dst, s = append(dst, s[:i]...), s[i:]
		if !isEscape(s) {
			stray = len(dst)
			dst, s = append(dst, '%'), s[1:]
			continue
		}
		if c := unhex(s[1])<<4 | unhex(s[2]); isUnreserved(c) && len(dst)-stray > 2 {
			dst = append(dst, c)
		} else {
			dst = appendEscape(dst, c)
		}
		s = s[3:]
	}
}

// isUnreserved follows RFC 3986, section 2.3.
func isUnreserved(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' ||
		c == '-' || c == '.' || c == '_' || c == '~'
}

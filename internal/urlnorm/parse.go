package urlnorm

import (
	"bytes"
	"strconv"
)

// appendParsed resolves any reference.
func (b *Base) appendParsed(dst, ref []byte) ([]byte, error) {
	ref = trimSpace(ref)
	long := len(ref) > MaxLength
	if long {
		ref = ref[:MaxLength]
	}
	ref = removeNewlines(ref)
	name, rest, absolute := CutScheme(ref)
	scheme := httpScheme(name)
	switch {
	case absolute && scheme == "":
		return dst, schemeError(name)
	case long:
		return dst, ErrTooLong
	case absolute && scheme != b.url[:b.scheme]:
		return b.appendAuthority(dst, scheme, rest)
	case !absolute && b.url == "":
		return dst, ErrNotAbsolute
	}
	// Here "http:page" is relative to a base of the same scheme.
	return b.appendRelative(dst, rest)
}

// trimSpace drops C0 control and space from both ends.
func trimSpace(s []byte) []byte {
	for len(s) > 0 && s[0] <= ' ' {
		s = s[1:]
	}
	for len(s) > 0 && s[len(s)-1] <= ' ' {
		s = s[:len(s)-1]
	}
	return s
}

// removeNewlines drops tabs and newlines; s itself stays as it is.
func removeNewlines(s []byte) []byte {
	if !bytes.ContainsAny(s, "\t\n\r") {
		return s
	}
	kept := make([]byte, 0, len(s))
	for _, c := range s {
		if c != '\t' && c != '\n' && c != '\r' {
			kept = append(kept, c)
		}
	}
	return kept
}

func isSlash(c byte) bool { return c == '/' || c == '\\' }

// appendRelative resolves a reference without scheme, from the relative state
// of the standard.
func (b *Base) appendRelative(dst, ref []byte) ([]byte, error) {
	root := len(dst) + b.path
	switch {
	case len(ref) == 0 || ref[0] == '#':
		return append(dst, b.url...), nil
	case ref[0] == '?':
		return b.appendRest(append(dst, b.url[:b.query]...), ref), nil
	case len(ref) > 1 && isSlash(ref[0]) && isSlash(ref[1]):
		return b.appendAuthority(dst, b.url[:b.scheme], ref)
	case isSlash(ref[0]):
		return b.appendPath(append(dst, b.url[:b.path+1]...), root, ref[1:]), nil
	}
	return b.appendPath(append(dst, b.url[:b.dir]...), root, ref), nil
}

// appendAuthority appends a URL of the given scheme. ref is the part after the colon,
// which may begin with any number of slashes.
func (b *Base) appendAuthority(dst []byte, scheme string, ref []byte) ([]byte, error) {
	start := len(dst)
	for len(ref) > 0 && isSlash(ref[0]) {
		ref = ref[1:]
	}
	end := bytes.IndexAny(ref, `/\?#`)
	if end < 0 {
		end = len(ref)
	}
	authority, ref := ref[:end], ref[end:]
	dst = append(append(dst, scheme...), "://"...)
	authority = authority[bytes.LastIndexByte(authority, '@')+1:] // no user information
	host, port := cutPort(authority)
	dst, err := appendHost(dst, host)
	if err != nil {
		return dst[:start], err
	}
	dst, err = appendPort(dst, port, scheme)
	if err != nil {
		return dst[:start], err
	}
	if len(ref) > 0 && isSlash(ref[0]) {
		ref = ref[1:]
	}
	root := len(dst)
	return b.appendPath(append(dst, '/'), root, ref), nil
}

// cutPort splits at the first colon outside brackets.
func cutPort(authority []byte) (host, port []byte) {
	bracket := false
	for i, c := range authority {
		switch c {
		case '[':
			bracket = true
		case ']':
			bracket = false
		case ':':
			if !bracket {
				return authority[:i], authority[i+1:]
			}
		}
	}
	return authority, nil
}

// appendPort appends the colon and the port, unless it is empty or the default
// one.
func appendPort(dst, port []byte, scheme string) ([]byte, error) {
	number := 0
	for _, c := range port {
		if c < '0' || c > '9' {
			return dst, ErrPort
		}
		number = number*10 + int(c-'0')
		if number > 65535 {
			return dst, ErrPort
		}
	}
	if len(port) == 0 || scheme == "http" && number == 80 || scheme == "https" && number == 443 {
		return dst, nil
	}
	return strconv.AppendInt(append(dst, ':'), int64(number), 10), nil
}

// appendPath appends the path and query that ref begins with. dst ends in the
// slash before the first segment of ref; root is the index of the first slash
// of the path, above which ".." does not go.
func (b *Base) appendPath(dst []byte, root int, ref []byte) []byte {
	for {
		end := bytes.IndexAny(ref, `/\?#`)
		if end < 0 {
			end = len(ref)
		}
		more := end < len(ref) && isSlash(ref[end])
		switch segment := ref[:end]; {
		case isDoubleDot(segment):
			if last := len(dst) - 1; last > root {
				dst = dst[:root+bytes.LastIndexByte(dst[root:last], '/')+1]
			}
		case isSingleDot(segment):
		default:
			dst = appendEncoded(dst, segment, encodePath)
			if more {
				dst = append(dst, '/')
			}
		}
		if !more {
			return b.appendRest(dst, ref[end:])
		}
		ref = ref[end+1:]
	}
}

// appendRest appends the query that ref begins with, if any, without the fragment.
func (b *Base) appendRest(dst, ref []byte) []byte {
	query, _, _ := bytes.Cut(ref, []byte{'#'})
	if len(query) == 0 {
		return dst
	}
	return appendQuery(append(dst, '?'), query[1:], b.EncodeQuery)
}

func isSingleDot(segment []byte) bool {
	n := dotLength(segment)
	return n > 0 && n == len(segment)
}

func isDoubleDot(segment []byte) bool {
	n := dotLength(segment)
	return n > 0 && isSingleDot(segment[n:])
}

// dotLength returns the length of the dot at the beginning of s, which may be
// percent-encoded, or 0.
func dotLength(s []byte) int {
	switch {
	case len(s) > 0 && s[0] == '.':
		return 1
	case len(s) >= 3 && s[0] == '%' && s[1] == '2' && s[2]|0x20 == 'e':
		return 3
	}
	return 0
}

package urlnorm

import (
	"bytes"
	"strings"
)

// CutScheme splits a reference at the colon after its scheme (RFC 3986, section
// 3.1). When it has no scheme, ok is false and rest is all of it.
func CutScheme(ref []byte) (scheme, rest []byte, ok bool) {
	for i, c := range ref {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return ref[:i], ref[i+1:], true
		default:
			return nil, ref, false
		}
	}
	return nil, ref, false
}

// IsHTTPScheme reports whether a scheme is http or https, in any case.
func IsHTTPScheme(scheme []byte) bool {
	return httpScheme(scheme) != ""
}

// httpScheme returns the scheme in lower case, or "" when it is neither http nor
// https.
func httpScheme(scheme []byte) string {
	switch {
	case bytes.EqualFold(scheme, []byte("http")):
		return "http"
	case bytes.EqualFold(scheme, []byte("https")):
		return "https"
	}
	return ""
}

// IsHTTP reports whether an address begins with http:// or https://, in any case,
// and so is not the path of a file or a reference that is relative.
func IsHTTP(address string) bool {
	scheme, _, found := strings.Cut(address[:min(len(address), len("https://"))], "://")
	return found && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

package scan

import "strings"

// Scheme returns the scheme of an address in lower case, or nothing for a
// relative address.
func Scheme(address string) string {
	for i, c := range []byte(address) {
		switch {
		case c == ':' && i > 0:
			return strings.ToLower(address[:i])
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', i > 0 && (c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'):
		default:
			return ""
		}
	}
	return ""
}

// IsAbsolute reports whether an address is one of http or https with a host.
func IsAbsolute(address string) bool {
	scheme := Scheme(address)
	host, ok := strings.CutPrefix(address[len(scheme):], "://")
	return (scheme == "http" || scheme == "https") && ok && host != "" && strings.IndexByte("/?#:", host[0]) < 0
}

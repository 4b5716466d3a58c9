package report

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
)

// place returns where a result is, as compilers write it.
func (r *Result) place() string {
	switch {
	case r.Line == 0:
		return r.Location
	case r.Column == 0:
		return r.Location + ":" + strconv.Itoa(r.Line)
	}
	return r.Location + ":" + strconv.Itoa(r.Line) + ":" + strconv.Itoa(r.Column)
}

// IsAddress reports whether a location is an http or https address, and not the
// name of a file or anything that should be no link.
func IsAddress(location string) bool {
	scheme, _, found := strings.Cut(location, "://")
	return found && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// slashed returns a path as programs on every system read it.
func slashed(path string) string { return filepath.ToSlash(filepath.Clean(path)) }

// reference returns a path or an address as a URI reference
// (https://www.rfc-editor.org/rfc/rfc3986#section-4.1).
func reference(location string) string {
	if IsAddress(location) {
		if u, err := url.Parse(location); err == nil {
			return ascii(u.String())
		}
	}
	u := url.URL{Path: slashed(location)}
	if filepath.IsAbs(location) {
		u.Scheme, u.Path = "file", "/"+strings.TrimPrefix(u.Path, "/")
	}
	return u.String()
}

// ascii percent-encodes what url.URL leaves as it is.
func ascii(address string) string {
	var b strings.Builder
	for i := range len(address) {
		if c := address[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

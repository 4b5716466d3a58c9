package format

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
)

// Place returns the location, line and column in the form that compilers use.
func (r *Result) Place() string {
	switch {
	case r.Line == 0:
		return r.Location
	case r.Column == 0:
		return r.Location + ":" + strconv.Itoa(r.Line)
	}
	return r.Location + ":" + strconv.Itoa(r.Line) + ":" + strconv.Itoa(r.Column)
}

// IsURL reports whether a location is an http or https URL rather than a file name.
// Only those become links.
func IsURL(location string) bool {
	scheme, _, found := strings.Cut(location, "://")
	return found && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// slashed returns a clean path with forward slashes.
func slashed(path string) string { return filepath.ToSlash(filepath.Clean(path)) }

// reference returns a path or a URL as a URI reference
// (https://www.rfc-editor.org/rfc/rfc3986#section-4.1).
func reference(location string) string {
	if IsURL(location) {
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

// ascii percent-encodes the characters that url.URL leaves unescaped.
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

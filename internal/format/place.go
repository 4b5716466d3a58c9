package format

import (
	"net/url"
	"os"
	"path"
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

// slashed returns the name of a file as services show it: clean, with forward slashes, and
// relative to the working directory if the file is below it. A page has the name of its host
// and path: a web address is refused there.
func slashed(location string) string {
	if IsURL(location) {
		return pageFile(location)
	}
	if here, err := os.Getwd(); err == nil && filepath.IsAbs(location) {
		if below, err := filepath.Rel(here, location); err == nil && filepath.IsLocal(below) {
			location = below
		}
	}
	return filepath.ToSlash(filepath.Clean(location))
}

// pageFile returns the host, the path and the query of an http or https URL, decoded and clean.
func pageFile(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	rest, _, _ = strings.Cut(rest, "#")
	end := len(rest)
	if slash := strings.IndexAny(rest, "/?"); slash >= 0 {
		end = slash
	}
	host, inner := rest[:end], rest[end:]
	if decoded, err := url.PathUnescape(inner); err == nil {
		inner = decoded
	}
	return host[strings.LastIndexByte(host, '@')+1:] + strings.TrimSuffix(path.Clean("/"+inner), "/")
}

// reference returns the name of a file as a URI reference
// (https://www.rfc-editor.org/rfc/rfc3986#section-4.1). GitHub takes no web address.
func reference(location string) string {
	name := slashed(location)
	if filepath.IsAbs(location) && path.IsAbs(filepath.ToSlash(name)) || filepath.VolumeName(name) != "" {
		u := url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(name, "/")}
		return u.String()
	}
	return strings.ReplaceAll((&url.URL{Path: name}).EscapedPath(), ":", "%3A") // no scheme
}

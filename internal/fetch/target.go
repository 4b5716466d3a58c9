package fetch

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// A target is a URL, split as far as HTTP requires. net/url is not used: it rejects
// paths that browsers send as they are, such as /100%.
type target struct {
	scheme string // http or https
	host   string // lower case, without user information and default port
	path   string // begins with a slash and includes the query
}

// origin returns scheme, host and port (RFC 6454).
func (t *target) origin() string {
	return t.scheme + "://" + t.host
}

// Origin returns the scheme, host and port of a URL, the port only where it is not the
// default, or "" for a URL that cannot be fetched. Headers and cookies are sent to the origin
// that they are for.
func Origin(address string) string {
	t, err := parseTarget(address)
	if err != nil {
		return ""
	}
	return t.origin()
}

// url returns the form for net/http. It sends Opaque as it is, unless that begins
// with two slashes, which would make it a host.
func (t *target) url() *url.URL {
	if !strings.HasPrefix(t.path, "//") {
		return &url.URL{Scheme: t.scheme, Host: t.host, Opaque: t.path}
	}
	u, ok := t.parsedURL()
	if !ok { // use the absolute form (RFC 9112 section 3.2.2)
		return &url.URL{Scheme: t.scheme, Host: t.host, Opaque: "//" + t.host + t.path}
	}
	return u
}

// parsedURL returns the form that handlers expect, with the path and the query in their
// fields. ok is false when the path has an invalid escape, which is then a part of it.
func (t *target) parsedURL() (u *url.URL, ok bool) {
	raw, query, found := strings.Cut(t.path, "?")
	path, err := url.PathUnescape(raw)
	if err != nil {
		path = raw
	}
	u = &url.URL{Scheme: t.scheme, Host: t.host, Path: path, RawPath: raw, RawQuery: query, ForceQuery: found}
	return u, err == nil
}

func parseTarget(address string) (target, error) {
	invalid := func(why string) (target, error) {
		return target{}, &Error{URL: fmt.Sprintf("%q", address), Kind: KindInvalid, Err: fmt.Errorf("%s", why)}
	}
	var t target
	scheme, rest, found := strings.Cut(address, "://")
	switch {
	case !found:
		return invalid("not absolute")
	case strings.EqualFold(scheme, "https"):
		t.scheme = "https"
	case strings.EqualFold(scheme, "http"):
		t.scheme = "http"
	default:
		return invalid("the scheme is neither http nor https")
	}
	authority := rest
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		authority, t.path = rest[:end], rest[end:]
	}
	t.host = canonicalHost(authority, t.scheme)
	if strings.Contains(authority, `\`) || !isValidHost(t.host) { // in browsers, \ ends the host
		return invalid("no valid host")
	}
	t.path, _, _ = strings.Cut(t.path, "#")
	t.path = escapeOctets(t.path)
	if !strings.HasPrefix(t.path, "/") {
		t.path = "/" + t.path
	}
	return t, nil
}

func canonicalHost(authority, scheme string) string {
	host := strings.ToLower(authority[strings.LastIndexByte(authority, '@')+1:])
	host = strings.TrimSuffix(host, ":")
	if scheme == "https" {
		return strings.TrimSuffix(host, ":443")
	}
	return strings.TrimSuffix(host, ":80")
}

// isValidHost rejects hosts that other programs could parse differently, and invalid
// ports. It does not check whether the name exists.
func isValidHost(host string) bool {
	name := host
	if colon := strings.LastIndexByte(host, ':'); colon > strings.LastIndexByte(host, ']') {
		name = host[:colon]
		if _, err := strconv.ParseUint(host[colon+1:], 10, 16); err != nil {
			return false
		}
	}
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r <= ' ' || r == 0x7f || strings.ContainsRune("\"%<>^`{|}", r)
	})
}

// escapeOctets percent-encodes octets that a request line does not allow (RFC 9112
// section 3) and keeps everything else, including invalid escapes.
func escapeOctets(path string) string {
	clean := true
	for i := 0; i < len(path) && clean; i++ {
		clean = isPlainOctet(path[i])
	}
	if clean {
		return path
	}
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		if c := path[i]; isPlainOctet(c) {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
	return b.String()
}

func isPlainOctet(c byte) bool {
	return c > ' ' && c < 0x7f
}

package urlnorm

import (
	"net/netip"
	"net/url"
	"strings"
)

// CutOrigin splits an absolute URL into its origin, such as https://example.com, and the
// rest, which begins with a slash. The URL is not normalized. One without "://" has no
// origin.
func CutOrigin(address string) (origin, path string) {
	scheme := strings.Index(address, "://")
	if scheme < 0 {
		return "", address
	}
	host := scheme + len("://")
	end := strings.IndexAny(address[host:], "/?#")
	if end < 0 {
		return address, "/"
	}
	origin, path = address[:host+end], address[host+end:]
	if path[0] != '/' {
		path = "/" + path
	}
	return origin, path
}

// Origin returns the origin of an absolute URL, as [CutOrigin] does.
func Origin(address string) string {
	origin, _ := CutOrigin(address)
	return origin
}

// Host returns the host of an http or https URL as [Base.AppendResolve] writes it: in lower
// case and Punycode, with its port unless that is the usual one. It returns "" for
// everything else.
func Host(address string) string {
	var none Base
	usual, err := none.AppendResolve(nil, []byte(address))
	if err != nil {
		return ""
	}
	_, host, _ := strings.Cut(Origin(string(usual)), "://")
	return host
}

// ParseHTTP parses an http or https URL that names a host. It returns nil for everything else.
func ParseHTTP(address string) *url.URL {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil
	}
	return u
}

// IsSite reports whether a URL is that of a site rather than of a file: it has no path and no query.
func IsSite(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Path == "" || u.Path == "/") && u.RawQuery == ""
}

// IsLoopback reports whether a host, with or without a port, is localhost or a loopback
// address, and so names this machine whoever resolves it.
func IsLoopback(host string) bool {
	if address, err := netip.ParseAddrPort(host); err == nil {
		return address.Addr().Unmap().IsLoopback()
	}
	if address, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return address.Unmap().IsLoopback()
	}
	name, port, _ := strings.Cut(host, ":")
	return strings.EqualFold(strings.TrimSuffix(name, "."), "localhost") && strings.Trim(port, "0123456789") == ""
}

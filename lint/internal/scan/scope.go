package scan

import (
	"bytes"
	"net/netip"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/mapatools/mapa/internal/urlnorm"
)

// Scope is the place of a sitemap, below which the pages lie that it may list
// (https://www.sitemaps.org/protocol.html#location). Where the place is unknown, it is that of the
// first page, without a path.
type Scope struct {
	// Address is the address of the sitemap, nil where it is unknown.
	Address *url.URL
	// Origin has the scheme, host and port that the pages share. It is nil until
	// Covers has seen a page when the address is unknown.
	Origin *url.URL

	folder []byte // the prefix of every page in scope that is spelled in the usual way
}

// NewScope returns the scope of a sitemap at address. An address without a host is
// an unknown one.
func NewScope(address string) (s Scope) {
	u, err := url.Parse(address)
	if address == "" || err != nil || u.Host == "" {
		return s
	}
	s.Address, s.Origin = u, u
	s.folder = []byte(u.Scheme + "://" + u.Host + Folder(u))
	return s
}

// Published returns the address that a file will have below a base URL.
func Published(base, location string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	name := path.Base(strings.ReplaceAll(location, `\`, "/"))
	if location == "-" {
		return u.String()
	}
	return u.ResolveReference(&url.URL{Path: name}).String()
}

// Folder returns the path of an address up to its last slash, without the query.
func Folder(u *url.URL) string {
	p := u.EscapedPath()
	return "/" + strings.TrimPrefix(p[:strings.LastIndexByte(p, '/')+1], "/")
}

// Covers reports whether a location begins with the folder of the sitemap. A
// location for which it returns false may be in scope in another spelling: see
// Compare.
func (s *Scope) Covers(loc []byte) bool {
	if len(s.folder) > 0 {
		return bytes.HasPrefix(loc, s.folder)
	}
	u, err := url.Parse(string(loc))
	if err != nil || u.Host == "" {
		return false
	}
	s.Origin = &url.URL{Scheme: u.Scheme, Host: u.Host}
	s.folder = []byte(u.Scheme + "://" + u.Host + "/")
	return true
}

// Mismatch is the part of an address that is out of scope.
type Mismatch uint8

// The mismatches, InScope for none.
const (
	InScope     Mismatch = iota
	OtherScheme          // https instead of http
	PlainHTTP            // http instead of https
	OtherHost
	OtherWWW // hosts that differ in www. only
	OtherPort
	OtherPath
)

// Compare returns the most important part of u that differs from the scope,
// whose Origin must be known.
func (s *Scope) Compare(u *url.URL) Mismatch {
	host, own := Hostname(u), Hostname(s.Origin)
	switch {
	case host != own && strings.TrimPrefix(host, "www.") == strings.TrimPrefix(own, "www."):
		return OtherWWW
	case host != own:
		return OtherHost
	case !strings.EqualFold(u.Scheme, s.Origin.Scheme) && strings.EqualFold(u.Scheme, "http"):
		return PlainHTTP
	case !strings.EqualFold(u.Scheme, s.Origin.Scheme):
		return OtherScheme
	case portOf(u) != portOf(s.Origin):
		return OtherPort
	case s.Address != nil && !strings.HasPrefix(u.EscapedPath(), Folder(s.Address)) && Folder(s.Address) != "/":
		return OtherPath
	}
	return InScope
}

// Hostname returns the host of an address without its port, in lower case and in Punycode.
func Hostname(u *url.URL) string {
	host := strings.ToLower(u.Hostname())
	if isASCII(host) {
		return host
	}
	usual, err := new(urlnorm.Base).AppendResolve(nil, []byte("http://"+host+"/"))
	if err != nil {
		return host
	}
	return string(usual[len("http://") : len(usual)-len("/")])
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

func portOf(u *url.URL) string {
	if port := u.Port(); port != "" {
		return port
	}
	return DefaultPort(strings.ToLower(u.Scheme))
}

// DefaultPort returns the port that a URL of http or https has without naming
// it, and nothing for other schemes.
func DefaultPort(scheme string) string {
	switch scheme {
	case "http":
		return "80"
	case "https":
		return "443"
	}
	return ""
}

// IsVerified reports whether the host of u, or one above it, is among hosts.
func IsVerified(hosts []string, u *url.URL) bool {
	host := Hostname(u)
	for _, verified := range hosts {
		verified = Hostname(&url.URL{Host: verified})
		if host == verified || strings.HasSuffix(host, "."+verified) {
			return true
		}
	}
	return false
}

// IsPrivate reports whether a host can be reached from its own network only.
func IsPrivate(host string) bool {
	host = strings.ToLower(host)
	if host == "localhost" {
		return true
	}
	for _, suffix := range []string{".localhost", ".local", ".internal"} {
		if strings.HasSuffix(host, suffix) {
			return true
		}
	}
	a, err := netip.ParseAddr(host)
	return err == nil && (a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() || a.IsUnspecified())
}

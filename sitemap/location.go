package sitemap

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mapatools/mapa/sitemap/internal/xmltext"
	"golang.org/x/net/idna"
)

// Why a location may not be written. [FieldError] wraps them.
var (
	// ErrMissing says that a required value, of any field, is missing.
	ErrMissing = errors.New("required and missing")
	// ErrRelative says that the location has no scheme.
	ErrRelative = errors.New("not an absolute URL")
	// ErrScheme says that the scheme is neither http nor https.
	ErrScheme = errors.New("neither http nor https")
	// ErrHost says that there is no host, or that it cannot be one.
	ErrHost = errors.New("no valid host")
	// ErrTooLong says that the encoded location is longer than MaxLocLength.
	ErrTooLong = fmt.Errorf("longer than %d characters", MaxLocLength)
	// ErrTooShort says that the encoded location is shorter than MinLocLength.
	ErrTooShort = fmt.Errorf("shorter than %d characters", MinLocLength)
	// ErrText says that a text, of any field, has a character that XML 1.0 cannot
	// hold, or broken UTF-8.
	ErrText = errors.New("a character that XML cannot hold")
)

// appendLoc appends a location, percent-encoded (RFC 3986, section 2; non-ASCII
// by RFC 3987, 3.1), then entity-escaped for XML. What is encoded or escaped
// already stays, so that the result is always escaped exactly once.
func appendLoc(dst []byte, loc string) ([]byte, error) {
	if isPlainLoc(loc) {
		return append(dst, loc...), nil
	}
	return appendEncoded(dst, loc)
}

func appendEncoded(dst []byte, loc string) ([]byte, error) {
	var room [256]byte
	address, err := encode(room[:0], loc)
	if err != nil {
		return dst, err
	}
	return xmltext.AppendEscaped(dst, address), nil
}

// isPlainLoc reports whether a location is written as it is, which is true of
// nearly all.
func isPlainLoc(loc string) bool {
	origin := originLength(loc)
	return origin > 0 && isPlainAfter(loc, origin)
}

// originLength returns the number of bytes of scheme, host and the slash after
// them; 0 where they need a closer look.
func originLength(loc string) int {
	i := len("https://")
	if !strings.HasPrefix(loc, "https://") {
		if i--; !strings.HasPrefix(loc, "http://") {
			return 0
		}
	}
	host := i
	for ; i < len(loc) && isHostByte[loc[i]] == 1; i++ {
		if loc[i] == '.' && (loc[i-1] == '.' || loc[i-1] == '/') { // an empty label
			return 0
		}
	}
	if i == host || i == len(loc) || loc[i] != '/' {
		return 0
	}
	return i + 1
}

func isPlainAfter(loc string, origin int) bool {
	return len(loc) >= MinLocLength && len(loc) <= MaxLocLength && isPlain(loc, origin)
}

// An originCache holds the scheme, host and slash of the last location, since the
// next one usually begins with the same.
type originCache []byte

// isPlainLoc does the work of the function isPlainLoc.
func (c *originCache) isPlainLoc(loc string) bool {
	if n := len(*c); n == 0 || n > len(loc) || loc[:n] != string(*c) {
		*c = append((*c)[:0], loc[:originLength(loc)]...)
	}
	return len(*c) > 0 && isPlainAfter(loc, len(*c))
}

// encode appends the percent-encoded form of a location, unescaped.
func encode(dst []byte, loc string) ([]byte, error) {
	start := len(dst)
	loc = strings.Trim(unescapeOnce(loc), xmltext.Whitespace)
	if loc == "" {
		return dst, ErrMissing
	}
	if !hasScheme([]byte(loc)) {
		return dst, ErrRelative
	}
	scheme, rest, _ := strings.Cut(loc, ":")
	if !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return dst, ErrScheme
	}
	rest, found := strings.CutPrefix(rest, "//")
	if !found {
		return dst, ErrHost
	}
	authority := rest
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		authority = rest[:i]
	}
	rest = rest[len(authority):]
	dst, err := appendAuthority(append(append(dst, strings.ToLower(scheme)...), "://"...), authority)
	if err != nil {
		return dst, err
	}
	dst = appendPercent(dst, rest)
	if len(dst)-start < MinLocLength && rest == "" {
		dst = append(dst, '/')
	}
	switch length := len(dst) - start; {
	case length > MaxLocLength:
		return dst, ErrTooLong
	case length < MinLocLength:
		return dst, ErrTooShort
	}
	return dst, nil
}

// EncodeLoc returns a location as this package writes it, before escaping for XML:
// percent-encoded, with an ASCII host. What is encoded already stays. The error,
// such as [ErrScheme], says why the location cannot be written.
func EncodeLoc(loc string) (string, error) {
	if isPlainLoc(loc) {
		return loc, nil
	}
	address, err := encode(nil, loc)
	if err != nil {
		return "", err
	}
	return string(address), nil
}

// appendAuthority writes the host in ASCII.
func appendAuthority(dst []byte, authority string) ([]byte, error) {
	if strings.IndexByte(authority, '\\') >= 0 { // browsers read it as a slash, which makes another host
		return dst, ErrHost
	}
	host := authority
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		user := strings.ReplaceAll(authority[:i], "@", "%40")
		dst = append(appendPercent(dst, user), '@')
		host = authority[i+1:]
	}
	port := ""
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		host, port = host[:i], host[i:]
		if _, err := strconv.ParseUint(port[1:], 10, 16); err != nil && port != ":" {
			return dst, ErrHost
		}
		if port == ":" { // means the usual port (RFC 3986, 6.2.3) and no schema accepts it
			port = ""
		}
	}
	host, err := asciiHost(host)
	if err != nil {
		return dst, err
	}
	return append(append(dst, host...), port...), nil
}

// asciiHost returns a host as it is looked up: names in ASCII (UTS 46, as
// browsers do), IPv6 addresses in brackets (RFC 3986, 3.2.2).
func asciiHost(host string) (string, error) {
	if inner, found := strings.CutPrefix(host, "["); found {
		inner, closed := strings.CutSuffix(inner, "]")
		address, err := netip.ParseAddr(inner)
		if err != nil || !closed || !address.Is6() || address.Zone() != "" {
			return "", ErrHost
		}
		return host, nil
	}
	host, err := url.PathUnescape(host)
	if err == nil && !isASCII(host) && utf8.ValidString(host) {
		host, err = idna.Lookup.ToASCII(host)
	}
	if err != nil || host == "" || hasEmptyLabel(host) {
		return "", ErrHost
	}
	for i := range len(host) {
		if isHostByte[host[i]] == 0 {
			return "", ErrHost
		}
	}
	return host, nil
}

// hasEmptyLabel reports whether a host has two dots together or one at its start. One
// at its end is the root of the DNS.
func hasEmptyLabel(host string) bool { return host[0] == '.' || strings.Contains(host, "..") }

var errReference = errors.New("not a URI reference")

// encodeReference percent-encodes a reference with any scheme or without one (RFC
// 3986, section 4.1).
func encodeReference(reference string) (string, error) {
	address := string(appendPercent(nil, strings.Trim(unescapeOnce(reference), xmltext.Whitespace)))
	parsed, err := url.Parse(address)
	switch {
	case address == "":
		return "", ErrMissing
	case err != nil, strings.HasSuffix(parsed.Host, ":"), parsed.User != nil &&
		strings.Contains(parsed.User.String(), "%40"):
		return "", errReference
	}
	return address, nil
}

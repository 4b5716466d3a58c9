package sitemap

import (
	"errors"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// Why a location may not be written.
var (
	ErrMissing  = errors.New("required and missing")
	ErrRelative = errors.New("not an absolute URL")
	ErrScheme   = errors.New("neither http nor https")
	ErrHost     = errors.New("no valid host")
	ErrTooLong  = errors.New("2,048 characters or more")
	ErrTooShort = errors.New("shorter than 12 characters")
	ErrText     = errors.New("a character that XML cannot hold")
)

const (
	longestLoc  = 2047 // "less than 2,048 characters", sitemaps.org/protocol.html
	shortestLoc = 12   // sitemap.xsd, tLoc
)

// plainLoc tells the bytes that a location holds as they are, in XML as well.
var plainLoc = func() (t [256]bool) {
	for _, c := range "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/?@!$()*+,;=" {
		t[c] = true
	}
	return t
}()

// appendLoc appends a location, percent-encoded (RFC 3986, section 2; non-ASCII
// by RFC 3987, 3.1), then entity-escaped for XML. What is encoded or escaped
// already stays, so that the result is escaped once whatever came in.
func appendLoc(dst []byte, loc string) ([]byte, error) {
	if isPlainLoc(loc) {
		return append(dst, loc...), nil
	}
	start := len(dst)
	address, err := encode(dst[start:], loc)
	if err != nil {
		return dst, err
	}
	return appendEscaped(dst, string(address)), nil
}

// isPlainLoc reports whether a location is written as it is. It says no when in
// doubt.
func isPlainLoc(loc string) bool {
	if len(loc) < shortestLoc || len(loc) > longestLoc {
		return false
	}
	rest, found := strings.CutPrefix(loc, "https://")
	if !found {
		if rest, found = strings.CutPrefix(loc, "http://"); !found {
			return false
		}
	}
	switch rest[0] {
	case '/', '?', ':', '@':
		return false
	}
	plain := true
	for i := range len(rest) {
		plain = plain && plainLoc[rest[i]]
	}
	return plain
}

// encode appends the percent-encoded form of a location, unescaped.
func encode(dst []byte, loc string) ([]byte, error) {
	start := len(dst)
	loc = strings.Trim(unescapeOnce(loc), whitespace)
	if loc == "" {
		return dst, ErrMissing
	}
	scheme, rest, found := strings.Cut(loc, "://")
	switch {
	case !hasScheme([]byte(loc)):
		return dst, ErrRelative
	case !found || !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https"):
		return dst, ErrScheme
	}
	dst = append(append(dst, strings.ToLower(scheme)...), "://"...)
	authority := rest
	if i := strings.IndexAny(rest, "/?#\\"); i >= 0 {
		authority, rest = rest[:i], rest[i:]
	} else {
		rest = ""
	}
	dst, err := appendAuthority(dst, authority)
	if err != nil {
		return dst, err
	}
	dst = appendPercent(dst, rest)
	if length := len(dst) - start; length < shortestLoc && rest == "" {
		dst = append(dst, '/')
	}
	switch length := len(dst) - start; {
	case length > longestLoc:
		return dst, ErrTooLong
	case length < shortestLoc:
		return dst, ErrTooShort
	}
	return dst, nil
}

var xmlEntities = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&#38;", "&", "&#39;", "'")

// unescapeOnce takes back the escaping of a location that came out of XML or
// HTML as it stood there: no address means &amp; by itself.
func unescapeOnce(loc string) string {
	if strings.IndexByte(loc, '&') < 0 {
		return loc
	}
	return xmlEntities.Replace(loc)
}

// appendAuthority writes the host in ASCII (UTS 46, as browsers do).
func appendAuthority(dst []byte, authority string) ([]byte, error) {
	host := authority
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		dst = append(appendPercent(dst, authority[:i]), '@')
		host = authority[i+1:]
	}
	port := ""
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		host, port = host[:i], host[i:]
		if strings.Trim(port[1:], "0123456789") != "" {
			return dst, ErrHost
		}
	}
	if !isASCII(host) {
		ascii, err := idna.Lookup.ToASCII(host)
		if err != nil {
			return dst, ErrHost
		}
		host = ascii
	}
	if host == "" || strings.ContainsAny(host, " \t\r\n\"&'<>\\^`{|}%") {
		return dst, ErrHost
	}
	return append(append(dst, host...), port...), nil
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

const upperHex = "0123456789ABCDEF"

// appendPercent encodes what may not stand behind the host. A percent sign that
// begins no encoded byte is encoded itself.
func appendPercent(dst []byte, s string) []byte {
	fragment := false
	for i := range len(s) {
		c := s[i]
		switch {
		case plainLoc[c], c == '&', c == '\'',
			c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]),
			c == '#' && !fragment:
			fragment = fragment || c == '#'
			dst = append(dst, c)
		default:
			dst = append(dst, '%', upperHex[c>>4], upperHex[c&15])
		}
	}
	return dst
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

// appendEscaped appends text with the five characters escaped that
// sitemaps.org/protocol.html#escaping names.
func appendEscaped(dst []byte, text string) []byte {
	from := 0
	for i := range len(text) {
		var entity string
		switch text[i] {
		case '&':
			entity = "&amp;"
		case '<':
			entity = "&lt;"
		case '>':
			entity = "&gt;"
		case '"':
			entity = "&quot;"
		case '\'':
			entity = "&apos;"
		default:
			continue
		}
		dst = append(append(dst, text[from:i]...), entity...)
		from = i + 1
	}
	return append(dst, text[from:]...)
}

// checkText reports text that XML 1.0 cannot hold (section 2.2).
func checkText(text string) error {
	if !utf8.ValidString(text) {
		return ErrText
	}
	for _, r := range text {
		if !isXMLChar(r) {
			return ErrText
		}
	}
	return nil
}

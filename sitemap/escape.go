package sitemap

import (
	"strings"
	"unicode/utf8"

	"github.com/mapatools/mapa/sitemap/internal/xmltext"
)

// isLocByte has a 1 for the bytes that a location holds as they are, in XML as well;
// hostByte for those that may be in a host.
var (
	isLocByte  = setOf(hostCharacters + ":/?@")
	isHostByte = setOf(hostCharacters)
)

const hostCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$()*+,;="

func setOf(bytes string) (set [256]byte) {
	for _, c := range []byte(bytes) {
		set[c] = 1
	}
	return set
}

// isPlain reports whether a location is written as it is from byte i on; all
// before, eight bytes at least, is. The last step looks at some of it again.
func isPlain(loc string, i int) bool {
	for i < len(loc) {
		i = min(i+8, len(loc))
		s := loc[i-8 : i]
		if isLocByte[s[0]]&isLocByte[s[1]]&isLocByte[s[2]]&isLocByte[s[3]]&
			isLocByte[s[4]]&isLocByte[s[5]]&isLocByte[s[6]]&isLocByte[s[7]] == 0 {
			return false
		}
	}
	return true
}

// unescapeOnce takes back the escaping of a location that came out of XML or
// HTML still escaped, even several times: no address contains &amp; itself.
func unescapeOnce(loc string) string {
	var plain []byte
	done := 0 // of loc, in plain
	for at := 0; ; {
		n := strings.IndexByte(loc[at:], '&')
		if n < 0 {
			break
		}
		at += n + 1
		if c, rest := unescapeFirst(loc[at:]); len(rest) < len(loc)-at {
			plain = append(append(plain, loc[done:at-1]...), c)
			done = len(loc) - len(rest)
			at = done
		}
	}
	if done == 0 {
		return loc
	}
	return string(append(plain, loc[done:]...))
}

// unescapeFirst returns the character that an & followed by text means, and the
// rest of the text.
func unescapeFirst(text string) (c byte, rest string) {
	for {
		inner, found := cutEither(text, "amp;", "#38;")
		if !found {
			break
		}
		text = inner
	}
	for _, e := range []struct {
		char        byte
		name, digit string
	}{{'<', "lt;", "#60;"}, {'>', "gt;", "#62;"}, {'"', "quot;", "#34;"}, {'\'', "apos;", "#39;"}} {
		if rest, found := cutEither(text, e.name, e.digit); found {
			return e.char, rest
		}
	}
	return '&', text
}

func cutEither(text, a, b string) (rest string, found bool) {
	if rest, found = strings.CutPrefix(text, a); found {
		return rest, true
	}
	return strings.CutPrefix(text, b)
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

// appendPercent encodes what may not follow the host. A percent sign that does not
// begin an encoded byte is encoded itself.
func appendPercent(dst []byte, s string) []byte {
	fragment := false
	for i := range len(s) {
		c := s[i]
		switch {
		case isLocByte[c] == 1, c == '&', c == '\'',
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

// checkText reports text that XML 1.0 cannot hold (section 2.2).
func checkText(text string) error {
	if !utf8.ValidString(text) {
		return ErrText
	}
	for _, r := range text {
		if !xmltext.IsChar(r) {
			return ErrText
		}
	}
	return nil
}

package format

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// AppendURL appends a URL, which begins a line, in a form that is safe to print and
// means the same: without user information, and what [Printable] would escape is
// percent-encoded.
func AppendURL(dst, url []byte) []byte {
	url = WithoutUser(url)
	if i := firstUnsafe(url); i >= 0 {
		return appendEncoded(append(dst, url[:i]...), url[i:], i == 0)
	}
	return append(dst, url...)
}

// firstUnsafe returns the index of the first character that may need an escape, or -1.
func firstUnsafe(url []byte) int {
	if text := bytes.TrimLeft(url, " "); bytes.HasPrefix(text, []byte("::")) {
		return 0
	}
	for i, c := range url {
		if c < 0x20 || c >= 0x7f || c == '#' {
			return i
		}
	}
	return -1
}

func appendEncoded(dst, url []byte, begins bool) []byte {
	begins = begins && bytes.HasPrefix(bytes.TrimLeft(url, " "), []byte("::"))
	for len(url) > 0 {
		r, size := utf8.DecodeRune(url)
		invalid := r == utf8.RuneError && size == 1
		switch {
		case invalid, isControl(r), begins && r == ':', r == '#' && isCommand(string(url[:min(len(url), len("##vso["))])):
			for _, c := range url[:size] {
				const hex = "0123456789ABCDEF"
				dst = append(dst, '%', hex[c>>4], hex[c&15])
			}
			begins = begins && r != ':'
		default:
			dst = append(dst, url[:size]...)
		}
		url = url[size:]
	}
	return dst
}

var linkCommands = strings.NewReplacer("##[", "#%23[", "##vso[", "#%23vso[")

// Link returns a URL for an attribute of HTML, without commands of workflow runners.
func Link(url string) string { return linkCommands.Replace(url) }

// ReadableURL returns a URL as people read it: escapes of letters, digits and signs beyond ASCII are
// decoded, such as those of "cerámica". Other escapes stay: they may mean something else, or act on
// the display. Only for people: a URL is copied, exported and linked as it is.
func ReadableURL(url string) string {
	if !strings.Contains(url, "%") {
		return url
	}
	var decoded strings.Builder
	for url != "" {
		text, size := decodeEscapes(url)
		if size == 0 {
			text, size = url[:1], 1
		}
		decoded.WriteString(text)
		url = url[size:]
	}
	return decoded.String()
}

// decodeEscapes decodes the escapes at the beginning of a URL as one character, and returns how long they
// are: 0 where they stay.
func decodeEscapes(url string) (text string, size int) {
	var encoded [utf8.UTFMax]byte
	for n := range encoded {
		at := 3 * n
		if len(url) < at+3 || url[at] != '%' {
			break
		}
		b, err := strconv.ParseUint(url[at+1:at+3], 16, 8)
		if err != nil || b < utf8.RuneSelf {
			break
		}
		encoded[n] = byte(b)
		if r, length := utf8.DecodeRune(encoded[:n+1]); r != utf8.RuneError && length == n+1 {
			if unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S) && !isControl(r) {
				return string(r), at + 3
			}
			break
		}
	}
	return "", 0
}

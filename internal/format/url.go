package format

import (
	"bytes"
	"strings"
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

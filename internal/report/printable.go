package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns a text that does nothing but show: on one line, without
// anything that moves a cursor, turns the direction of writing, hides, or is a
// command to the runner of GitHub's workflows. What is not shown as it is stands
// there as an escape of Go, such as \x1b or \u202e.
func Printable(text string) string {
	if isPlain(text) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteByte(' ')
		case r < 0x80 && isControl(r):
			fmt.Fprintf(&b, `\x%02x`, r)
		case r > 0xffff && isControl(r):
			fmt.Fprintf(&b, `\U%08x`, r)
		case isControl(r), isCommand(text, i):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isControl reports whether a rune does something instead of being seen:
// controls, format characters such as the marks of direction, and the separators
// of lines and paragraphs.
func isControl(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Noncharacter_Code_Point)
}

// isCommand reports whether a command of a GitHub workflow begins at i: "::" where
// a line may begin, and "##[" anywhere
// (https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs).
// Azure's "##vso[" is of the same kind.
func isCommand(text string, i int) bool {
	rest := text[i:]
	switch {
	case strings.HasPrefix(rest, "::"):
		return strings.TrimSpace(text[:i]) == ""
	case strings.HasPrefix(rest, "##"):
		return strings.HasPrefix(rest, "##[") || strings.HasPrefix(rest, "##vso[")
	}
	return false
}

// isPlain reports whether a text holds nothing that Printable changes. It may
// err on the side of caution.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < 0x20 || c >= 0x7f || c == '#' || c == ':' && i == 0 {
			return false
		}
	}
	return !strings.HasPrefix(text, " ")
}

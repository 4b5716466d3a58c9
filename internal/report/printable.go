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
	begun := false // whether a line's first character was seen
	for i, r := range text {
		isFirst := !begun && !unicode.IsSpace(r)
		begun = begun || isFirst
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
		case isControl(r), isCommand(text[i:]), isFirst && strings.HasPrefix(text[i:], "::"):
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

// isCommand reports whether a text begins with what the runner of GitHub's
// workflows takes for a command wherever it stands; "::" is one only where a line
// begins (https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs).
// Azure's "##vso[" is of the same kind.
func isCommand(text string) bool {
	return strings.HasPrefix(text, "##[") || strings.HasPrefix(text, "##vso[")
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

package format

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns text on one line that is safe to print. Characters that move a
// cursor, reverse the direction of text or hide become Go escapes such as \x1b or
// \u202e, and so do the commands of GitHub's workflow runner.
func Printable(text string) string {
	if isPlain(text) {
		return text
	}
	var b strings.Builder
	begun := false // after the first character that is not a space
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

// isControl reports whether r is a control, a format character such as a direction
// mark, a line or paragraph separator, a filler that nobody sees, a private-use character
// or a noncharacter.
func isControl(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Noncharacter_Code_Point,
		unicode.Other_Default_Ignorable_Code_Point)
}

// isCommand reports whether text begins with "##[", which GitHub's workflow runner
// takes for a command anywhere in a line, or with Azure's "##vso[". A "::" is a
// command only at the beginning of a line
// (https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs).
func isCommand(text string) bool {
	return strings.HasPrefix(text, "##[") || strings.HasPrefix(text, "##vso[")
}

// isPlain reports whether Printable certainly leaves text as it is.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < 0x20 || c >= 0x7f || c == '#' || c == ':' && i == 0 {
			return false
		}
	}
	return !strings.HasPrefix(text, " ")
}

package format

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain returns text on one line without the characters that [Printable] escapes, since
// they act on the display or hide. It keeps those that belong to a script: the joiners of
// Persian, Hindi and emoji, the signs above Arabic numbers, and private-use characters,
// which have glyphs in a site's own font. Commands of workflow runners get a space.
func Plain(text string) string {
	if strings.Contains(text, "##") {
		text = plainCommands.Replace(text)
	}
	for i := range len(text) {
		if c := text[i]; c < 0x20 || c >= 0x7f {
			return strings.Map(dropActive, strings.ToValidUTF8(text, ""))
		}
	}
	return text
}

// plainCommands breaks what isCommand finds.
var plainCommands = strings.NewReplacer("##[", "# #[", "##vso[", "# #vso[")

func dropActive(r rune) rune {
	switch {
	case r == '\t', r == '\n', r == '\r':
		return ' '
	case r == utf8.RuneError, isControl(r) && !isOfScript(r):
		return -1
	}
	return r
}

// isOfScript reports whether a control or format character is a part of written text.
func isOfScript(r rune) bool {
	const nonJoiner, joiner = 0x200c, 0x200d
	return r == nonJoiner || r == joiner || unicode.In(r, unicode.Prepended_Concatenation_Mark, unicode.Co)
}

// Truncate cuts text to at most n characters and marks the cut with an ellipsis.
func Truncate(text string, n int) string {
	if len(text) <= n {
		return text
	}
	count := 0
	for i := range text {
		if count++; count > n {
			return text[:i] + "…"
		}
	}
	return text
}

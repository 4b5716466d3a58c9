package format

import (
	"strings"
	"unicode/utf8"
)

// Plain returns text on one line without the characters that act on the display:
// controls, the characters that embed, override or isolate a direction of text
// (UAX #9, 2.1 to 2.5), line separators and noncharacters. It keeps the direction
// marks that Hebrew and Arabic need. Commands of workflow runners get a space.
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
	case isActive(r):
		return -1
	}
	return r
}

func isActive(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return true
	case r >= 0x2028 && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return r == utf8.RuneError || r == 0xfeff || r&0xfffe == 0xfffe
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

package hostile

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// textProblem returns why a text is not safe to print, or nothing: it may hold no
// control character besides the line feed and the tab, no character that reverses
// the direction of text or separates lines, and no command of a CI runner.
func textProblem(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if r, found := forbidden(line); found {
			return fmt.Sprintf("%U in %.300q", r, line)
		}
		if command := commandIn(line); command != "" {
			return fmt.Sprintf("the command %s in %.300q", command, line)
		}
	}
	return ""
}

// reversing are the characters that embed, override or isolate a direction of text.
// The marks that Hebrew and Arabic need are not among them.
var reversing = &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0x202a, Hi: 0x202e, Stride: 1}, {Lo: 0x2066,
	Hi: 0x2069, Stride: 1}}}

func forbidden(line string) (r rune, found bool) {
	for i, r := range line {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(line[i:], "\uFFFD"):
			return rune(line[i]), true
		case r != '\t' && unicode.Is(unicode.Cc, r), unicode.In(r, unicode.Zl, unicode.Zp), unicode.Is(reversing, r):
			return r, true
		}
	}
	return 0, false
}

// commandIn returns the command that a CI runner sees in a line. GitHub's takes "::"
// at the beginning of a line and "##[" anywhere, Azure's "##vso[" anywhere.
func commandIn(line string) string {
	for _, command := range []string{"##[", "##vso["} {
		if strings.Contains(line, command) {
			return command
		}
	}
	if strings.HasPrefix(strings.TrimSpace(line), "::") {
		return "::"
	}
	return ""
}

package hostile

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// textProblem returns why a text is not safe to print, or nothing: it may hold no
// control character besides the line feed and the tab, no character that changes the
// direction of text, separates lines or is invisible, and no command of a CI runner.
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

// invisible are characters that a reader does not see, though a program does. The
// joiners of Persian, Hindi and emoji are not among them.
const invisible = "\u00ad\u034f\u115f\u1160\u180e\u200b\u2060\u2061\u2062\u2063\u2064\u206a\u206f\u3164\ufeff\uffa0\U000e0041\U000e007f"

func forbidden(line string) (r rune, found bool) {
	for i, r := range line {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(line[i:], "\uFFFD"):
			return rune(line[i]), true
		case r != '\t' && unicode.Is(unicode.Cc, r), unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control),
			strings.ContainsRune(invisible, r):
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

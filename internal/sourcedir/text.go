package sourcedir

import (
	"regexp"
	"strings"
	"unicode"
)

// calledText is what only templates know in a text.
var calledText = regexp.MustCompile(`\x{FDD1}+[^\x{FDD2}]*\x{FDD2}+|\x{FDD3}+`)

// foldText returns what the text of a link in a source and that in the page have in common: the letters
// and digits, and a mark for each part that only templates know. Generators change quotation marks,
// dashes and white space.
func foldText(text string) string {
	text = calledText.ReplaceAllLiteralString(text, unknownText)
	return strings.Map(func(r rune) rune {
		if r == unknownMark || unicode.In(r, unicode.L, unicode.M, unicode.N) {
			return r
		}
		return -1
	}, text)
}

// unknownText is the folded text that only templates know.
const unknownText = string(unknownMark)

// mayBe reports whether a text of the sources may be the one of a page, or begin with one that is cut.
func mayBe(source, page string, cut bool) bool {
	begin, rest, isPattern := strings.Cut(source, unknownText)
	switch {
	case !isPattern:
		return source == page || cut && strings.HasPrefix(source, page)
	case cut:
		return strings.HasPrefix(begin, page) || strings.HasPrefix(page, begin)
	}
	parts := strings.Split(rest, unknownText)
	end := parts[len(parts)-1]
	return len(begin)+len(end) <= len(page) && strings.HasPrefix(page, begin) && strings.HasSuffix(page, end)
}

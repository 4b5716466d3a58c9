package sourcedir

import (
	"html"
	"regexp"
	"strings"
	"unicode"
)

// foldText returns what the text of a link in a source and that in the page have in common: the letters
// and digits. Generators change quotation marks, dashes and white space.
func foldText(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.L, unicode.M, unicode.N) {
			return r
		}
		return -1
	}, text)
}

var (
	tagPattern   = regexp.MustCompile(`</?[A-Za-z][^<>]*>|<!--.*?-->`)
	imagePattern = regexp.MustCompile(`!\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])`)
	altPattern   = regexp.MustCompile(`(?i)\s(?:alt|aria-label|title|label)\s*=\s*(?:"([^"]*)"|'([^']*)')`)
)

// markdownText returns the text of a link in Markdown without markup. Tags in code are text.
func markdownText(text string) string {
	text = imagePattern.ReplaceAllString(text, "$1")
	parts := strings.Split(text, "`")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = html.UnescapeString(tagPattern.ReplaceAllString(parts[i], ""))
	}
	return strings.Join(parts, "`")
}

// tagText returns the text of an element: what is between its tags, or else the first name in them.
func tagText(tag, inner string) string {
	if text := markdownText(inner); foldText(text) != "" {
		return text
	}
	if name := altPattern.FindStringSubmatch(inner + " " + tag); name != nil {
		return html.UnescapeString(name[1] + name[2])
	}
	return ""
}

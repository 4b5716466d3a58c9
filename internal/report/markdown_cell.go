package report

import (
	"regexp"
	"strings"
	"sync"

	"github.com/mapatools/mapa/internal/format"
)

// markdownCell returns a text as a cell of a Markdown table, in which nothing is markup, mentions people, or
// names an issue or a commit. GitHub and GitLab look for @name, #12, GH-12 and their like in the finished page,
// so that no escape hides them (https://github.com/github/cmark-gfm/issues/181). Words that are more than
// letters or a short number are code spans, except plain URLs. A pipe ends a word, because not all programs
// read one in a code span of a table alike.
func markdownCell(text string) string {
	var b strings.Builder
	text = format.Printable(text)
	for text != "" {
		end := strings.IndexAny(text, " |")
		if end < 0 {
			end = len(text)
		}
		writeMarkdownWord(&b, text[:end])
		if end == len(text) {
			break
		}
		if text[end] == '|' {
			b.WriteByte('\\')
		}
		b.WriteByte(text[end])
		text = text[end+1:]
	}
	return b.String()
}

// writeMarkdownWord writes a word without a space. Punctuation around it stays text.
func writeMarkdownWord(b *strings.Builder, word string) {
	inner := strings.TrimLeft(word, `("'“‘«…`)
	before := word[:len(word)-len(inner)]
	closing := `"'”’»,.:;?…`
	if !strings.Contains(inner, "(") {
		closing += ")"
	}
	inner = strings.TrimRight(inner, closing)
	after := word[len(before)+len(inner):]
	isLink := b.Len() == 0 || strings.HasSuffix(b.String(), " ") // elsewhere, a URL stays text
	isURL := isLink && before == "" && plainURL.MatchString(inner) && !numberedURL.MatchString(inner)
	if inner == "" || isURL || plainWord().MatchString(inner) && !letterHash.MatchString(inner) {
		b.WriteString(word)
		return
	}
	fence := "`"
	for strings.Contains(inner, fence) {
		fence += "`"
	}
	space := ""
	if strings.HasPrefix(inner, "`") || strings.HasSuffix(inner, "`") {
		space = " " // one space on each side is not part of the code
	}
	b.WriteString(before + fence + space + inner + space + fence + after)
}

var (
	plainWord = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:[\pL\pM]+(?:['’-][\pL\pM]+)*|[0-9][0-9.,]{0,5}|[→–—…·])$`)
	})
	letterHash = regexp.MustCompile(`\b[a-fA-F]{7,}\b`) // of a commit

	plainURL = regexp.MustCompile(`^https?://(?:[A-Za-z0-9-]+\.)+[a-z]+(?::[0-9]+)?` +
		`(?:[/?][A-Za-z0-9./?=-]*)?(?:#[A-Za-z][A-Za-z0-9-]*)?$`)
	// numberedURL matches URLs such as https://github.com/owner/repository/issues/12, of issues and commits.
	numberedURL = regexp.MustCompile(`^https?://[^/]+(?:/+[^/]+){3,}/+(?:[0-9]+|[0-9a-fA-F]{7,})(?:[./?#]|$)`)
)

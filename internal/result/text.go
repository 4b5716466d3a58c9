package result

import (
	"bytes"
	"net/url"
	"strings"

	"github.com/mapatools/mapa/internal/format"
)

// Characters of a URL and a title that a search finds. Both are shorter as a rule.
const (
	maxSearchURL   = 2100
	maxSearchTitle = 300
)

// searchText returns the text by which a URL is found: on one line, in lower case.
func searchText(url, title string) string {
	return strings.ToLower(format.Truncate(format.Plain(url), maxSearchURL) + "\t" +
		format.Truncate(format.Plain(title), maxSearchTitle))
}

// needles returns what a search looks for: the text, and how a URL has it.
func needles(text string) [][]byte {
	text = strings.ToLower(strings.TrimSpace(format.Plain(text)))
	if text == "" {
		return nil
	}
	list := [][]byte{[]byte(text)}
	if escaped := strings.ToLower((&url.URL{Path: text}).EscapedPath()); escaped != text {
		list = append(list, []byte(escaped))
	}
	return list
}

// findLines calls each with the number of every line, from 0, that has one of the
// needles, once for each needle.
func findLines(texts []byte, needles [][]byte, each func(line int)) {
	for _, needle := range needles {
		line, rest := 0, texts
		for {
			at := bytes.Index(rest, needle)
			if at < 0 {
				break
			}
			line += bytes.Count(rest[:at], lineEnd)
			each(line)
			end := bytes.IndexByte(rest[at:], '\n')
			if end < 0 {
				break
			}
			line, rest = line+1, rest[at+end+1:]
		}
	}
}

var lineEnd = []byte("\n")

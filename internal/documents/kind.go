package documents

import (
	"bytes"
	"path"
	"strings"
)

// A kind says how the links of a file are written.
type kind uint8

const (
	kindOther kind = iota
	kindMarkdown
	kindHTML
	kindText
)

var kinds = map[string]kind{
	".md": kindMarkdown, ".markdown": kindMarkdown, ".mdx": kindMarkdown,
	".html": kindHTML, ".htm": kindHTML, ".xhtml": kindHTML,
	".txt": kindText, ".rst": kindText, ".adoc": kindText, ".org": kindText,
}

func kindOf(name string) kind { return kinds[strings.ToLower(path.Ext(name))] }

// parseStdin finds the links and anchors of a text without a name: HTML begins with a tag, and
// Markdown is what is no list of URLs.
func parseStdin(text []byte) *document {
	trimmed := bytes.TrimSpace(text)
	switch {
	case bytes.HasPrefix(trimmed, []byte{'<'}):
		return parse("-.html", text)
	case bytes.HasPrefix(trimmed, []byte("http://")), bytes.HasPrefix(trimmed, []byte("https://")):
		return readText(text)
	}
	return readMarkdown(text)
}

// parse finds the links and anchors of a file that is not HTML.
func parse(name string, text []byte) *document {
	switch kindOf(name) {
	case kindMarkdown:
		return readMarkdown(text)
	case kindHTML:
		return readHTML(text)
	}
	return readText(text)
}

// Markdown returns the links of Markdown, and of the HTML in it, in the order of their places.
func Markdown(text []byte) []Link { return readMarkdown(text).links }

// HTML returns the links of HTML.
func HTML(text []byte) []Link { return readHTML(text).links }

func readHTML(text []byte) *document {
	var d document
	d.addHTML(text)
	return &d
}

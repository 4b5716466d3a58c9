package documents

import (
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

// parse finds the links and anchors of a file that is not HTML.
func parse(name string, text []byte) *document {
	switch kindOf(name) {
	case kindMarkdown:
		return readMarkdown(text)
	case kindHTML:
		var d document
		d.addHTML(text)
		return &d
	}
	return readText(text)
}

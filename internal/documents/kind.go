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

func kindOf(name string) kind {
	name = strings.ToLower(name)
	if page, is := strings.CutSuffix(name, ".erb"); is && kinds[path.Ext(page)] == kindMarkdown {
		return kindMarkdown // https://middlemanapp.com/basics/templating-language/
	}
	return kinds[path.Ext(name)]
}

// kindOf returns the kind of an open document. Standard input is HTML if it begins with a tag, and
// else Markdown, unless it is a list of URLs or larger than Markdown may be.
func (s *Set) kindOf(name string, f file) kind {
	if !s.isStdin(name) {
		return kindOf(name)
	}
	head := make([]byte, 4<<10)
	n, _ := f.ReadAt(head, 0) // a file that cannot be read is reported by who reads it
	trimmed := bytes.TrimSpace(head[:n])
	switch {
	case bytes.HasPrefix(trimmed, []byte{'<'}):
		return kindHTML
	case bytes.HasPrefix(trimmed, []byte("http://")), bytes.HasPrefix(trimmed, []byte("https://")),
		f.Size() > maxDocument:
		return kindText
	}
	return kindMarkdown
}

// parse finds the links and anchors of a part of a document that programs may make a page of.
func parse(kind kind, text []byte, p part, by dialect, done <-chan struct{}) (*document, error) {
	switch kind {
	case kindMarkdown:
		return readMarkdown(text, by, done)
	case kindHTML:
		return readHTML(text), nil
	}
	return readText(text, p), nil
}

// Markdown returns the links of Markdown, and of the HTML in it, in the order of their places. It returns none of
// Markdown that is nested too deep.
func Markdown(text []byte) []Link {
	d, err := readMarkdown(text, 0, nil)
	if err != nil {
		return nil
	}
	return d.links
}

// HTML returns the links of HTML.
func HTML(text []byte) []Link {
	var d document
	d.addHTML(text)
	return d.links
}

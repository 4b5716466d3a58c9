package documents

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// mdxMarkdown reads MDX, which has neither indented code nor HTML blocks
// (https://mdxjs.com/docs/what-is-mdx/#markdown).
var mdxMarkdown = func() goldmark.Markdown {
	isLeftOut := func(p util.PrioritizedValue) bool {
		return p.Value == parser.NewCodeBlockParser() || p.Value == parser.NewHTMLBlockParser()
	}
	comments := util.Prioritized(commentParser{parser.NewHTMLBlockParser()}, 900) // before paragraphs
	return markdownWith(append(slices.DeleteFunc(parser.DefaultBlockParsers(), isLeftOut), comments))
}()

// A commentParser parses blocks of HTML that are comments, scripts or styles, which Docusaurus reads in MDX too
// (https://docusaurus.io/docs/api/docusaurus-config#markdown).
type commentParser struct{ parser.BlockParser }

// Open implements [parser.BlockParser].
func (p commentParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, _ := reader.PeekLine()
	isBegin := func(mark string) bool { return bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte(mark)) }
	if !slices.ContainsFunc([]string{"<!--", "<script", "<style"}, isBegin) {
		return nil, parser.NoChildren
	}
	return p.BlockParser.Open(parent, reader, pc)
}

// plainFormat says that Docusaurus reads .md as Markdown, not as MDX
// (https://docusaurus.io/docs/api/docusaurus-config#markdown).
var plainFormat = regexp.MustCompile(`\bformat:\s*["'](?:detect|md)\b`)

// isMDX reports whether a document of a site is MDX: those in the folders that Docusaurus has by default, or that its
// settings name.
func (s *Set) isMDX(name string, by dialect, site string) bool {
	if strings.EqualFold(path.Ext(name), ".mdx") {
		return true
	}
	x, folder := s.indexOf(), firstOf(strings.TrimPrefix(name, strings.TrimPrefix(site+"/", "./")))
	if by&docusaurus == 0 || path.Dir(name) == site || x.plainMarkdown {
		return false
	}
	isNamed := func(before string) bool { return bytes.Contains(x.scripts, []byte(before+folder)) }
	return slices.Contains([]string{"docs", "blog", "src", "i18n"}, folder) ||
		strings.HasSuffix(folder, "versioned_docs") || slices.ContainsFunc([]string{"'", `"`, "'./", `"./`}, isNamed)
}

// mdxComment is a comment (https://mdxjs.com/docs/what-is-mdx/#expressions).
var mdxComment = regexp.MustCompile(`\{[ \t]*/\*(?:[^*]|\*+[^*/])*\*+/[ \t]*\}`)

// blankMDXComments blanks what is in comments.
func blankMDXComments(source []byte) []byte {
	if !bytes.Contains(source, []byte("/*")) {
		return source
	}
	return mdxComment.ReplaceAllFunc(source, blank)
}

// blankMDXFences blanks the fences of blocks of MDX that Docusaurus reads as if they were not in fences
// (https://github.com/facebook/docusaurus/pull/4278).
func blankMDXFences(source []byte) []byte {
	if !bytes.Contains(source, []byte("mdx-code-block")) {
		return source
	}
	plain := make([]byte, 0, len(source))
	var open []byte // the fence
	for line := range bytes.Lines(source) {
		text := bytes.TrimSpace(line)
		fence, isBegin := bytes.CutSuffix(text, []byte("mdx-code-block"))
		switch fence = bytes.TrimSpace(fence); {
		case open == nil && isBegin && codeMark.Match(fence):
			open, line = fence, blank(line)
		case open != nil && bytes.Equal(text, open):
			open, line = nil, blank(line)
		}
		plain = append(plain, line...)
	}
	return plain
}

// tagEnd is a line with nothing but the end of a tag.
var tagEnd = regexp.MustCompile(`(?m)^[ \t]*>[ \t]*\r?$`)

// joinTags moves the ends of tags of several lines to the line before, because in Markdown they begin quotes, and keeps
// the length of the text.
func joinTags(source []byte) []byte {
	if !tagEnd.Match(source) {
		return source
	}
	plain := make([]byte, 0, len(source))
	isOpen := false
	for line := range bytes.Lines(source) {
		text := bytes.TrimSpace(line)
		isBegin := len(text) > 1 && text[0] == '<' && !bytes.Contains(text, []byte{'>'})
		switch {
		case isOpen && len(text) == 1 && text[0] == '>':
			end := len(bytes.TrimRight(plain, "\r\n"))
			plain = slices.Insert(plain, end, '>')
			line = bytes.Replace(line, text, nil, 1)
			isOpen = false
		case len(text) == 0 || bytes.HasSuffix(text, []byte{'>'}) && !bytes.HasSuffix(text, []byte("=>")):
			isOpen = false
		}
		isOpen = isOpen || isBegin && ('a' <= text[1]|0x20 && text[1]|0x20 <= 'z')
		plain = append(plain, line...)
	}
	return plain
}

// tag is a line of MDX with nothing but tags. What follows is Markdown, not HTML
// (https://mdxjs.com/docs/what-is-mdx/#markdown).
var tag = regexp.MustCompile(`(?m)^[ \t]*(?:</?[A-Za-z][\w.]*(?:\s[^<>\n]*)?>[ \t]*|<summary>.*</summary>)+\r?$`)

// blankTags blanks the lines of MDX with nothing but tags, unless they have a link or an ID.
func blankTags(source []byte) []byte {
	if !bytes.Contains(source, []byte{'<'}) {
		return source
	}
	plain := make([]byte, 0, len(source))
	for line := range bytes.Lines(source) {
		if first := bytes.TrimLeft(line, " \t"); len(first) > 0 && first[0] == '<' {
			line = blankTag(line)
		}
		plain = append(plain, line...)
	}
	return plain
}

// blankTag blanks a line with nothing but tags, unless it has a link or an ID.
func blankTag(line []byte) []byte {
	return tag.ReplaceAllFunc(line, func(line []byte) []byte {
		has := func(attribute string) bool { return bytes.Contains(line, []byte(attribute)) }
		if slices.ContainsFunc([]string{"href", "src", "id="}, has) {
			return line
		}
		return blank(line)
	})
}

// usedFile is the value of an attribute of JSX that names a file (https://docusaurus.io/docs/static-assets).
var usedFile = regexp.MustCompile(`\b(href|src)=\{\s*(?:(require|useBaseUrl)\()?["']([^"'\n]+)["']\)?(?:\.default)?\s*\}`)

// linkComponent is a component of MDX that is a link.
var linkComponent = regexp.MustCompile(`<[A-Z]?[\w.]*(?:Link|Card|Tile|Button)[\w.]*(\s[^<>{}]*\bhref=["'])`)

// fillLinks replaces components that are links by elements of HTML, and keeps the length of the text.
func fillLinks(source []byte) []byte {
	if !bytes.Contains(source, []byte("href=")) {
		return source
	}
	return linkComponent.ReplaceAllFunc(source, func(tag []byte) []byte {
		rest := linkComponent.FindSubmatch(tag)[1]
		return slices.Concat([]byte("<area"), bytes.Repeat([]byte{' '}, len(tag)-len("<area")-len(rest)), rest)
	})
}

// fillFiles replaces code in attributes by the file that it names, and keeps the length of the text.
func fillFiles(source []byte) []byte {
	if !bytes.Contains(source, []byte("={")) {
		return source
	}
	return usedFile.ReplaceAllFunc(source, func(attribute []byte) []byte {
		parts := usedFile.FindSubmatch(attribute)
		name, function := string(parts[3]), string(parts[2])
		switch {
		case function == "require" && !strings.ContainsAny(name[:1], "./@~"):
			return attribute // of a package
		case function == "useBaseUrl":
			name = fromRoot(name)
		}
		filled := string(parts[1]) + `="` + name + `"`
		return append([]byte(filled), bytes.Repeat([]byte{' '}, len(attribute)-len(filled))...)
	})
}

package documents

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

var (
	// include is where a program puts a part of another file, or what a program writes.
	include = regexp.MustCompile(`(?m)^\s*--8\s*--|\{[{%][<%]?-?\s*#?(include|import|readfile|snippet|partial|render|embed|openapi|swagger|ref_doc|docs)` +
		`|\{!|<!--\s*@?include|\[\[include|':include|!!!\s*include|:::+\s*\{include|^:::[ \t]+\w+[._][\w.]+[ \t]*$|^:::[ \t]+[\w.-]+[ \t]*\n[ \t]+:?\w+:` +
		`|^\s*\.\. (include|auto\w+)::|\{[{%][<%]?\s*\w+\([^)]*\)|^@include|<embed\s|\bimport\(['"]\.|^\s*\{\{[^<>%#/{}]+\}\}\s*$`)
	// openHeading is a heading, or an ID, that a program fills in.
	openHeading = regexp.MustCompile(`<h[1-6][^>]*>\s*\{|\bid=["']?[^"'>\s]*\{`)
	// openDirective is a directive of MyST that brings in another file, or what a program writes.
	openDirective = regexp.MustCompile(`^\{(include|auto\w*|autodoc\w*|click|argparse|openapi\w*|docstring)`)
	// openText is in a block of reStructuredText that brings in what another file has.
	openText = regexp.MustCompile(`(?m)^\s*\.\. (include|auto\w+|click|argparse|openapi)::`)
	// importLine is where MDX or Vue brings in a component: the names, and the file.
	importLine = regexp.MustCompile(`(?m)^import\s+([^'"\n]+?)\s+from\s+['"]([^'"\n]+)['"]`)
	// includedFile is a line that puts in a file of Markdown.
	includedFile = regexp.MustCompile(`(?m)^.*(?:--8[<\s]--|\{\{[%<#\s]\s*(?:include|readfile\s+file=)|<!--\s*@?include|\{%-?\s*include|` +
		`<include[^>]*>|<embed\s+src=)[\s:"'(]*([^\s"'<>%{}]+\.mdx?)\b.*$`)
	// inert are files and packages that bring in no headings.
	inert = regexp.MustCompile(`^@theme$|^@theme/(Admonition|Blog|Browser|Code|Details|Doc|Heading|Icon|IdealImage|Layout|Link|LiveCode|MDX|Mermaid|TOC|Tab|Tag|ThemedImage)` +
		`|^@docusaurus/|^@astrojs/|^[a-z][\w-]*(/[\w-]+)*$|icons?\b|` +
		`\.(png|svg|jpe?g|gif|webp|avif|css|scss|json|ya?ml|mp4|txt)(\?.*)?$|^!!raw-loader|\?raw$`)
	// named finds what is an anchor besides headings: what a line after it defines, IDs in braces, brackets and
	// attributes, labels of rules such as r[name.of.rule], and what a comment names for a program.
	named = []struct {
		marks []string // that a line has then
		*regexp.Regexp
		before string // of the anchor
	}{
		{[]string{"{", "#"}, regexp.MustCompile(`\{:?[^{}\n]*#([^\s{}]+)[^{}\n]*\}`), ""},
		{[]string{"[#"}, regexp.MustCompile(`\[#([^\]\s]+)\]\s*$`), ""},
		{[]string{"#", "[["}, regexp.MustCompile(`^#+\s.*\[\[([^\]\s]+)\]\]\s*$`), ""},
		{[]string{"#", "{/*"}, regexp.MustCompile(`^#+\s.*\{/\*\s*#?(\S+?)\s*\*/\}\s*$`), ""},
		{[]string{"<!--"}, regexp.MustCompile(`<!--\s*[\w-]+:[\w-]+\s+(\S+)`), ""},
		{[]string{":id="}, regexp.MustCompile(`:id=(\S+)`), ""},
		{[]string{"<", "="}, regexp.MustCompile(`\s(?:title|label|name|path|query|body|header)=["']([^"'{}]+)`), ""},
		{[]string{"id="}, regexp.MustCompile(`\bid=["']?([^"'\s<>{}]+)`), ""},
		{[]string{"<summary"}, regexp.MustCompile(`<summary[^<>]*>(?:<\w+>)*([^<]+)`), ""},
		{[]string{"[", "."}, regexp.MustCompile(`^(\w\[[\w.-]+\])\s*$`), ""},
		{[]string{"[^"}, regexp.MustCompile(`\[\^([^\]\s]+)\]`), "fn-"},
	}
	// includeMarks are in every line that include, openHeading or importLine finds.
	includeMarks = [][]byte{
		[]byte("--8"), []byte("{"), []byte("include"), []byte(":::"), []byte(".. "), []byte("import"), []byte("<embed"),
	}
	// tab is the title of a tab or an admonition, with icons.
	tab  = regexp.MustCompile(`(?m)^\s*(?:===|!!!|\?\?\?)[+!]?[^"\n]*"(.+)"`)
	icon = regexp.MustCompile(`:[\w-]+:`)
	// filled is what a program fills in.
	filled = regexp.MustCompile(`\{\{.*?\}\}|\{%.*?%\}`)
	// openComponent is in the source of a component that has IDs, or brings in those of others.
	openComponent = regexp.MustCompile(`[Hh]eading|\bid=|:id=|v-html|set:html|InnerHTML|\.mdx?['"]`)
	// emptyComponent is a component without text of its own.
	emptyComponent = regexp.MustCompile(`<([A-Z]\w*)[^<>]*/>`)
	// usedComponent is a component in the source of another one, and plainComponent the name of one without headings.
	usedComponent  = regexp.MustCompile(`<([A-Z]\w*)`)
	plainComponent = regexp.MustCompile(`^(\w*Icons?|\w*Image|\w*Link|\w*Button|Picture|Fragment|Suspense|Trans\w*|Tab\w*|Code\w*|BrowserOnly|CopyTo\w*)$`)
	componentName  = regexp.MustCompile(`[A-Z]\w*`)
)

// markedLines returns the lines of a text that may bring in headings of other files, and those after them: the regular
// expressions that look closer are slow.
func markedLines(text []byte) (marked []byte) {
	var isNext bool
	for line := range bytes.Lines(text) {
		isMarked := slices.ContainsFunc(includeMarks, func(mark []byte) bool { return bytes.Contains(line, mark) })
		if isMarked || isNext {
			marked = append(marked, line...)
		}
		isNext = isMarked
	}
	return marked
}

// readImports reports whether the page of a document may have headings of other files, and the files that it imports.
// The text is the whole one without code.
func readImports(whole, text []byte) (isOpen bool, files []string) {
	if text = markedLines(text); len(text) == 0 {
		return false, nil
	}
	for _, found := range includedFile.FindAllSubmatch(text, -1) {
		files = append(files, string(found[1]))
	}
	text = includedFile.ReplaceAll(text, nil)
	isOpen = include.Match(text) || openHeading.Match(text) || hasShortcode(text)
	for _, found := range insert.FindAllSubmatch(text, -1) {
		files = append(files, shortcodes+string(found[1])+".html")
	}
	for _, found := range importLine.FindAllSubmatch(text, -1) {
		if inert.Match(found[2]) {
			continue
		}
		for _, name := range componentName.FindAll(found[1], -1) {
			if !bytes.Contains(whole, append([]byte{'<'}, name...)) {
				continue
			}
			files = append(files, strings.ReplaceAll(string(found[2]), `\`, ""))
		}
	}
	return isOpen, files
}

// shortcode is a line with what Hugo makes Markdown of (https://gohugo.io/content-management/shortcodes/#notation).
var shortcode = regexp.MustCompile(`(?m)^\s*\{\{%\s*([\w-]+)[^}]*%\}\}\s*$`)

// insert is what Hugo makes HTML of, and shortcodes the folder with the sources of it.
var insert = regexp.MustCompile(`(?m)^\s*\{\{[< ]\s*([\w/-]+)[^}]*>\}\}`)

const shortcodes = "shortcodes/"

// hasShortcode reports whether a program writes a part of a text: a shortcode that has no text of its own.
func hasShortcode(text []byte) bool {
	for _, found := range shortcode.FindAllSubmatch(text, -1) {
		if !bytes.Contains(text, append([]byte("{{% /"), found[1]...)) {
			return true
		}
	}
	return false
}

// block begins what is indented below it without being code: admonitions and tabs
// (https://squidfunk.github.io/mkdocs-material/reference/admonitions/).
var block = regexp.MustCompile(`^(!!!|\?\?\?\+?|===[!+]?|///+)\s`)

// outdent returns Markdown without the indents of blocks, and how many characters each line has lost.
func outdent(source []byte) (plain []byte, cut map[int]int) {
	isBegin := func(mark string) bool { return bytes.Contains(source, []byte(mark)) }
	if !slices.ContainsFunc([]string{"!!!", "???", "==="}, isBegin) {
		return source, nil
	}
	plain, cut = make([]byte, 0, len(source)), map[int]int{}
	var inner []int // the indents of what is in the open blocks
	number := 0
	for line := range bytes.Lines(source) {
		number++
		text := bytes.TrimLeft(line, " ")
		indent := len(line) - len(text)
		if len(bytes.TrimSpace(text)) == 0 {
			plain = append(plain, line...)
			continue
		}
		for len(inner) > 0 && indent < inner[len(inner)-1] {
			inner = inner[:len(inner)-1]
		}
		lost := 4 * len(inner)
		if lost > indent {
			lost = indent
		}
		plain = append(plain, line[lost:]...)
		if lost > 0 {
			cut[number] = lost
		}
		if block.Match(text) && len(inner) < maxBlocks {
			inner = append(inner, indent+4)
		}
	}
	return plain, cut
}

// maxBlocks is how deep blocks may be in each other.
const maxBlocks = 20

// directive is the first line of a directive of MyST whose body is Markdown, and its last.
var directive = regexp.MustCompile("(?m)^[ \t]*(`{3,}|~{3,})\\{(note|tip|hint|warning|important|caution|danger|attention|error|seealso|admonition|dropdown|" +
	"tab-set|tab-item|tab|tabs|grid|grid-item|grid-item-card|card|card-carousel|details|topic|margin|sidebar|versionadded|versionchanged|deprecated|" +
	"container|div|epigraph|glossary|exercise|solution|proof\\S*|prf:\\S*)\\}.*$")

// blankDirectives blanks the fences of directives whose bodies are Markdown.
func blankDirectives(source []byte) []byte {
	if !directive.Match(source) {
		return source
	}
	plain := make([]byte, 0, len(source))
	var open [][]byte // the fences of directives and of code
	var isCode bool   // the last of them is code
	for line := range bytes.Lines(source) {
		text := bytes.TrimSpace(line)
		fence := text[:len(text)-len(bytes.TrimLeft(text, "`"))]
		if len(fence) == 0 {
			fence = text[:len(text)-len(bytes.TrimLeft(text, "~"))]
		}
		switch {
		case len(open) > 0 && len(fence) >= 3 && len(fence) == len(text) && bytes.HasPrefix(text, open[len(open)-1]):
			open = open[:len(open)-1]
			if !isCode {
				line = blank(line)
			}
			isCode = false
		case isCode || len(fence) < 3 || bytes.Contains(text[len(fence):], fence[:1]):
		case directive.Match(line) && len(open) < maxBlocks:
			open = append(open, fence)
			line = blank(line)
		case len(open) < maxBlocks:
			open, isCode = append(open, fence), true
		}
		plain = append(plain, line...)
	}
	return plain
}

// mdxFence is a block of MDX that Docusaurus reads as if it were not in a fence
// (https://github.com/facebook/docusaurus/pull/4278).
var mdxFence = regexp.MustCompile("(?ms)^(`{3,})mdx-code-block[ \t]*\r?$(.*?)^(`{3,})[ \t]*\r?$")

// blankMDXFences blanks the fences of such blocks.
func blankMDXFences(source []byte) []byte {
	if !bytes.Contains(source, []byte("mdx-code-block")) {
		return source
	}
	return mdxFence.ReplaceAllFunc(source, func(text []byte) []byte {
		parts := mdxFence.FindSubmatch(text)
		inside := mdxFence.FindSubmatchIndex(text)[4]
		return slices.Concat(blank(text[:inside]), parts[2], blank(text[inside+len(parts[2]):]))
	})
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

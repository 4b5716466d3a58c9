package documents

import (
	"bytes"
	"iter"
	"regexp"
	"slices"
	"strings"
)

// A markedPattern is a regular expression that matches only texts with all of its marks. Looking for the marks first
// is fast.
type markedPattern struct {
	marks []string
	*regexp.Regexp
	before string // what an anchor has before the text that the expression finds
}

func marked(expression string, marks ...string) markedPattern {
	return markedPattern{marks: marks, Regexp: regexp.MustCompile(expression)}
}

// mayMatch reports whether a text has all marks.
func (p *markedPattern) mayMatch(text []byte) bool {
	for _, mark := range p.marks {
		if !bytes.Contains(text, []byte(mark)) {
			return false
		}
	}
	return true
}

var (
	// includes are where a program puts a part of another file, or what a program writes.
	includes = []markedPattern{
		marked(`(?m)^\s*--8\s*--`, "--8"),
		marked(`\{[{%][<%]?-?\s*#?(include|import|readfile|snippet|partial|render|embed|openapi|swagger|ref_doc|docs)`, "{"),
		marked(`\{!`, "{!"),
		marked(`<!--\s*@?include\b`, "<!--", "include"),
		marked(`\[\[include|':include|!!!\s*include|:::+\s*\{include|(?m:^@include)`, "include"),
		marked(`(?m)^:::[ \t]+(\w+[._][\w.]+[ \t]*$|[\w.-]+[ \t]*\n[ \t]+:?\w+:)`, ":::"),
		marked(`(?m)^\s*\.\. (include|auto\w+)::`, ".. ", "::"),
		marked(`<embed\s`, "<embed"),
		marked(`\bimport\(['"]\.`, "import("),
		marked(`(?m)^\s*\{\{[^<>%#/{}]+\}\}\s*$`, "{{", "}}"),
	}
	// openHeading is a heading, or an ID, that a program fills in.
	openHeading = regexp.MustCompile(`<h[1-6][^>]*>\s*\{|\bid=["']?[^"'>\s]*\{`)
	// openDirective is a directive of MyST that brings in another file, or what a program writes.
	openDirective = regexp.MustCompile(`^\{(include|auto\w*|autodoc\w*|click|argparse|openapi\w*|docstring)`)
	// mystInclude is a directive of MyST that brings in Markdown.
	mystInclude = regexp.MustCompile(`^\{include\}\s+(\S+\.md)\s*$`)
	// openText is in a block of reStructuredText that brings in what another file has.
	openText = regexp.MustCompile(`(?m)^\s*\.\. (include|auto\w+|click|argparse|openapi)::`)
	// importLine is where MDX or Vue brings in a component: the names, and the file.
	importLine = regexp.MustCompile(`^import\s+([^'"\n]+?)\s+from\s+['"]([^'"\n]+)['"]`)
	// includedFile is what puts in a file of Markdown.
	includedFile = regexp.MustCompile(`(?:--8[<\s]--|\{\{[%<#\s]\s*(?:include|readfile\s+file=)|<!--\s*@?include|\{%-?\s*include(?:_relative|-markdown)?|!!!\s*include|` +
		`<include[^>]*>|<embed\s+src=)[\s:"'(]*([^\s"'<>%{}]+\.mdx?)\b`)
	// inert are files and packages that bring in no headings.
	inert = regexp.MustCompile(`^@theme$|^@theme/(Admonition|Blog|Browser|Code|Details|Doc|Heading|Icon|IdealImage|Layout|Link|LiveCode|MDX|Mermaid|TOC|Tab|Tag|ThemedImage)` +
		`|^@docusaurus/|^@astrojs/|^[a-z][\w-]*(/[\w-]+)*$|icons?\b|` +
		`\.(png|svg|jpe?g|gif|webp|avif|css|scss|json|ya?ml|mp4|txt)(\?.*)?$|^!!raw-loader|\?raw$`)
	// named finds what is an anchor besides headings: what a line after it defines, IDs in braces, brackets and
	// attributes, labels of rules such as r[name.of.rule], what a block of tabs is named with, options of commands in
	// lists, and what a comment names for a program.
	named = []markedPattern{
		marked(`\{:?[^{}\n]*#([^\s{}]+)[^{}\n]*\}`, "{", "#"),
		marked(`\[#([^\]\s]+)\]\s*$`, "[#"),
		marked(`^#+\s.*\[\[([^\]\s]+)\]\]\s*$`, "#", "[["),
		marked(`^#+\s.*\{/\*\s*#?(\S+?)\s*\*/\}\s*$`, "#", "{/*"),
		marked(`<!--\s*[\w-]+:[\w-]+\s+(\S+)`, "<!--"),
		marked("(?:^\\s*[-*+]\\s+|,\\s*)`(-{1,2}[A-Za-z][\\w-]*)", "`-"),
		marked(`\bid: +["']([^"'\s]+)["']`, "id: "),
		marked(`:id=(\S+)`, ":id="),
		marked(`\s(?:title|label|name|path|query|body|header)=["']([^"'{}]+)`, "<", "="),
		marked(`\bid=["']?([^"'\s<>{}]+)`, "id="),
		marked(`<summary[^<>]*>(?:<\w+>)*([^<]+)`, "<summary"),
		marked(`^(\w\[[\w.-]+\])\s*$`, "[", "."),
		marked(`\{%-?\s*\w+\s+([^{}%]*[^{}%,\s\d])(?:,\s*-?\d+)?\s*-?%\}`, "{%"),
		{marks: []string{"[^"}, Regexp: regexp.MustCompile(`\[\^([^\]\s]+)\]`), before: "fn-"},
	}
	// includeMarks are in every line that includes, openHeading or importLine finds.
	includeMarks = [][]byte{
		[]byte("--8"), []byte("{"), []byte("include"), []byte(":::"), []byte(".. "), []byte("import"), []byte("<embed"),
	}
	// fileMarks are in every line that includedFile finds.
	fileMarks = [][]byte{[]byte("--8"), []byte("readfile"), []byte("include"), []byte("<embed")}
	// tab is the title of a tab or an admonition, with icons.
	tab  = regexp.MustCompile(`^\s*(?:===|!!!|\?\?\?)[+!]?[^"\n]*"(.+)"`)
	icon = regexp.MustCompile(`:[A-Za-z][\w-]*:`)
	// filled is what a program fills in.
	filled = regexp.MustCompile(`\{\{.*?\}\}|\{%.*?%\}|<%.*?%>`)
	// openComponent is in the source of a component that has IDs, or brings in those of others.
	openComponent = regexp.MustCompile(`[Hh]eading|\bid=|:id=|v-html|set:html|InnerHTML|\bload_data\b|\.mdx?['"]`)
	// emptyComponent is a component without text of its own.
	emptyComponent = regexp.MustCompile(`<([A-Z]\w*)[^<>]*/>`)
	// shownComponent is a component with a text of its own, which some programs leave out of the anchor of a heading.
	shownComponent = regexp.MustCompile(`<[A-Z]\w*[^<>]*>[^<>]*</[A-Z]\w*>`)
	// shownFile is a file without an end that a component shows.
	shownFile = regexp.MustCompile(`<[A-Z]\w*\s[^<>]*\b(?:src|file|path)=["']([\w./-]+)["']`)
	// usedComponent is a component in the source of another one, and plainComponent the name of one without headings.
	usedComponent  = regexp.MustCompile(`<([A-Z]\w*)`)
	plainComponent = regexp.MustCompile(`^(\w*Icons?|\w*Image|\w*Link|\w*Button|\w*Badge|Picture|Fragment|Suspense|Trans\w*|Tab\w*|Code\w*|BrowserOnly|CopyTo\w*)$`)
	// ownComponent is where the source of a component has another one.
	ownComponent  = regexp.MustCompile(`(?m)^\s*(?:export\s+)?(?:default\s+)?(?:function|const|class)\s+([A-Z]\w*)`)
	componentName = regexp.MustCompile(`[A-Z]\w*`)
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

// importsIn yields the names and the file of each import in a text, after the whole of it.
func importsIn(text []byte) iter.Seq[[][]byte] {
	return func(yield func([][]byte) bool) {
		for line := range bytes.Lines(text) {
			if !bytes.HasPrefix(line, []byte("import")) {
				continue // the regular expression is slow
			}
			if found := importLine.FindSubmatch(line); found != nil && !yield(found) {
				return
			}
		}
	}
}

// includedIn returns the file of Markdown that a line puts in, or nothing.
func includedIn(line []byte) []byte {
	isMarked := func(mark []byte) bool { return bytes.Contains(line, mark) }
	if !bytes.Contains(line, []byte(".md")) || !slices.ContainsFunc(fileMarks, isMarked) {
		return nil
	}
	if found := includedFile.FindSubmatch(line); found != nil {
		return found[1]
	}
	return nil
}

// readImports reports whether the page of a document may have headings of other files, and the files that it imports.
// The text is the whole one, which has no front matter, without code.
func readImports(whole, text []byte) (isOpen bool, files []string) {
	var rest []byte // without the files that are put in
	for line := range bytes.Lines(markedLines(text)) {
		if file := includedIn(line); file != nil {
			files = append(files, string(file))
		} else if !bytes.Contains(line, []byte("include")) {
			rest = append(rest, line...)
		} else if found := jekyllInclude.FindSubmatch(line); found != nil {
			files = append(files, jekyllIncludes+string(found[1]))
		} else if !includedCode.Match(line) {
			rest = append(rest, line...)
		}
	}
	if text = rest; len(text) == 0 {
		return false, files
	}
	isOpen = slices.ContainsFunc(includes, func(p markedPattern) bool { return p.mayMatch(text) && p.Match(text) }) ||
		openHeading.Match(text) || hasShortcode(text)
	for _, found := range insert.FindAllSubmatch(text, -1) {
		files = append(files, shortcodes+string(found[1])+".html")
	}
	for _, found := range zolaCode.FindAllSubmatch(text, -1) {
		files = append(files, "templates/"+shortcodes+string(found[1])+".html")
	}
	if !bytes.Contains(text, []byte("import")) {
		return isOpen, files // to leave out code is slow
	}
	for found := range importsIn(withoutCode(whole)) { // the parser takes ~ from the text
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

// jekyllInclude is where Jekyll puts in HTML from the folder jekyllIncludes (https://jekyllrb.com/docs/includes/), and
// includedCode where a program puts in code or data.
var (
	jekyllInclude = regexp.MustCompile(`\{%-?\s*include(?:_cached)?\s+([\w./-]+\.html)\b`)
	includedCode  = regexp.MustCompile(`\{[{%][<%]?-?\s*include\s[^{}]*["'\s/][\w.-]+\.(?:ya?ml|json|toml|go|py|sh|js|ts|rs|java|sql|diff|conf)\b`)
)

const jekyllIncludes = "_includes/"

// shortcode is a line with what Hugo makes Markdown of (https://gohugo.io/content-management/shortcodes/#notation).
var shortcode = regexp.MustCompile(`(?m)^\s*\{\{%\s*([\w-]+)[^}]*%\}\}\s*$`)

// insert is what Hugo makes HTML of, and shortcodes the folder with the sources of it.
var insert = regexp.MustCompile(`(?m)^\s*\{\{[< ]\s*([\w/-]+)[^}]*>\}\}`)

const shortcodes = "shortcodes/"

// zolaCode is what Zola, and other programs in their ways, make HTML of
// (https://www.getzola.org/documentation/content/shortcodes/).
var zolaCode = regexp.MustCompile(`\{[{%][<%]?\s*(\w+)\([^)]*\)`)

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

// listMark begins an item of a list, with the spaces before its text, and codeMark code, with what it is.
var (
	listMark = regexp.MustCompile(`^(?:[-*+]|\d{1,9}[.)]) {1,4}`)
	codeMark = regexp.MustCompile("^(`{3,}|~{3,})([^`\r\n]*)\r?\n?$")
)

// A level is how far the text of an open block, or of an item of a list, is indented, and how far after [outdent].
type level struct{ from, to int }

// mayIndent reports whether outdent changes a text.
func mayIndent(source []byte, isMDX bool) bool {
	marks := []string{"!!!", "???", "==="}
	if isMDX {
		marks = []string{"\n    ", "\n\t", "\n \t", "\n  \t"}
	}
	return slices.ContainsFunc(marks, func(mark string) bool { return bytes.Contains(source, []byte(mark)) })
}

// outdent returns Markdown without the indents of blocks, or MDX without those that Markdown takes for code
// (https://mdxjs.com/docs/what-is-mdx/#markdown), and how many characters each line has lost.
func outdent(source []byte, isMDX bool) (plain []byte, cut map[int]int) {
	if !mayIndent(source, isMDX) {
		return source, nil
	}
	plain, cut = make([]byte, 0, len(source)), map[int]int{}
	levels := []level{{}} // of what is open
	var fence []byte      // of the code that is open
	var code level
	number := 0
	for line := range bytes.Lines(source) {
		number++
		text := bytes.TrimLeft(line, " \t")
		if len(bytes.TrimSpace(text)) == 0 {
			plain = append(plain, line...)
			continue
		}
		indent := widthOf(line[:len(line)-len(text)])
		for len(levels) > 1 && indent < levels[len(levels)-1].from {
			levels = levels[:len(levels)-1]
			fence = nil // which ends with its block
		}
		in := levels[len(levels)-1]
		to := in.to + indent - in.from
		mark := codeMark.FindSubmatch(text)
		switch isEnd := mark != nil && bytes.HasPrefix(mark[1], fence) && len(bytes.TrimSpace(mark[2])) == 0; {
		case fence != nil && isEnd:
			to, fence = code.to, nil
		case fence != nil:
			to = max(0, indent-code.from+code.to)
		default:
			if isMDX && to-in.to > maxIndented {
				to = in.to
			}
			inner := 0
			switch list := listMark.Find(text); {
			case isMDX && list != nil:
				inner = len(list)
				levels = append(levels, level{indent + inner, to + inner})
				mark = codeMark.FindSubmatch(text[inner:])
			case !isMDX && block.Match(text):
				levels = append(levels, level{indent + 4, to})
			}
			levels = levels[:min(len(levels), maxBlocks)]
			if mark != nil && to-in.to <= maxIndented {
				fence, code = mark[1], level{indent + inner, to + inner}
			}
		}
		if lost := len(line) - len(text) - to; lost != 0 {
			cut[number] = lost
		}
		plain = append(append(plain, bytes.Repeat([]byte{' '}, to)...), text...)
	}
	return plain, cut
}

// maxBlocks is how deep blocks may be in each other, and maxIndented how many spaces a line may have before it is code.
const maxBlocks, maxIndented = 20, 3

// widthOf returns how wide spaces and tabs are.
func widthOf(space []byte) (width int) {
	for _, c := range space {
		width++
		if c == '\t' {
			width = (width + 3) / 4 * 4
		}
	}
	return width
}

// mystComment is a line that MyST does not show (https://myst-parser.readthedocs.io/en/latest/syntax/typography.html).
var mystComment = regexp.MustCompile(`(?m)^%.*$`)

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

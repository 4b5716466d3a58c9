package documents

import (
	"bufio"
	"bytes"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extensionast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	renderer "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown reads CommonMark with the extensions of GitHub (https://github.github.com/gfm/), and
// footnotes and formulas.
var markdown = markdownWith(parser.DefaultBlockParsers())

// markdownWith returns a parser of Markdown with the extensions, and some parsers of blocks.
func markdownWith(blocks []util.PrioritizedValue) goldmark.Markdown {
	return goldmark.New(
		goldmark.WithParser(parser.NewParser(parser.WithBlockParsers(blocks...),
			parser.WithInlineParsers(parser.DefaultInlineParsers()...),
			parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...))),
		goldmark.WithExtensions(extension.GFM, extension.Footnote),
		goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(mathParser{}, 150), // after code, before links
			util.Prioritized(stopper{}, 0))),
	)
}

// readMarkdown finds the links and anchors of Markdown that programs may make a page of. The error is that of
// parseMarkdown.
func readMarkdown(source []byte, by dialect, done <-chan struct{}) (*document, error) {
	whole := source
	source = blankFrontMatter(source)
	isGenerated := !bytes.Equal(whole, source)
	if isGenerated {
		source = fillTargets(blankMDXFences(blankShown(source)))
	}
	text := source
	source = blankFormulas(blankEmphasis(blankDefinitions(source)))
	var cut map[int]int
	switch {
	case by&mdx != 0:
		source, cut = outdent(blankTags(fillLinks(fillFiles(joinTags(blankMDXComments(source))))), true)
	case by&mkdocs != 0:
		source, cut = outdent(source, false)
	case by&sphinx != 0:
		source = mystComment.ReplaceAllFunc(blankDirectives(source), blank)
	}
	m := markdownReader{source: source, html: blank(source), names: map[string]int{}}
	m.definitions, m.references = map[string]int{}, map[int]*ast.ReferenceLink{}
	m.generated, m.isMDX = isGenerated, by&mdx != 0
	front := whole[:len(whole)-len(bytes.TrimLeft(text, " \r\n"))]
	if found := frontTitle.FindSubmatch(front); found != nil && !bytes.ContainsAny(found[1], "#>|&*{") {
		m.title = string(found[1]) // in one line
	}
	m.open = apiPage.Match(front)
	if other := otherSource.FindSubmatch(front); other != nil {
		m.imports = append(m.imports, string(other[1]))
	}
	m.addTerms(text)
	root, err := parseMarkdown(source, m.isMDX, done)
	if err != nil {
		return nil, err
	}
	_ = ast.Walk(root, m.visit) // the walker returns no error
	m.placeReferences()
	slices.SortStableFunc(m.found, func(a, b placedLink) int { return a.offset - b.offset })
	m.addLinks(source, m.found)
	m.addHTML(m.html)
	for _, found := range htmlHeadings(m.html) {
		if !bytes.Contains(found[1], []byte("id=")) {
			m.anchors = append(m.anchors, anchorOf(strings.TrimSpace(markup.ReplaceAllString(string(found[2]), ""))))
		}
	}
	isOpen, imports := readImports(text, m.html)
	m.open, m.imports = m.open || isOpen, append(m.imports, imports...)
	m.generated = m.generated || wikiLink().Match(m.html)
	for i := range m.links {
		m.links[i].Column += cut[m.links[i].Line]
	}
	m.sort()
	return &m.document, nil
}

var (
	// htmlHeading is a heading in HTML, to which code hosts give an anchor too, and markup what is no text of it.
	htmlHeading = regexp.MustCompile(`(?is)<h[1-6]([^>]*)>(.*?)</h[1-6]>`)
	markup      = regexp.MustCompile(`<[^<>]*>`)
	// otherSource is a file in front matter whose text the page has.
	otherSource = regexp.MustCompile(`(?m)^(?:ref|source|include|file|extends):[ \t]*["']?([\w./@-]+\.mdx?)["']?[ \t\r]*$`)
	// apiPage is front matter of a page that is made of a description of an API
	// (https://www.mintlify.com/docs/api-playground/openapi-setup).
	apiPage = regexp.MustCompile(`(?m)^openapi:`)
	// wikiLink is a link that only programs for wikis know: [[page]], or [[text|page]].
	wikiLink = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\[\[\pL[^\[\]\n]*\]\](?:[^(\[:]|$)`)
	})
)

// htmlHeadings returns the attributes and the HTML of the headings in HTML.
func htmlHeadings(text []byte) [][][]byte {
	if !bytes.Contains(text, []byte("</h")) && !bytes.Contains(text, []byte("</H")) {
		return nil // the regular expression is slow
	}
	return htmlHeading.FindAllSubmatch(text, -1)
}

// signWords write signs as words, or as HTML escapes them, as some programs do in anchors.
var signWords = []*strings.Replacer{
	strings.NewReplacer("<", "less than", ">", "greater than", "&", "and", "$", "usd"),
	strings.NewReplacer("<", "lt", ">", "gt", "&", "amp"),
}

// addTerms adds what is an anchor in the pages of some programs, besides headings.
func (m *markdownReader) addTerms(source []byte) {
	var before []byte // the last line that is not empty
	var may []markedPattern
	for i := range named {
		if named[i].mayMatch(source) {
			may = append(may, named[i])
		}
	}
	for line := range bytes.Lines(source) {
		if mark := bytes.TrimLeft(line, " "); len(line)-len(mark) <= maxIndented && len(mark) > 1 && mark[0] == ':' &&
			(mark[1] == ' ' || mark[1] == '\t') {
			m.terms = append(m.terms, string(bytes.TrimSpace(before))) // what the line defines
		}
		if len(bytes.TrimSpace(line)) > 0 {
			before = line
		}
		for i := range may {
			if !may[i].mayMatch(line) {
				continue
			}
			for _, term := range may[i].FindAllSubmatch(line, -1) {
				m.terms = append(m.terms, may[i].before+string(term[1]))
			}
		}
		m.addComponents(line)
		if title := tab.FindSubmatch(line); title != nil {
			m.tabs = append(m.tabs, letters(string(icon.ReplaceAll(title[1], nil))))
		}
	}
}

// addComponents adds what components in a line may name in headings.
func (m *markdownReader) addComponents(line []byte) {
	for at, rest := 0, line; len(rest) > 0; rest = rest[at:] {
		if at = bytes.IndexByte(rest, '=') + 1; at == 0 {
			break
		}
		name := rest[bytes.LastIndexAny(rest[:at], " \t<")+1 : at-1]
		isShown := bytes.IndexFunc(name, unicode.IsUpper) > 0 && !bytes.Equal(name, []byte("className"))
		value := bytes.TrimPrefix(rest[at:], []byte{'{'})
		if !isShown || len(value) == 0 || value[0] != '"' && value[0] != '\'' {
			continue
		}
		if end := bytes.IndexByte(value[1:], value[0]); end > 0 {
			m.components = append(m.components, string(value[1:1+end]))
		}
	}
	if bytes.Contains(line, []byte("/>")) {
		for _, found := range shownFile.FindAllSubmatch(line, -1) {
			m.componentFiles = append(m.componentFiles, strings.TrimSuffix(string(found[1]), ".mdx"))
		}
		for _, found := range emptyComponent.FindAllSubmatch(line, -1) {
			m.components = append(m.components, string(found[1]))
		}
	}
}

// A markdownReader collects what the nodes of a document have.
type markdownReader struct {
	document
	source []byte
	isMDX  bool
	title  string // in front matter
	html   []byte // the source without anything but its HTML, at the same places
	found  []placedLink
	names  map[string]int // of headings, with how often each is taken
	chain  []string       // the headings that the last one is below, and itself, from the second level

	definitions map[string]int             // offsets of [label]: target, by labels
	references  map[int]*ast.ReferenceLink // of links, by their indexes in found
}

// placeReferences moves links to the definitions of their targets: these are the lines to edit.
func (m *markdownReader) placeReferences() {
	for i, reference := range m.references {
		if at, defined := m.definitions[util.ToLinkReference(reference.Value)]; defined {
			m.found[i].offset = at
		}
	}
}

func (m *markdownReader) visit(node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	switch n := node.(type) {
	case *ast.Heading:
		text := string(m.textOf(n))
		m.addHeading(text)
		m.addChain(n.Level, text)
		whole := bytes.TrimSpace(n.Lines().Value(m.source))
		m.terms = append(m.terms, string(whole)) // with its entities
		if bytes.Contains(whole, []byte("</")) {
			m.terms = append(m.terms, string(shownComponent.ReplaceAll(whole, nil)))
		}
		if strings.ContainsAny(text, "<>&$") {
			for _, words := range signWords {
				m.terms = append(m.terms, words.Replace(text))
			}
		}
		if name, _, isCall := strings.Cut(text, "("); isCall && !strings.Contains(name, " ") {
			m.terms = append(m.terms, name) // of a function without its arguments
		}
		if alone := string(m.text(n, false)); alone != text {
			m.addName(alone)
		}
	case *ast.Link:
		m.addLink(n, n.Destination, n.Reference, false)
	case *ast.Image:
		m.addLink(n, n.Destination, n.Reference, true)
	case *ast.LinkReferenceDefinition:
		label := util.ToLinkReference(n.Label)
		if _, known := m.definitions[label]; !known { // the first counts
			m.definitions[label] = max(n.Pos(), 0)
		}
	case *ast.AutoLink:
		address := string(n.URL(m.source))
		if n.AutoLinkType == ast.AutoLinkEmail {
			address = "mailto:" + address
		}
		m.add(n, address, n.Label(m.source), false)
		if last := &m.found[len(m.found)-1]; m.source[last.offset] != '<' { // it may be at the space before
			last.offset += max(bytes.Index(m.source[last.offset:], n.Label(m.source)), 0)
		}
	case *ast.FencedCodeBlock:
		if n.Info != nil {
			if found := mystInclude.FindSubmatch(n.Info.Value(m.source)); found != nil {
				m.imports = append(m.imports, string(found[1]))
				break
			}
		}
		m.open = m.open || n.Info != nil && (openDirective.Match(n.Info.Value(m.source)) ||
			bytes.HasPrefix(n.Info.Value(m.source), []byte("{eval-rst}")) && openText.Match(n.Lines().Value(m.source)))
	case *ast.HTMLBlock:
		m.keep(n.Lines(), false)
		if n.HasClosure() {
			m.keepSegment(n.ClosureLine, false)
		}
	case *ast.RawHTML:
		m.keep(n.Segments, false)
	case *ast.CodeSpan:
		return ast.WalkSkipChildren, nil
	case *ast.Text:
		m.keepSegment(n.Segment, !m.isMDX)
	case *extensionast.Footnote:
		m.anchors = append(m.anchors, "fn-"+string(n.Ref), "fnref-"+string(n.Ref))
	}
	return ast.WalkContinue, nil
}

// addLink adds a link or an image, which may refer to a definition.
func (m *markdownReader) addLink(node ast.Node, destination []byte, reference *ast.ReferenceLink, image bool) {
	switch at := node.Pos(); {
	case at <= 0:
	case m.source[at-1] == '@':
		m.generated = true // a file that a program shows: @[name](file)
		return
	case m.source[at-1] == ']' && m.generated && !bytes.ContainsAny(destination, "/.#"):
		return // text after a link whose target is defined elsewhere: [text][name](text)
	}
	if reference != nil {
		m.references[len(m.found)] = reference
	}
	m.add(node, addressOf(destination), m.textOf(node), image)
}

func (m *markdownReader) add(node ast.Node, address string, text []byte, image bool) {
	label := strings.Join(strings.Fields(string(text)), " ")
	m.found = append(m.found, placedLink{Link{URL: address, Text: label, Image: image}, max(node.Pos(), 0)})
}

// addressOf returns the URL that a link names, without the escapes of Markdown.
func addressOf(destination []byte) string { return string(util.URLEscape(destination, true)) }

// textOf returns the text of a node as people read it.
func (m *markdownReader) textOf(node ast.Node) []byte { return m.text(node, true) }

// text returns the text of a node, also without that of its images, as code hosts make anchors of headings.
func (m *markdownReader) text(node ast.Node, images bool) (text []byte) {
	for child := node.FirstChild(); child != nil; child = child.NextSibling() {
		switch n := child.(type) {
		case *ast.Text:
			text = append(text, plainText(n, m.source)...)
			if n.SoftLineBreak() || n.HardLineBreak() {
				text = append(text, ' ')
			}
		case *ast.String:
			text = append(text, n.Value...)
		case *ast.AutoLink:
			text = append(text, n.Label(m.source)...)
		default:
			if _, isImage := n.(*ast.Image); images || !isImage {
				text = append(text, m.text(child, images)...)
			}
		}
	}
	return text
}

// plainText returns a text without the escapes of Markdown and HTML.
func plainText(n *ast.Text, source []byte) string {
	value := n.Value(source)
	if n.IsRaw() || bytes.IndexByte(value, '\\') < 0 && bytes.IndexByte(value, '&') < 0 {
		return string(value)
	}
	var page bytes.Buffer
	w := bufio.NewWriter(&page)
	renderer.DefaultWriter.Write(w, value)
	_ = w.Flush() // to memory
	return html.UnescapeString(page.String())
}

// keep copies parts of the source to the HTML.
func (m *markdownReader) keep(parts *text.Segments, isText bool) {
	for i := range parts.Len() {
		m.keepSegment(parts.At(i), isText)
	}
}

// keepSegment copies a part of the source to the HTML. Text is no markup.
func (m *markdownReader) keepSegment(part text.Segment, isText bool) {
	kept := m.html[part.Start:part.Stop]
	copy(kept, m.source[part.Start:part.Stop])
	for i, c := range kept {
		if isText || i > 0 && kept[i-1] == '\\' {
			if c == '<' || c == '&' {
				kept[i] = ' '
			}
		}
	}
}

// blank returns spaces in place of a text, with its line ends.
func blank(source []byte) []byte {
	blank := bytes.Repeat([]byte{' '}, len(source))
	for i, c := range source {
		if c == '\n' || c == '\r' {
			blank[i] = c
		}
	}
	return blank
}

// byteOrderMark may begin a file (https://www.rfc-editor.org/rfc/rfc3629#section-6).
var byteOrderMark = []byte("\uFEFF")

// blankFrontMatter blanks the settings between lines of --- or +++ before the text.
func blankFrontMatter(source []byte) []byte {
	if rest, is := bytes.CutPrefix(source, byteOrderMark); is && !bytes.HasPrefix(rest, byteOrderMark) {
		if plain := blankFrontMatter(rest); !bytes.Equal(plain, rest) {
			return append(blank(byteOrderMark), plain...)
		}
		return source
	}
	space := len(source) - len(bytes.TrimLeft(source, " \t\r\n"))
	if space > 0 && bytes.HasPrefix(source[space:], []byte("+++")) { // Hugo skips it
		return append(source[:space:space], blankFrontMatter(source[space:])...)
	}
	for _, fence := range []string{"---", "+++"} {
		first, rest, _ := bytes.Cut(source, []byte{'\n'})
		if strings.TrimRight(string(first), " \r") != fence {
			continue
		}
		for at := len(first) + 1; len(rest) > 0; {
			var line []byte
			line, rest, _ = bytes.Cut(rest, []byte{'\n'})
			at += len(line) + 1
			if strings.TrimRight(string(line), " \r") == fence {
				at = min(at, len(source))
				return append(blank(source[:at]), source[at:]...)
			}
		}
	}
	return source
}

// shownAsIs is text between tags of Liquid, Nunjucks or Twig that pages show as code.
var shownAsIs = regexp.MustCompile(`(?s)\{%-?\s*set\s+\w+\s*-?%\}.*?\{%-?\s*endset\s*-?%\}|` +
	`\{%-?\s*highlight\b[^%]*-?%\}.*?\{%-?\s*endhighlight\s*-?%\}`)

// blankShown blanks what pages show as code.
func blankShown(source []byte) []byte {
	if !bytes.Contains(source, []byte("{%")) {
		return source
	}
	return shownAsIs.ReplaceAllFunc(source, blank)
}

// maxDefinitions is how many definitions of links are read. The parser takes quadratic time for those in a
// row.
const maxDefinitions = 20_000

var definition = regexp.MustCompile(`(?m)^[ \t>]*\[[^\[\]\n]+\]:.*$`)

// blankDefinitions blanks the definitions of links that are too many.
func blankDefinitions(source []byte) []byte {
	if bytes.Count(source, []byte("]:")) <= maxDefinitions {
		return source
	}
	count := 0
	return definition.ReplaceAllFunc(source, func(line []byte) []byte {
		if count++; count > maxDefinitions {
			return blank(line)
		}
		return line
	})
}

// maxEmphasis is how many marks of emphasis a paragraph has. The parser takes quadratic time for them.
const maxEmphasis = 10_000

// blankEmphasis blanks the lines of paragraphs after too many marks of emphasis. Tables have
// paragraphs of their own in each cell.
func blankEmphasis(source []byte) []byte {
	if bytes.Count(source, []byte{'*'})+bytes.Count(source, []byte{'_'})+bytes.Count(source, []byte{'~'}) <= maxEmphasis {
		return source
	}
	kept := make([]byte, 0, len(source))
	count := 0
	for line := range bytes.Lines(source) {
		switch trimmed := bytes.TrimSpace(line); {
		case len(trimmed) == 0:
			count = 0
		case trimmed[0] != '|':
			count += bytes.Count(line, []byte{'*'}) + bytes.Count(line, []byte{'_'}) + bytes.Count(line, []byte{'~'})
		}
		if count > maxEmphasis {
			line = blank(line)
		}
		kept = append(kept, line...)
	}
	return kept
}

// attributes are those of a heading: ## Text {.class key=value}
// (https://gohugo.io/content-management/markdown-attributes/).
var attributes = regexp.MustCompile(`\s*\{:?(?:\s*[.#][\w-]+|\s*[\w-]+=(?:"[^"{}]*"|[^\s"{}]+))+\s*\}$|\s*\{:[^{}]+\}$`)

// headingID is the ID that some generators let a heading name: ## Text {#id}, or ## Text [#id].
var headingID = regexp.MustCompile(`^(.*?)\s*%?(?:\{:?\s*#([^\s{}]+)[^{}]*\}|\[#([^\s\[\]]+)\])%?$`)

// codeReference is a link to an item of code, whose target another program knows: [text][module.Name]
// (https://mkdocstrings.github.io/autorefs/).
var codeReference = regexp.MustCompile(`\[([^\[\]]*)\]\[[\w.]*\]`)

// ownTitle is a heading with the title in the front matter of the document
// (https://middlemanapp.com/basics/frontmatter/).
var ownTitle = regexp.MustCompile(`^<%=\s*current_page\.data\.title\s*%>$`)

// textDirective is one in a text: :name[text]{attributes} (https://github.com/remarkjs/remark-directive).
var textDirective = regexp.MustCompile(`:[a-z][\w-]*\[([^\[\]]*)\](?:\{[^{}]*\})?`)

// addHeading adds the anchors of a heading.
func (m *markdownReader) addHeading(text string) {
	if plain := filled.ReplaceAllString(text, ""); strings.ContainsAny(text, "{<") && plain != text {
		if m.title != "" && ownTitle.MatchString(text) {
			m.terms = append(m.terms, m.title)
		} else {
			m.open = m.open || strings.TrimSpace(plain) == ""
		}
		values := filled.FindAllStringIndex(text, -1)
		first, last := values[0][0], values[len(values)-1][1]
		if around := [2]string{letters(text[:first]), letters(text[last:])}; around[0]+around[1] != "" {
			m.filled = append(m.filled, around)
		}
		m.anchors = append(m.anchors, anchorOf(strings.TrimSpace(plain)))
	}
	if plain := codeReference.ReplaceAllString(text, "$1"); strings.Contains(text, "][") && plain != text {
		m.terms = append(m.terms, plain)
	}
	if plain := strings.TrimSpace(icon.ReplaceAllString(text, "")); strings.Contains(text, ":") && plain != text {
		m.terms = append(m.terms, plain)
	}
	if plain := textDirective.ReplaceAllString(text, "$1"); strings.Contains(text, "[") && plain != text {
		m.addName(plain)
	}
	if named := headingID.FindStringSubmatch(text); named != nil {
		m.anchors = append(m.anchors, named[2]+named[3])
		m.addName(named[1])
	} else if plain := attributes.ReplaceAllString(text, ""); plain != text {
		m.addName(plain)
	}
	m.addName(text)
}

// addChain adds the anchor that some programs give a heading below another one: the names of both.
func (m *markdownReader) addChain(level int, text string) {
	if level < 2 {
		m.chain = nil
		return
	}
	m.chain = append(m.chain[:min(level-2, len(m.chain))], text)
	if len(m.chain) > 1 {
		m.terms = append(m.terms, strings.Join(m.chain, " "))
	}
}

// addName adds the anchor that GitHub gives a heading: later ones with the same text have numbers.
func (m *markdownReader) addName(text string) {
	name := anchorOf(text)
	count := m.names[name]
	m.names[name]++
	if count > 0 {
		name += "-" + strconv.Itoa(count)
	}
	m.anchors = append(m.anchors, name)
}

// anchorOf returns the anchor that GitHub makes of the text of a heading: lower case, without
// punctuation, with hyphens for spaces
// (https://github.com/gjtorikian/html-pipeline/blob/main/lib/html_pipeline/node_filter/table_of_contents_filter.rb).
func anchorOf(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Pc):
			return r
		}
		return -1
	}, strings.ToLower(text))
}

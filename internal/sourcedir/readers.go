package sourcedir

import (
	"regexp"
	"strings"

	"github.com/mapatools/mapa/internal/documents"
	"github.com/mapatools/mapa/internal/extract"
)

// A reader returns the links of a text.
type reader func(text string) []documents.Link

func readMarkdown(text string) []documents.Link {
	return documents.Markdown([]byte(plainMarkdown(text)))
}

func readHTML(text string) []documents.Link { return documents.HTML([]byte(plainHTML(text))) }

// readers are the readers of files by their extensions.
var readers = newReaders()

func newReaders() map[string]reader {
	all := map[string]reader{
		// https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#hyperlink-references
		".rst": readPatterns("`(?P<text>[^`<>]*)<(?P<target>[^`<>]+)>`", "(?m)^\\.\\. _`?(?P<text>[^:`\n]+)`?: +(?P<target>\\S+)\\s*$"),
		// https://orgmode.org/manual/Link-Format.html
		".org": readPatterns(`\[\[(?:file:)?(?P<target>[^\[\]]+)\]\[(?P<text>[^\[\]]+)\]\]`),
	}
	// https://docs.asciidoctor.org/asciidoc/latest/macros/links/
	all[".adoc"] = readPatterns(`(?:link:|xref:)?(?P<target>[^\s\[\]()<>"]+)\[(?P<text>[^\[\]]*)\]`)
	all[".asciidoc"] = all[".adoc"]
	for extension := range strings.FieldsSeq(".md .mdx .markdown .mdown .mkd .qmd .rmd") {
		all[extension] = readMarkdown
	}
	for extension := range strings.FieldsSeq(".html .htm .xhtml .xml .svg .gohtml .tmpl .tpl .njk .liquid .hbs .handlebars" +
		" .mustache .twig .jinja .jinja2 .j2 .ejs .erb .php .vue .svelte .astro .jsx .tsx .js .ts") {
		all[extension] = readHTML
	}
	return all
}

// readPatterns returns a reader of links by patterns with the groups text and target.
func readPatterns(patterns ...string) reader {
	compiled := make([]*regexp.Regexp, len(patterns))
	for i, pattern := range patterns {
		compiled[i] = regexp.MustCompile(pattern)
	}
	return func(text string) (links []documents.Link) {
		source := []byte(text)
		for _, pattern := range compiled {
			var place extract.Place
			target, name := pattern.SubexpIndex("target"), pattern.SubexpIndex("text")
			for _, at := range pattern.FindAllStringSubmatchIndex(text, -1) {
				line, column := place.Move(source, at[0])
				links = append(links, documents.Link{
					URL: text[at[2*target]:at[2*target+1]], Text: text[at[2*name]:at[2*name+1]], Line: line, Column: column,
				})
			}
		}
		return links
	}
}

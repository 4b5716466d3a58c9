package sourcedir

import "regexp"

// A finder emits the links of a text: where each begins, its target and its text.
type finder func(text string, emit func(at int, address, text string))

// finders are the finders by the extensions of files.
var finders = newFinders()

func newFinders() map[string]finder {
	all := map[string]finder{}
	for _, of := range []struct {
		find       finder
		extensions []string
	}{
		{func(text string, emit func(int, string, string)) {
			(&scanner{text: text, markdown: true, emit: emit}).scan()
		}, []string{".md", ".mdx", ".markdown", ".mdown", ".mkd", ".qmd", ".rmd"}},
		{func(text string, emit func(int, string, string)) { (&scanner{text: text, emit: emit}).scan() }, []string{
			".html", ".htm", ".xhtml", ".xml", ".svg", ".gohtml", ".tmpl", ".tpl", ".njk", ".liquid", ".hbs", ".handlebars",
			".mustache", ".twig", ".jinja", ".jinja2", ".j2", ".ejs", ".erb", ".php", ".vue", ".svelte", ".astro", ".jsx",
			".tsx", ".js", ".ts",
		}},
		{findPatterns(structuredPatterns), []string{".rst"}},
		{findPatterns(asciiDocPatterns), []string{".adoc", ".asciidoc"}},
		{findPatterns(orgPatterns), []string{".org"}},
	} {
		for _, extension := range of.extensions {
			all[extension] = of.find
		}
	}
	return all
}

// The links of other languages. Each pattern has the groups text and target.
var (
	// https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#hyperlink-references
	structuredPatterns = []*regexp.Regexp{
		regexp.MustCompile("`(?P<text>[^`<>]*)<(?P<target>[^`<>]+)>`"),
		regexp.MustCompile("(?m)^\\.\\. _`?(?P<text>[^:`\n]+)`?: +(?P<target>\\S+)\\s*$"),
	}
	// https://docs.asciidoctor.org/asciidoc/latest/macros/links/
	asciiDocPatterns = []*regexp.Regexp{
		regexp.MustCompile(`(?:link:|xref:)?(?P<target>[^\s\[\]()<>"]+)\[(?P<text>[^\[\]]*)\]`),
	}
	// https://orgmode.org/manual/Link-Format.html
	orgPatterns = []*regexp.Regexp{
		regexp.MustCompile(`\[\[(?:file:)?(?P<target>[^\[\]]+)\]\[(?P<text>[^\[\]]+)\]\]`),
	}
)

// findPatterns returns a finder of patterns.
func findPatterns(patterns []*regexp.Regexp) finder {
	return func(text string, emit func(at int, address, text string)) {
		for _, pattern := range patterns {
			target, name := pattern.SubexpIndex("target"), pattern.SubexpIndex("text")
			for _, at := range pattern.FindAllStringSubmatchIndex(text, -1) {
				emit(at[0], text[at[2*target]:at[2*target+1]], text[at[2*name]:at[2*name+1]])
			}
		}
	}
}

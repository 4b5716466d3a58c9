package lintreport

import (
	"bufio"
	"fmt"
	"io"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/lint"
)

// githubWriter writes annotations, and the counts as a line of the log.
type githubWriter struct {
	tally
	out   *bufio.Writer
	texts *catalog.Catalog
}

func newGitHub(w io.Writer, options *Options) Writer {
	return &githubWriter{newTally(), bufio.NewWriter(w), options.Texts}
}

func (g *githubWriter) Write(f *lint.Finding) error {
	g.add(f)
	result, language := newResult(f), g.texts.Language()
	result.Message = message(f, language)
	title := f.Rule.Title().In(string(language)) + " [" + f.Rule.ID + "]"
	return format.Annotate(g.out, result, title, f.Rule.Fix().In(string(language)))
}

func (g *githubWriter) Checked(file string) error {
	g.checked(file)
	return g.out.Flush()
}

func (g *githubWriter) Close(accepted int) error {
	fmt.Fprintln(g.out, g.summary(g.texts, accepted)) // an error comes back at Flush
	return g.out.Flush()
}

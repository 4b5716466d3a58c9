package lintreport

import (
	"bufio"
	"fmt"
	"io"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/lint"
)

// githubWriter writes annotations, and the counts as a line of the log.
type githubWriter struct {
	tally
	out *bufio.Writer
}

func newGitHub(w io.Writer, _ *Options) Writer {
	return &githubWriter{newTally(), bufio.NewWriter(w)}
}

func (g *githubWriter) Write(f *lint.Finding) error {
	g.add(f)
	return format.Annotate(g.out, newResult(f), f.Rule.Title().String()+" ["+f.Rule.ID+"]", f.Rule.Fix().String())
}

func (g *githubWriter) Checked(file string) error {
	g.checked(file)
	return g.out.Flush()
}

func (g *githubWriter) Close(accepted int) error {
	fmt.Fprintln(g.out, g.summary(accepted)) // an error comes back at Flush
	return g.out.Flush()
}

package report

import (
	"bufio"
	"fmt"
	"io"

	"github.com/mapatools/mapa/lint"
)

// A lintGitHub writes annotations, and the counts into the log.
type lintGitHub struct {
	tally
	out *bufio.Writer
}

func newLintGitHub(w io.Writer, _ *LintOptions) Lint {
	return &lintGitHub{newTally(), bufio.NewWriter(w)}
}

func (g *lintGitHub) Write(f *lint.Finding) error {
	g.add(f)
	return Annotate(g.out, result(f), f.Rule.Title+" ["+f.Rule.ID+"]", f.Rule.Cure)
}

func (g *lintGitHub) Checked(file string) error {
	g.checked(file)
	return g.out.Flush()
}

func (g *lintGitHub) Close(accepted int) error {
	fmt.Fprintln(g.out, g.summary(accepted)) // an error comes back at Flush
	return g.out.Flush()
}

package report

import (
	"fmt"
	"io"

	"github.com/mapatools/mapa/lint"
)

// WithSummary returns a writer that hands everything on and writes the counts, one
// line, to w in the end: for reports that go into a file.
func WithSummary(next Lint, w io.Writer) Lint { return &lintSummary{newTally(), next, w} }

type lintSummary struct {
	tally
	next Lint
	out  io.Writer
}

func (s *lintSummary) Write(f *lint.Finding) error {
	s.add(f)
	return s.next.Write(f)
}

func (s *lintSummary) Checked(file string) error {
	s.checked(file)
	return s.next.Checked(file)
}

func (s *lintSummary) Close(accepted int) error {
	if err := s.next.Close(accepted); err != nil {
		return err
	}
	_, err := fmt.Fprintln(s.out, s.summary(accepted))
	return err
}

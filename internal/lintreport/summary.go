package lintreport

import (
	"fmt"
	"io"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/lint"
)

// WithSummary returns a writer that passes everything to next and finally writes
// the counts to w on one line, in the language of a catalog. It is for reports that go to a file.
func WithSummary(next Writer, w io.Writer, c *catalog.Catalog) Writer {
	return &summaryWriter{newTally(), next, w, c}
}

type summaryWriter struct {
	tally
	next  Writer
	out   io.Writer
	texts *catalog.Catalog
}

func (s *summaryWriter) Write(f *lint.Finding) error {
	s.add(f)
	return s.next.Write(f)
}

func (s *summaryWriter) Checked(file string) error {
	s.checked(file)
	return s.next.Checked(file)
}

func (s *summaryWriter) Close(accepted int) error {
	if err := s.next.Close(accepted); err != nil {
		return err
	}
	_, err := fmt.Fprintln(s.out, s.summary(s.texts, accepted))
	return err
}

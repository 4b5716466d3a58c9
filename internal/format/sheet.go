package format

import (
	"bufio"
	"io"
	"strings"
)

// A Table writes rows of cells. The first error stays.
type Table interface {
	Write(cells []string) error
	Flush()
	Error() error
}

// A Sheet is a table in CSV for people, who open it in a spreadsheet. Excel takes the separator from the settings of
// the system, which is a semicolon where numbers have a decimal comma, and a file for UTF-8 only after a byte order
// mark. LibreOffice splits at commas, semicolons and tabs at once: cells with any of them are quoted.
type Sheet struct {
	out       *bufio.Writer
	separator byte
	err       error
}

// byteOrderMark begins a sheet.
const byteOrderMark = "\ufeff"

// NewSheet returns a table with a separator.
func NewSheet(w io.Writer, separator byte) *Sheet {
	s := &Sheet{out: bufio.NewWriter(w), separator: separator}
	s.text(byteOrderMark)
	return s
}

// Write writes a row.
func (s *Sheet) Write(cells []string) error {
	for i, cell := range cells {
		if i > 0 {
			s.text(string(s.separator))
		}
		if strings.ContainsAny(cell, ",;\t\r\n\"") || strings.TrimSpace(cell) != cell {
			cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
		}
		s.text(cell)
	}
	s.text("\r\n")
	return s.err
}

func (s *Sheet) text(text string) {
	if s.err == nil {
		_, s.err = s.out.WriteString(text)
	}
}

// Flush writes what is buffered.
func (s *Sheet) Flush() {
	if s.err == nil {
		s.err = s.out.Flush()
	}
}

// Error returns the first error.
func (s *Sheet) Error() error { return s.err }

package lintreport

import (
	"bufio"
	"io"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/lint"
)

// finding is the JSON form of a finding.
type finding struct {
	Rule        string        `json:"rule"`
	Severity    lint.Severity `json:"severity"`
	File        string        `json:"file"`
	Line        int           `json:"line,omitempty"`
	Column      int           `json:"column,omitempty"`
	Offset      *int64        `json:"offset,omitempty"`
	Element     string        `json:"element,omitempty"`
	URL         string        `json:"url,omitempty"`
	Message     string        `json:"message"`
	Evidence    string        `json:"evidence,omitempty"`
	More        int           `json:"more,omitempty"`
	Fix         string        `json:"fix"`
	Fingerprint string        `json:"fingerprint"`
}

// A summary follows the findings.
type summary struct {
	Counts counts         `json:"counts"`
	Files  files          `json:"files"`
	Rules  map[string]int `json:"rules"`
}

// counts are the findings by severity, and those that the baseline accepts.
type counts struct {
	Error    int `json:"error"`
	Warning  int `json:"warning"`
	Info     int `json:"info"`
	Accepted int `json:"accepted"`
}

// files are the numbers of files.
type files struct {
	Checked      int `json:"checked"`
	WithFindings int `json:"with_findings"`
}

func appendFinding(dst []byte, f *lint.Finding) ([]byte, error) {
	encoded := finding{
		Rule: f.Rule.ID, Severity: f.Severity, File: f.File, Line: f.Line, Column: f.Column, Element: f.Element,
		URL: f.URL, Message: message(f, catalog.English), Evidence: f.Evidence, More: f.More, Fix: f.Rule.Fix().String(),
		Fingerprint: f.Fingerprint(),
	}
	if f.Line > 0 {
		encoded.Offset = &f.Offset
	}
	return format.AppendJSON(dst, encoded)
}

// jsonWriter writes one object.
type jsonWriter struct {
	tally
	out  *bufio.Writer
	line []byte
	some bool
	err  error
}

func newJSON(w io.Writer, _ *Options) Writer {
	j := &jsonWriter{tally: newTally(), out: bufio.NewWriter(w)}
	_, j.err = j.out.WriteString(`{"findings":[`)
	return j
}

func (j *jsonWriter) Write(f *lint.Finding) error {
	j.add(f)
	if j.err != nil {
		return j.err
	}
	j.line = j.line[:0]
	if j.some {
		j.line = append(j.line, ',')
	}
	j.some = true
	if j.line, j.err = appendFinding(append(j.line, '\n'), f); j.err == nil {
		_, j.err = j.out.Write(j.line)
	}
	return j.err
}

func (j *jsonWriter) Checked(file string) error {
	j.checked(file)
	return j.err
}

func (j *jsonWriter) Close(accepted int) error {
	if j.err != nil {
		return j.err
	}
	n := j.severities
	rest, err := format.AppendJSON(nil, summary{
		counts{n[lint.SeverityError], n[lint.SeverityWarning], n[lint.SeverityInfo], accepted},
		files{len(j.files), j.withFindings()}, j.rules,
	})
	if err != nil {
		return err
	}
	rest[0] = ',' // replaces the brace: the object is already open
	if _, err := j.out.Write(append(append([]byte("\n]"), rest...), '\n')); err != nil {
		return err
	}
	return j.out.Flush()
}

// jsonLinesWriter writes one object per line.
type jsonLinesWriter struct {
	out  *bufio.Writer
	line []byte
}

func newJSONLines(w io.Writer, _ *Options) Writer { return &jsonLinesWriter{out: bufio.NewWriter(w)} }

func (l *jsonLinesWriter) Write(f *lint.Finding) (err error) {
	if l.line, err = appendFinding(l.line[:0], f); err != nil {
		return err
	}
	_, err = l.out.Write(append(l.line, '\n'))
	return err
}

func (l *jsonLinesWriter) Checked(string) error { return l.out.Flush() }
func (l *jsonLinesWriter) Close(int) error      { return l.out.Flush() }

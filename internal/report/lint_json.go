package report

import (
	"bufio"
	"io"

	"github.com/mapatools/mapa/lint"
)

// A finding is one in JSON.
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
	Cure        string        `json:"cure"`
	Fingerprint string        `json:"fingerprint"`
}

func appendFinding(dst []byte, f *lint.Finding) ([]byte, error) {
	told := finding{
		Rule: f.Rule.ID, Severity: f.Severity, File: f.File, Line: f.Line, Column: f.Column, Element: f.Element,
		URL: f.URL, Message: message(f), Evidence: f.Evidence, More: f.More, Cure: f.Rule.Cure, Fingerprint: f.Fingerprint(),
	}
	if f.Line > 0 {
		told.Offset = &f.Offset
	}
	return appendJSON(dst, told)
}

// A lintJSON writes one object.
type lintJSON struct {
	tally
	out  *bufio.Writer
	line []byte
	some bool
	err  error
}

func newLintJSON(w io.Writer, _ *LintOptions) Lint {
	j := &lintJSON{tally: newTally(), out: bufio.NewWriter(w)}
	_, j.err = j.out.WriteString(`{"findings":[`)
	return j
}

func (j *lintJSON) Write(f *lint.Finding) error {
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

func (j *lintJSON) Checked(file string) error {
	j.checked(file)
	return j.err
}

func (j *lintJSON) Close(accepted int) error {
	if j.err != nil {
		return j.err
	}
	counts := struct {
		Error    int `json:"error"`
		Warning  int `json:"warning"`
		Info     int `json:"info"`
		Accepted int `json:"accepted"`
	}{j.severities[lint.SeverityError], j.severities[lint.SeverityWarning], j.severities[lint.SeverityInfo], accepted}
	rest, err := appendJSON(nil, map[string]any{
		"counts": counts,
		"rules":  j.rules,
		"files":  map[string]int{"checked": len(j.files), "with_findings": j.broken()},
	})
	if err != nil {
		return err
	}
	rest[0] = ',' // in place of its brace: the object is open
	if _, err := j.out.Write(append(append([]byte("\n]"), rest...), '\n')); err != nil {
		return err
	}
	return j.out.Flush()
}

// lintLines writes one object a line.
type lintLines struct {
	out  *bufio.Writer
	line []byte
}

func newLintLines(w io.Writer, _ *LintOptions) Lint { return &lintLines{out: bufio.NewWriter(w)} }

func (l *lintLines) Write(f *lint.Finding) (err error) {
	if l.line, err = appendFinding(l.line[:0], f); err != nil {
		return err
	}
	_, err = l.out.Write(append(l.line, '\n'))
	return err
}

func (l *lintLines) Checked(string) error { return l.out.Flush() }
func (l *lintLines) Close(int) error      { return l.out.Flush() }

package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/mapatools/mapa/lint"
)

// home is where Mapa's documents lie.
const home = "https://github.com/mapatools/mapa"

// LintOptions say what a report of findings is about.
type LintOptions struct {
	// Rules are those that may be broken; SARIF describes them.
	Rules []*lint.Rule
	// FailOn is the severity from which a finding is a failure in JUnit's terms.
	FailOn lint.Severity
	// Version is that of Mapa.
	Version string
	// Now is the time of the report.
	Now time.Time
	// Color lets text be coloured, for terminals.
	Color bool
}

// A Lint writes findings in one format, most of them in memory that does not
// grow with their number. It is for one goroutine. After an error every call
// returns one.
type Lint interface {
	// Write adds a finding.
	Write(f *lint.Finding) error
	// Checked says that a file was read to its end and that its own findings
	// were written before.
	Checked(file string) error
	// Close writes what comes last, such as the counts; accepted findings are
	// those that were not written because they are known. It does not close what
	// is written to.
	Close(accepted int) error
}

// lintFormats make the writers.
var lintFormats = map[string]func(io.Writer, *LintOptions) Lint{
	"text":   newLintText,
	"json":   newLintJSON,
	"jsonl":  newLintLines,
	"sarif":  newLintSARIF,
	"junit":  newLintJUnit,
	"github": newLintGitHub,
	"html":   newLintHTML,
}

// NewLint returns the writer of a format: text, json, jsonl, sarif, junit, github
// or html. Other names are an error.
func NewLint(format string, w io.Writer, options LintOptions) (Lint, error) {
	begin, known := lintFormats[format]
	if !known {
		return nil, fmt.Errorf("format is %s, not %q", strings.Join(slices.Sorted(maps.Keys(lintFormats)), ", "), format)
	}
	return begin(w, &options), nil
}

// A tally counts findings and files, and is the last line of a report.
type tally struct {
	severities map[lint.Severity]int
	rules      map[string]int
	files      map[string]bool // whether they have findings
}

func newTally() tally {
	return tally{map[lint.Severity]int{}, map[string]int{}, map[string]bool{}}
}

func (t *tally) add(f *lint.Finding) {
	t.severities[f.Severity] += f.Count()
	t.rules[f.Rule.ID] += f.Count()
	if f.File != "" {
		t.files[f.File] = true
	}
}

func (t *tally) checked(file string) {
	if !t.files[file] {
		t.files[file] = false
	}
}

func (t *tally) broken() (n int) {
	for _, has := range t.files {
		if has {
			n++
		}
	}
	return n
}

// summary returns the counts in one line.
func (t *tally) summary(accepted int) string {
	known := ""
	if accepted > 0 {
		known = ", " + counted(accepted) + " accepted"
	}
	if len(t.rules) == 0 {
		return "no findings in " + Plural(len(t.files), "file") + known
	}
	return fmt.Sprintf("%s, %s, %s info in %s of %s%s", Plural(t.severities[lint.SeverityError], "error"),
		Plural(t.severities[lint.SeverityWarning], "warning"), counted(t.severities[lint.SeverityInfo]),
		counted(t.broken()), Plural(len(t.files), "file"), known)
}

// result returns a finding in the terms of all formats.
func result(f *lint.Finding) *Result {
	r := &Result{
		Rule: f.Rule.ID, Level: f.Severity, Message: message(f), Location: f.File,
		Line: f.Line, Column: f.Column, Character: characterOf(f), Evidence: f.Evidence, Fingerprint: f.Fingerprint(), Count: f.More,
	}
	if f.Line == 0 {
		r.Column = 0
	}
	return r
}

// characterOf returns the column of a finding in UTF-16 code units, or 0 where the
// line before it is not known as a whole.
func characterOf(f *lint.Finding) int {
	if f.Line == 0 || f.Caret != f.Column || f.Caret < 1 || f.Caret > len(f.Source)+1 {
		return 0
	}
	column := 1
	for _, r := range f.Source[:f.Caret-1] {
		column += utf16.RuneLen(r)
	}
	return column
}

// message returns what a finding says, or that it stands for others.
func message(f *lint.Finding) string {
	if f.More > 0 {
		return counted(f.More) + " more like this: " + f.Rule.Title
	}
	return f.Message
}

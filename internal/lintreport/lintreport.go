package lintreport

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/lint"
)

// Options configures a report. The zero value is ready to use.
type Options struct {
	// Rules are the rules that SARIF describes.
	Rules []*lint.Rule
	// FailOn is the lowest severity that JUnit counts as a failure.
	FailOn lint.Severity
	// Version is the version of Mapa.
	Version string
	// Now is the time of the report.
	Now time.Time
	// Color adds terminal colors to text.
	Color bool
	// Width is the number of columns that excerpts in text fit in. 0 is unknown.
	Width int
}

// Writer writes findings in one format, most formats in constant memory. It is not
// safe for concurrent use. After an error every call returns an error.
type Writer interface {
	// Write adds a finding.
	Write(f *lint.Finding) error
	// Checked marks a file as read to its end. Its own findings come before.
	Checked(file string) error
	// Close writes the counts and the end of the report. Accepted is the number of
	// findings that were not written because the baseline lists them. Close does
	// not close the underlying writer.
	Close(accepted int) error
}

// writers are the constructors of writers by the names of formats.
var writers = map[string]func(io.Writer, *Options) Writer{
	"text":   newText,
	"json":   newJSON,
	"jsonl":  newJSONLines,
	"sarif":  newSARIF,
	"junit":  newJUnit,
	"github": newGitHub,
	"html":   newHTML,
}

// New returns the writer of a format: text, json, jsonl, sarif, junit, github or
// html. Nil options are the defaults.
func New(name string, w io.Writer, options *Options) (Writer, error) {
	newWriter, known := writers[name]
	if !known {
		return nil, fmt.Errorf("unknown --format %q: use one of %s", name,
			strings.Join(slices.Sorted(maps.Keys(writers)), ", "))
	}
	if options == nil {
		options = &Options{}
	}
	return newWriter(w, options), nil
}

// tally counts findings and files for the summary at the end of a report.
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

// withFindings returns the number of files with findings.
func (t *tally) withFindings() (n int) {
	for _, has := range t.files {
		if has {
			n++
		}
	}
	return n
}

// summary returns the counts on one line.
func (t *tally) summary(accepted int) string {
	known := ""
	if accepted > 0 {
		known = ", " + format.Count(accepted) + " accepted"
	}
	if len(t.rules) == 0 {
		return "no findings in " + format.Plural(len(t.files), "file") + known
	}
	return fmt.Sprintf("%s, %s, %s info in %s of %s%s", format.Plural(t.severities[lint.SeverityError], "error"),
		format.Plural(t.severities[lint.SeverityWarning], "warning"), format.Count(t.severities[lint.SeverityInfo]),
		format.Count(t.withFindings()), format.Plural(len(t.files), "file"), known)
}

// newResult returns a finding in the terms of all formats.
func newResult(f *lint.Finding) *format.Result {
	r := &format.Result{
		Rule: f.Rule.ID, Level: level(f.Severity), Message: message(f), Location: f.File,
		Line: f.Line, Column: f.Column, Character: characterOf(f), Evidence: f.Evidence, Fingerprint: f.Fingerprint(),
		Count: f.More,
	}
	if f.Line == 0 {
		r.Column = 0
	}
	return r
}

func level(s lint.Severity) format.Level {
	switch s {
	case lint.SeverityError:
		return format.LevelError
	case lint.SeverityWarning:
		return format.LevelWarning
	case lint.SeverityInfo:
		return format.LevelInfo
	}
	return format.LevelOff
}

// characterOf returns the column of a finding in UTF-16 code units, or 0 where the
// line up to it is not known.
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

// message returns the message of a finding. One that counts others names the rule.
func message(f *lint.Finding) string {
	if f.More > 0 {
		return lint.Text{Code: "finding.more-of", Arguments: []any{f.More, f.Rule.Title()}}.String()
	}
	return f.Message.String()
}

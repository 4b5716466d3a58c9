package lintreport

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/mapatools/mapa/internal/catalog"
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
	// Texts are those of the formats for people: text, annotations and the page. Nil is English.
	Texts *catalog.Catalog
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
	complete := Options{}
	if options != nil {
		complete = *options
	}
	complete.Texts = cmp.Or(complete.Texts, catalog.For(catalog.English))
	return newWriter(w, &complete), nil
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
func (t *tally) summary(c *catalog.Catalog, accepted int) string {
	files := c.Plural("summary.files", int64(len(t.files)))
	text := c.Text("lint.none", files)
	if len(t.rules) > 0 {
		text = c.Text("lint.summary", c.Plural("verdict.errors", int64(t.severities[lint.SeverityError])),
			c.Plural("verdict.warnings", int64(t.severities[lint.SeverityWarning])),
			c.Plural("lint.infos", int64(t.severities[lint.SeverityInfo])), c.Count(int64(t.withFindings())), files)
	}
	if accepted > 0 {
		text += ", " + c.Plural("lint.accepted", int64(accepted))
	}
	return text
}

// newResult returns a finding in the terms of all formats, in English.
func newResult(f *lint.Finding) *format.Result {
	r := &format.Result{
		Rule: f.Rule.ID, Level: level(f.Severity), Message: message(f, catalog.English), Location: f.File,
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

// message returns the message of a finding in a language. One that counts others names the rule.
func message(f *lint.Finding, language catalog.Language) string {
	if f.More > 0 {
		return lint.Text{Code: "finding.more-of", Arguments: []any{f.More, f.Rule.Title()}}.In(string(language))
	}
	return f.Message.In(string(language))
}

package lintreport

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/lint"
)

// Limits of text and of the visible part of a page. More findings of the same rule
// say nothing new.
const (
	shownPerFile = 3 // findings of one rule in one file
	shownFiles   = 3 // files that break one rule
)

// textWriter writes for people: a paragraph per file, or several for a file that the
// findings come back to.
type textWriter struct {
	tally
	out     *bufio.Writer
	texts   *catalog.Catalog
	color   bool
	width   int                    // columns
	broken  map[string]*brokenRule // by rule ID
	order   []string               // keys of broken
	file    string                 // current file
	begun   bool                   // something is written
	inGroup bool                   // the paragraph of the current file is begun
}

// brokenRule counts the shown and hidden findings of one rule.
type brokenRule struct {
	files  int     // files that break it
	file   string  // last of them
	inFile limiter // findings of that file
	beyond int     // findings of files without a shown finding
	fixed  bool    // the fix is already shown
}

func newText(w io.Writer, options *Options) Writer {
	return &textWriter{
		tally: newTally(), out: bufio.NewWriter(w), texts: options.Texts, color: options.Color,
		broken: map[string]*brokenRule{},
		width:  cmp.Or(options.Width, defaultWidth),
	}
}

func (t *textWriter) Write(f *lint.Finding) error {
	t.add(f)
	if f.File != t.file {
		t.beginFile(f.File)
	}
	r := t.rule(f.Rule.ID)
	if r.files == 0 || r.file != f.File {
		r.files, r.file, r.inFile = r.files+1, f.File, limiter{limit: shownPerFile, hidden: r.inFile.hidden}
	}
	switch {
	case r.files > shownFiles:
		r.beyond += f.Count()
	case r.inFile.add(f):
		t.show(f)
		if !r.fixed {
			r.fixed = true
			return t.printf("  %s %s\n", t.paint(dim, "="), t.word(f.Rule.Fix()))
		}
	}
	return nil
}

// word returns a text in the language of the report.
func (t *textWriter) word(text lint.Text) string { return text.In(string(t.texts.Language())) }

func (t *textWriter) rule(id string) *brokenRule {
	if t.broken[id] == nil {
		t.broken[id] = &brokenRule{}
		t.order = append(t.order, id)
	}
	return t.broken[id]
}

// beginFile writes how many findings of the file before were not shown, and begins
// the next file.
func (t *textWriter) beginFile(file string) {
	for _, id := range t.order {
		if r := t.broken[id]; r.inFile.hidden > 0 {
			t.beginGroup()
			t.printf("%s: %s %s\n", t.paint(bold, format.Printable(t.file)), t.texts.Plural("lint.more", int64(r.inFile.hidden)),
				t.paint(dim, "["+id+"]"))
			r.inFile.hidden = 0
		}
	}
	t.file, t.inGroup = file, false
}

// beginGroup separates the paragraph of a file from the one before.
func (t *textWriter) beginGroup() {
	if t.begun && !t.inGroup {
		t.printf("\n")
	}
	t.begun, t.inGroup = true, true
}

func (t *textWriter) show(f *lint.Finding) {
	message := t.word(f.Message)
	t.beginGroup()
	t.printf("%s: %s: %s %s\n", t.paint(bold, format.Printable(newResult(f).Place())),
		t.paint(colors[f.Severity], t.texts.Text("severity."+f.Severity.String())),
		format.Printable(message), t.paint(dim, "["+f.Rule.ID+"]"))
	t.quote(f, message)
}

// quote shows the line with carets below the finding. If the line is not known or
// does not show the evidence, it shows the evidence or the URL of the finding, unless they
// are in the message.
func (t *textWriter) quote(f *lint.Finding, message string) {
	number := strconv.Itoa(f.Line)
	gutter := strings.Repeat(" ", len(number))
	room := max(t.width-len("   | ")-len(number), minExcerpt)
	e := excerptOf(f, room)
	if e == nil {
		if text := cmp.Or(f.Evidence, f.URL); text != "" && !strings.Contains(message, text) {
			t.printf("  %s %s\n", t.paint(dim, "|"), cutEnd(format.Printable(text), room))
		}
		return
	}
	marks := strings.Repeat("^", max(columns(e.At), 1))
	// the three together could form a command
	t.printf("  %s %s\n", t.paint(dim, number+" |"), format.Printable(e.Before+e.At+e.After))
	t.printf("  %s %s%s\n", t.paint(dim, gutter+" |"), strings.Repeat(" ", columns(e.Before)),
		t.paint(colors[f.Severity], marks))
	if evidence := evidenceOf(f); evidence != "" && !e.evident && !strings.Contains(message, evidence) {
		t.printf("  %s %s\n", t.paint(dim, gutter+" |"), cutEnd(evidence, room))
	}
}

func (t *textWriter) Checked(file string) error {
	t.checked(file)
	t.beginFile("")
	return t.out.Flush()
}

func (t *textWriter) Close(accepted int) error {
	t.beginFile("")
	if len(t.rules) > 0 {
		t.printf("\n")
	}
	for _, id := range t.order {
		if n := t.broken[id].beyond; n > 0 {
			t.printf("%s %s\n", t.texts.Plural("lint.further", int64(n)), t.paint(dim, "["+id+"]"))
		}
	}
	if len(t.order) > 0 {
		t.printf("%s\n", t.texts.Text("lint.rules", t.order[0]))
	}
	t.printf("%s\n", t.summary(t.texts, accepted))
	return t.out.Flush()
}

func (t *textWriter) printf(format string, values ...any) error {
	_, err := fmt.Fprintf(t.out, format, values...)
	return err
}

// Sequences that color text on terminals
// (https://ecma-international.org/publications-and-standards/standards/ecma-48/, 8.3.117).
const (
	bold  = "\x1b[1m"
	dim   = "\x1b[2m"
	reset = "\x1b[0m"
)

var colors = [...]string{
	lint.SeverityError: "\x1b[1;31m", lint.SeverityWarning: "\x1b[1;33m", lint.SeverityInfo: "\x1b[1;36m",
}

func (t *textWriter) paint(color, text string) string {
	if !t.color {
		return text
	}
	return color + text + reset
}

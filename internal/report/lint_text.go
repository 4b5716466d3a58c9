package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/lint"
)

// shownEach is how many findings of one rule in one file people see; more say
// nothing new.
const shownEach = 3

// A lintText writes for people.
type lintText struct {
	tally
	out   *bufio.Writer
	color bool
	cured map[string]bool // rules whose cure was told

	file   string
	shown  map[string]int // findings of the file, by rule
	hidden map[string]*lint.Finding
	order  []string // of the rules in hidden
}

func newLintText(w io.Writer, options *LintOptions) Lint {
	return &lintText{tally: newTally(), out: bufio.NewWriter(w), color: options.Color, cured: map[string]bool{}}
}

func (t *lintText) Write(f *lint.Finding) error {
	t.add(f)
	if f.File != t.file || t.shown == nil {
		t.turn(f.File)
	}
	id := f.Rule.ID
	if t.shown[id] >= shownEach || f.More > 0 {
		t.hide(f)
		return nil
	}
	t.shown[id]++
	return t.show(f)
}

// turn begins a file, and says of the one before what was not shown.
func (t *lintText) turn(file string) {
	for _, id := range t.order {
		f := t.hidden[id]
		t.printf("%s: %s more like this %s\n", t.paint(bold, Printable(f.File)), counted(f.More), t.paint(dim, "["+id+"]"))
	}
	t.file, t.order = file, nil
	t.shown, t.hidden = map[string]int{}, map[string]*lint.Finding{}
}

func (t *lintText) hide(f *lint.Finding) {
	id := f.Rule.ID
	if t.hidden[id] == nil {
		t.order = append(t.order, id)
		t.hidden[id] = &lint.Finding{File: f.File}
	}
	t.hidden[id].More += f.Count()
}

func (t *lintText) show(f *lint.Finding) error {
	t.printf("%s: %s: %s %s\n", t.paint(bold, Printable(result(f).place())), t.paint(colors[f.Severity], f.Severity.String()),
		Printable(f.Message), t.paint(dim, "["+f.Rule.ID+"]"))
	t.quote(f)
	if !t.cured[f.Rule.ID] {
		t.cured[f.Rule.ID] = true
		return t.printf("  %s %s\n", t.paint(dim, "="), f.Rule.Cure)
	}
	return nil
}

// quote shows the line with carets under the finding, or else what the finding
// itself knows of it.
func (t *lintText) quote(f *lint.Finding) {
	e := excerptOf(f)
	if e == nil {
		if said := cmp.Or(f.Evidence, f.URL); said != "" {
			t.printf("  %s %s\n", t.paint(dim, "|"), first(Printable(said), excerptBefore+excerptAfter))
		}
		return
	}
	number := strconv.Itoa(f.Line)
	gutter := strings.Repeat(" ", len(number))
	marks := strings.Repeat("^", max(columns(e.At), 1))
	t.printf("  %s %s\n", t.paint(dim, number+" |"), Printable(e.Before+e.At+e.After)) // together they could be a command
	t.printf("  %s %s%s\n", t.paint(dim, gutter+" |"), strings.Repeat(" ", columns(e.Before)), t.paint(colors[f.Severity], marks))
}

func (t *lintText) Checked(file string) error {
	t.checked(file)
	t.turn("")
	return t.out.Flush()
}

func (t *lintText) Close(accepted int) error {
	t.turn("")
	if len(t.rules) > 0 {
		t.printf("\n")
	}
	t.printf("%s\n", t.summary(accepted))
	return t.out.Flush()
}

func (t *lintText) printf(format string, values ...any) error {
	_, err := fmt.Fprintf(t.out, format, values...)
	return err
}

// The sequences that colour text on terminals
// (https://ecma-international.org/publications-and-standards/standards/ecma-48/, 8.3.117).
const (
	bold  = "\x1b[1m"
	dim   = "\x1b[2m"
	reset = "\x1b[0m"
)

var colors = map[lint.Severity]string{lint.Error: "\x1b[1;31m", lint.Warning: "\x1b[1;33m", lint.Info: "\x1b[1;36m"}

func (t *lintText) paint(color, text string) string {
	if !t.color {
		return text
	}
	return color + text + reset
}

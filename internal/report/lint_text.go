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

// People see so many findings of one rule in one file, and so many files that
// break it; more say nothing new.
const (
	shownEach  = 3
	shownFiles = 3
)

// A lintText writes for people.
type lintText struct {
	tally
	out   *bufio.Writer
	color bool
	told  map[string]*told // by the ID of the rule
	order []string         // of the rules in told
	file  string           // the last
}

// told is what was said of one rule.
type told struct {
	files  int    // that break it
	file   string // the last of them
	shown  int    // findings of that file
	hidden int    // findings of that file that were only counted
	beyond int    // findings of files of which none is shown
	cured  bool   // the cure is told once
}

func newLintText(w io.Writer, options *LintOptions) Lint {
	return &lintText{tally: newTally(), out: bufio.NewWriter(w), color: options.Color, told: map[string]*told{}}
}

func (t *lintText) Write(f *lint.Finding) error {
	t.add(f)
	if f.File != t.file {
		t.turn(f.File)
	}
	r := t.rule(f.Rule.ID)
	if r.files == 0 || r.file != f.File {
		r.files, r.file, r.shown = r.files+1, f.File, 0
	}
	switch {
	case r.files > shownFiles:
		r.beyond += f.Count()
	case r.shown == shownEach || f.More > 0:
		r.hidden += f.Count()
	default:
		r.shown++
		t.show(f)
		if !r.cured {
			r.cured = true
			return t.printf("  %s %s\n", t.paint(dim, "="), f.Rule.Cure)
		}
	}
	return nil
}

func (t *lintText) rule(id string) *told {
	if t.told[id] == nil {
		t.told[id] = &told{}
		t.order = append(t.order, id)
	}
	return t.told[id]
}

// turn begins a file, and says of the one before what was not shown.
func (t *lintText) turn(file string) {
	for _, id := range t.order {
		if r := t.told[id]; r.hidden > 0 {
			t.printf("%s: %s more like this %s\n", t.paint(bold, Printable(t.file)), counted(r.hidden), t.paint(dim, "["+id+"]"))
			r.hidden = 0
		}
	}
	t.file = file
}

func (t *lintText) show(f *lint.Finding) {
	t.printf("%s: %s: %s %s\n", t.paint(bold, Printable(result(f).place())), t.paint(colors[f.Severity], f.Severity.String()),
		Printable(f.Message), t.paint(dim, "["+f.Rule.ID+"]"))
	t.quote(f)
}

// quote shows the line with carets under the finding, and what the finding itself
// knows of it where the line is not known or does not show it.
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
	if evidence := evidenceOf(f); evidence != "" && !e.evident {
		t.printf("  %s %s\n", t.paint(dim, gutter+" |"), first(evidence, excerptBefore+excerptAfter))
	}
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
	for _, id := range t.order {
		if n := t.told[id].beyond; n > 0 {
			t.printf("%s more in further files %s\n", counted(n), t.paint(dim, "["+id+"]"))
		}
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

var colors = map[lint.Severity]string{lint.SeverityError: "\x1b[1;31m", lint.SeverityWarning: "\x1b[1;33m", lint.SeverityInfo: "\x1b[1;36m"}

func (t *lintText) paint(color, text string) string {
	if !t.color {
		return text
	}
	return color + text + reset
}

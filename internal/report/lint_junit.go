package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/mapatools/mapa/lint"
)

// detailsEach is how many findings of one rule in one file a test case spells
// out, so that a suite stays small whatever the linter reports.
const detailsEach = 20

// A lintJUnit writes a suite for every file, with a case for every rule that is
// broken. Findings that are no failures are the output of the suite.
type lintJUnit struct {
	report *JUnit
	failOn lint.Severity
	file   string
	open   bool
	done   map[string]bool // files that were checked
	cases  map[string]*junitFindings
	order  []string // of the cases
	notes  junitFindings
}

// junitFindings are findings of one kind, the first of them in full.
type junitFindings struct {
	first lint.Finding
	lines strings.Builder
	shown int
	more  int
}

func newLintJUnit(w io.Writer, options *LintOptions) Lint {
	return &lintJUnit{report: NewJUnit(w, options.Now), failOn: options.FailOn, done: map[string]bool{}}
}

func (j *lintJUnit) Write(f *lint.Finding) error {
	file := f.File
	if j.done[file] {
		file = "" // what is found of files beside each other comes when each has had its suite
	}
	if err := j.turn(file); err != nil {
		return err
	}
	if f.Severity < j.failOn {
		j.notes.add(f)
		return nil
	}
	broken := j.cases[f.Rule.ID]
	if broken == nil {
		broken = &junitFindings{first: *f}
		j.cases[f.Rule.ID] = broken
		j.order = append(j.order, f.Rule.ID)
	}
	broken.add(f)
	return nil
}

func (n *junitFindings) add(f *lint.Finding) {
	if n.shown == detailsEach || f.More > 0 {
		n.more += f.Count()
		return
	}
	n.shown++
	fmt.Fprintf(&n.lines, "%s: %s: %s [%s]\n", Printable(result(f).place()), f.Severity, Printable(f.Message), f.Rule.ID)
	if f.Evidence != "" {
		fmt.Fprintf(&n.lines, "  %s\n", Printable(f.Evidence))
	}
}

func (n *junitFindings) text() string {
	if n.more > 0 {
		return n.lines.String() + counted(n.more) + " more\n"
	}
	return n.lines.String()
}

// turn begins the suite of a file if it is another one.
func (j *lintJUnit) turn(file string) error {
	if j.open && j.file == file {
		return nil
	}
	err := j.end()
	j.file, j.open, j.order, j.notes = file, true, nil, junitFindings{}
	j.cases = map[string]*junitFindings{}
	return err
}

func (j *lintJUnit) end() error {
	if !j.open {
		return nil
	}
	j.open = false
	suite := Suite{Name: cmp.Or(j.file, "all files together"), Output: j.notes.text()}
	for _, id := range j.order {
		broken := j.cases[id]
		suite.Cases = append(suite.Cases, Case{
			Name: id, Message: message(&broken.first), Level: broken.first.Severity.String(),
			Details: broken.text() + broken.first.Rule.Cure + "\n",
		})
	}
	if len(suite.Cases) == 0 {
		suite.Cases = []Case{{Name: "valid"}}
	}
	return j.report.Write(&suite)
}

func (j *lintJUnit) Checked(file string) error {
	if err := j.turn(file); err != nil {
		return err
	}
	err := j.end()
	j.done[file] = true
	return err
}

func (j *lintJUnit) Close(int) error {
	if err := j.end(); err != nil {
		return err
	}
	return j.report.Close()
}

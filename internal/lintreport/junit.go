package lintreport

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/lint"
)

// maxDetails is the number of findings of one rule in one file that a test case
// holds in full. It bounds the size of a suite.
const maxDetails = 20

// junitWriter writes a suite for every file, with a failed case for every broken
// rule. Findings below the severity of failures go to the output of the suite.
type junitWriter struct {
	report *format.JUnit
	failOn lint.Severity
	file   string
	open   bool
	done   map[string]bool // files whose suite is written
	cases  map[string]*junitFindings
	order  []string // rule IDs of the cases
	notes  junitFindings
}

// junitFindings collects the findings of one case, the first maxDetails in full.
type junitFindings struct {
	first lint.Finding
	lines strings.Builder
	limiter
}

func newJUnit(w io.Writer, options *Options) Writer {
	return &junitWriter{report: format.NewJUnit(w, options.Now), failOn: options.FailOn, done: map[string]bool{}}
}

func (j *junitWriter) Write(f *lint.Finding) error {
	file := f.File
	if j.done[file] {
		file = "" // findings about several files come after the suites of the files
	}
	if err := j.beginSuite(file); err != nil {
		return err
	}
	if f.Severity < j.failOn {
		j.notes.add(f)
		return nil
	}
	broken := j.cases[f.Rule.ID]
	if broken == nil {
		broken = &junitFindings{first: *f, limiter: limiter{limit: maxDetails}}
		j.cases[f.Rule.ID] = broken
		j.order = append(j.order, f.Rule.ID)
	}
	broken.add(f)
	return nil
}

func (n *junitFindings) add(f *lint.Finding) {
	if !n.limiter.add(f) {
		return
	}
	fmt.Fprintf(&n.lines, "%s: %s: %s [%s]\n", format.Printable(newResult(f).Place()), f.Severity,
		format.Printable(f.Message.String()), f.Rule.ID)
	if f.Evidence != "" {
		fmt.Fprintf(&n.lines, "  %s\n", format.Printable(f.Evidence))
	}
}

func (n *junitFindings) text() string {
	if n.hidden > 0 {
		return n.lines.String() + format.Count(n.hidden) + " more\n"
	}
	return n.lines.String()
}

// beginSuite begins the suite of a file unless it is open.
func (j *junitWriter) beginSuite(file string) error {
	if j.open && j.file == file {
		return nil
	}
	err := j.endSuite()
	j.file, j.open, j.order, j.notes = file, true, nil, junitFindings{limiter: limiter{limit: maxDetails}}
	j.cases = map[string]*junitFindings{}
	return err
}

func (j *junitWriter) endSuite() error {
	if !j.open {
		return nil
	}
	j.open = false
	suite := format.JUnitSuite{Name: cmp.Or(j.file, "all files together"), Output: j.notes.text()}
	for _, id := range j.order {
		broken := j.cases[id]
		suite.Cases = append(suite.Cases, format.JUnitCase{
			Name: id, Message: message(&broken.first, catalog.English), Level: broken.first.Severity.String(),
			Details: broken.text() + broken.first.Rule.Fix().String() + "\n",
		})
	}
	if len(suite.Cases) == 0 {
		suite.Cases = []format.JUnitCase{{Name: "valid"}}
	}
	return j.report.Write(&suite)
}

func (j *junitWriter) Checked(file string) error {
	if err := j.beginSuite(file); err != nil {
		return err
	}
	err := j.endSuite()
	j.done[file] = true
	return err
}

func (j *junitWriter) Close(int) error {
	if err := j.endSuite(); err != nil {
		return err
	}
	return j.report.Close()
}

package report

import (
	"bufio"
	"cmp"
	_ "embed"
	"html/template"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/mapatools/mapa/lint"
)

//go:embed lint.html
var lintPage string

var lintTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("lint").Funcs(pageFunctions).Funcs(template.FuncMap{
		"place":   func(f *lint.Finding) string { return result(f).place() },
		"address": RuleAddress,
		"quote":   excerptOf,
	}).Parse(lintPage))
})

// pageEach is how many findings of a rule a page shows; it counts the rest.
const pageEach = 100

// A lintHTML holds what a page shows, some findings of every rule, until it can
// put the counts above them.
type lintHTML struct {
	tally
	out   io.Writer
	now   time.Time
	rules map[string]*brokenRule
}

// A brokenRule is a section of the page.
type brokenRule struct {
	Rule     *lint.Rule
	Severity lint.Severity
	Findings []lint.Finding
	Count    int
	Files    int
	last     string // of them
}

// Shown are the findings that are seen at once, Folded those behind them.
func (b *brokenRule) Shown() []lint.Finding  { return b.Findings[:min(len(b.Findings), shownEach)] }
func (b *brokenRule) Folded() []lint.Finding { return b.Findings[min(len(b.Findings), shownEach):] }

// More is how many findings are not shown.
func (b *brokenRule) More() int { return b.Count - len(b.Findings) }

func newLintHTML(w io.Writer, options *LintOptions) Lint {
	return &lintHTML{tally: newTally(), out: w, now: options.Now, rules: map[string]*brokenRule{}}
}

func (h *lintHTML) Write(f *lint.Finding) error {
	h.add(f)
	b := h.rules[f.Rule.ID]
	if b == nil {
		b = &brokenRule{Rule: f.Rule}
		h.rules[f.Rule.ID] = b
	}
	b.Severity = max(b.Severity, f.Severity)
	b.Count += f.Count()
	if b.Files == 0 || b.last != f.File {
		b.Files++
		b.last = f.File
	}
	if f.More == 0 && len(b.Findings) < pageEach {
		b.Findings = append(b.Findings, *f)
	}
	return nil
}

func (h *lintHTML) Checked(file string) error {
	h.checked(file)
	return nil
}

func (h *lintHTML) Close(accepted int) error {
	sections := make([]*brokenRule, 0, len(h.rules))
	for _, b := range h.rules {
		sections = append(sections, b)
	}
	slices.SortFunc(sections, func(a, b *brokenRule) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Rule.ID, b.Rule.ID))
	})
	out := bufio.NewWriter(h.out)
	err := lintTemplate().Execute(out, map[string]any{
		"Policy":   pagePolicy,
		"Style":    template.CSS(pageStyle),
		"Sections": sections,
		"Errors":   h.severities[lint.SeverityError],
		"Warnings": h.severities[lint.SeverityWarning],
		"Info":     h.severities[lint.SeverityInfo],
		"Files":    len(h.files),
		"Broken":   h.broken(),
		"Accepted": accepted,
		"Now":      h.now.UTC(),
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

package lintreport

import (
	"bufio"
	"cmp"
	_ "embed"
	"html/template"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/lint"
)

//go:embed page.html
var pageText string

//go:embed page.css
var pageStyle string

//go:embed page.js
var pageScript string

// pageTemplate returns the page in the language of a catalog.
func pageTemplate(c *catalog.Catalog) *template.Template {
	return template.Must(template.New("lint").Funcs(format.PageFunctions).Funcs(c.Functions()).Funcs(template.FuncMap{
		"word":    func(text lint.Text) string { return text.In(string(c.Language())) },
		"place":   func(f *lint.Finding) string { return newResult(f).Place() },
		"ruleURL": RuleURL,
		"quote":   func(f *lint.Finding) *excerpt { return excerptOf(f, pageWidth) },
	}).Parse(pageText))
}

// maxFindings is the number of findings of a rule that a page shows. It counts the rest.
const maxFindings = 100

// htmlWriter keeps the findings that the page shows until the counts above them are
// known.
type htmlWriter struct {
	tally
	out   io.Writer
	texts *catalog.Catalog
	now   time.Time
	rules map[string]*section
}

// section is the part of the page about one rule.
type section struct {
	Rule     *lint.Rule
	Severity lint.Severity
	Findings []lint.Finding
	Files    int
	last     string // file
	limiter
}

// Shown returns the findings that are visible at first.
func (s *section) Shown() []lint.Finding { return s.Findings[:min(len(s.Findings), shownPerFile)] }

// Folded returns the findings that the reader can unfold.
func (s *section) Folded() []lint.Finding { return s.Findings[min(len(s.Findings), shownPerFile):] }

// More returns the number of findings that the page does not show.
func (s *section) More() int { return s.hidden }

// Count returns the number of findings.
func (s *section) Count() int { return s.shown + s.hidden }

func newHTML(w io.Writer, options *Options) Writer {
	return &htmlWriter{tally: newTally(), out: w, texts: options.Texts, now: options.Now, rules: map[string]*section{}}
}

func (h *htmlWriter) Write(f *lint.Finding) error {
	h.add(f)
	s := h.rules[f.Rule.ID]
	if s == nil {
		s = &section{Rule: f.Rule, limiter: limiter{limit: maxFindings}}
		h.rules[f.Rule.ID] = s
	}
	s.Severity = max(s.Severity, f.Severity)
	if s.Files == 0 || s.last != f.File {
		s.Files++
		s.last = f.File
	}
	if s.add(f) {
		s.Findings = append(s.Findings, *f)
	}
	return nil
}

// names returns the names of the files of the findings in the page.
func names(sections []*section) []string {
	known := map[string]bool{}
	for _, s := range sections {
		for i := range s.Findings {
			known[s.Findings[i].File] = true
		}
	}
	return slices.Sorted(maps.Keys(known))
}

func (h *htmlWriter) Checked(file string) error {
	h.checked(file)
	return nil
}

func (h *htmlWriter) Close(accepted int) error {
	sections := make([]*section, 0, len(h.rules))
	for _, s := range h.rules {
		sections = append(sections, s)
	}
	slices.SortFunc(sections, func(a, b *section) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(b.Count(), a.Count()),
			cmp.Compare(a.Rule.ID, b.Rule.ID))
	})
	out := bufio.NewWriter(h.out)
	err := pageTemplate(h.texts).Execute(out, map[string]any{
		"Language":     h.texts.Language(),
		"Policy":       format.StylePolicy(pageStyle) + "; script-src " + format.HashSource(pageScript),
		"Style":        template.CSS(pageStyle),
		"Script":       template.JS(pageScript),
		"Sections":     sections,
		"Names":        names(sections),
		"Errors":       h.severities[lint.SeverityError],
		"Warnings":     h.severities[lint.SeverityWarning],
		"Info":         h.severities[lint.SeverityInfo],
		"Files":        len(h.files),
		"WithFindings": h.withFindings(),
		"Accepted":     accepted,
		"Now":          h.now.UTC(),
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

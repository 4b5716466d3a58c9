package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/lintreport"
	"github.com/mapatools/mapa/lint"
)

// FindingOptions say how to write findings. The formats for programs are English: CSV, JSON and SARIF.
type FindingOptions struct {
	Language catalog.Language
	Program  string    // version of Mapa
	Start    string    // of the crawl
	Time     time.Time // when it began
}

// FindingWriters write findings in the formats that have them, by their names.
var FindingWriters = map[string]func(io.Writer, iter.Seq2[insight.Finding, error], *FindingOptions) error{
	"text": writeFindingText, "csv": writeFindingCSV, "json": writeFindingJSON, "jsonl": writeFindingLines,
	"sarif": writeFindingSARIF, "junit": writeFindingJUnit, "github": writeFindingAnnotations,
	"markdown": writeFindingMarkdown,
}

// FindingFormats returns the names of the formats.
func FindingFormats() []string {
	return []string{"text", "csv", "json", "jsonl", "sarif", "junit", "github", "markdown"}
}

// writeFindingText writes a paragraph for each rule.
func writeFindingText(w io.Writer, findings iter.Seq2[insight.Finding, error], o *FindingOptions) error {
	out, c, rule := bufio.NewWriter(w), catalog.For(o.Language), ""
	for f, err := range findings {
		if err != nil {
			return err
		}
		if key := f.Rule.ID + f.Severity.String(); key != rule {
			if rule != "" {
				out.WriteString("\n")
			}
			rule = key
			fmt.Fprintf(out, "%s: %s [%s]\n  %s\n", c.Text("severity."+f.Severity.String()),
				f.Rule.Title().In(string(o.Language)), f.Rule.ID, f.Rule.Fix().In(string(o.Language)))
		}
		fmt.Fprintf(out, "  %s: %s\n", format.Printable(resultOf(&f, c).Place()), message(&f, c))
		if f.Places > 1 {
			fmt.Fprintf(out, "    %s\n", format.Printable(others(&f, c)))
		}
	}
	if rule == "" {
		out.WriteString(c.Text("finding.none") + "\n")
	}
	return out.Flush()
}

func writeFindingCSV(w io.Writer, findings iter.Seq2[insight.Finding, error], o *FindingOptions) error {
	table, c := format.NewCSV(w), english()
	err := table.Write([]string{"severity", "rule", "url", "line", "column", "other", "count", "message", "file"})
	if err != nil {
		return err
	}
	for f, err := range findings {
		if err != nil {
			return err
		}
		other := ""
		if f.HasOther() {
			other = f.OtherURL
		}
		cells := []string{f.Severity.String(), f.Rule.ID, cmp.Or(f.URL, f.File), number(f.Line), number(f.Column),
			other, fmt.Sprint(f.Places), f.Text(c), f.Source}
		for i := range cells {
			cells[i] = format.PlainCell(cells[i])
		}
		if err := table.Write(cells); err != nil {
			return err
		}
	}
	table.Flush()
	return table.Error()
}

// number returns a number, or nothing for 0.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// others counts the other pages of a group, and names the first.
func others(f *insight.Finding, c *catalog.Catalog) string {
	var urls []string
	for _, place := range f.First[1:] {
		urls = append(urls, place.URL)
	}
	return c.Plural("finding.others", int64(f.Places-1), strings.Join(urls, ", "))
}

func writeFindingLines(w io.Writer, findings iter.Seq2[insight.Finding, error], o *FindingOptions) error {
	return writeFindingObjects(w, findings, o, "", "\n", "")
}

func writeFindingJSON(w io.Writer, findings iter.Seq2[insight.Finding, error], o *FindingOptions) error {
	return writeFindingObjects(w, findings, o, "[", ",\n", "]\n")
}

// writeFindingObjects writes an object for each finding. A line end is after the last one, a
// comma is not.
func writeFindingObjects(
	w io.Writer, findings iter.Seq2[insight.Finding, error], o *FindingOptions, begin, separator, end string,
) error {
	out, c := bufio.NewWriter(w), english()
	out.WriteString(begin)
	first := true
	for f, err := range findings {
		if err != nil {
			return err
		}
		line, err := f.AppendJSON(nil, c)
		if err != nil {
			return err
		}
		if !first && begin != "" {
			out.WriteString(separator)
		}
		out.Write(line)
		if first = false; begin == "" {
			out.WriteString(separator)
		}
	}
	out.WriteString(end)
	return out.Flush()
}

// message returns what is wrong. It names the URL where the place is in the file of another page.
func message(f *insight.Finding, c *catalog.Catalog) string {
	if f.Source == "" || f.PageToEdit() == f.URL {
		return f.Text(c)
	}
	return format.Printable(format.ReadableURL(f.URL)) + " " + f.Text(c)
}

// resultOf returns a finding in the terms that all formats share.
func resultOf(f *insight.Finding, c *catalog.Catalog) *format.Result {
	r := &format.Result{
		Rule: f.Rule.ID, Level: format.Level(f.Severity), Message: message(f, c),
		Location: cmp.Or(f.Source, f.URL, f.File), Line: f.Line, Column: f.Column, Character: f.Column,
		Fingerprint: f.Fingerprint,
	}
	if f.Places > 1 {
		r.Count = f.Places
		r.Message += " (" + others(f, c) + ")"
	}
	return r
}

func writeFindingSARIF(w io.Writer, findings iter.Seq2[insight.Finding, error], o *FindingOptions) error {
	log, c := format.NewSARIF(w, o.Program, formatRules(lint.PageRules())), english()
	for f, err := range findings {
		if err == nil {
			err = log.Write(resultOf(&f, c))
		}
		if err != nil {
			return err
		}
	}
	return log.Close()
}

// formatRules describes rules for SARIF.
func formatRules(rules []*lint.Rule) (all []format.Rule) {
	for _, r := range rules {
		all = append(all, format.Rule{
			ID: r.ID, Title: r.Title().String(), Why: r.Why().String(), Help: r.Fix().String(),
			Level: format.Level(r.Severity), URL: lintreport.RuleURL(r), Tags: []string{r.Subject.String()},
			Properties: map[string]string{"source": r.Source},
		})
	}
	return all
}

func writeFindingAnnotations(w io.Writer, findings iter.Seq2[insight.Finding, error], o *FindingOptions) error {
	c := catalog.For(o.Language)
	for f, err := range findings {
		if err == nil {
			err = format.Annotate(w, resultOf(&f, c), f.Rule.Title().In(string(o.Language)), f.Rule.Fix().In(string(o.Language)))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// writeFindingJUnit writes a suite for every rule with findings, and a failed case for each of
// them. Without findings it writes one case that passes.
func writeFindingJUnit(w io.Writer, findings iter.Seq2[insight.Finding, error], o *FindingOptions) error {
	out, c := format.NewJUnit(w, o.Time), catalog.For(o.Language)
	var suite format.JUnitSuite
	for f, err := range findings {
		if err != nil {
			return err
		}
		if suite.Name != f.Rule.ID && len(suite.Cases) > 0 {
			if err := out.Write(&suite); err != nil {
				return err
			}
			suite.Cases = suite.Cases[:0]
		}
		suite.Name = f.Rule.ID
		r := resultOf(&f, c)
		suite.Cases = append(suite.Cases, format.JUnitCase{
			Name: r.Place(), Message: r.Message, Level: r.Level.String(), Details: f.Rule.Fix().In(string(o.Language)),
		})
	}
	if len(suite.Cases) == 0 {
		suite = format.JUnitSuite{Name: o.Start, Cases: []format.JUnitCase{{Name: c.Text("finding.none")}}}
	}
	if err := out.Write(&suite); err != nil {
		return err
	}
	return out.Close()
}

package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/mapatools/mapa/internal/app"
	applint "github.com/mapatools/mapa/internal/app/lint"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/lint"
	"github.com/spf13/cobra"
)

func newRules(a *app.App) *cobra.Command {
	format := formatText
	c := &cobra.Command{
		Use:     "rules [ID]",
		Short:   "List and explain the rules of lint and crawl",
		Long:    rulesText,
		Example: rulesExamples,
		Args:    atMostOne("the ID of a rule"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkFormat(format); err != nil {
				return &usageError{c, err}
			}
			rules := applint.AllRules()
			if len(args) == 1 {
				rule, err := lint.LookupRule(args[0])
				if err != nil {
					return &usageError{c, err}
				}
				rules = []*lint.Rule{rule}
			}
			switch {
			case format == formatJSON:
				encoder := newJSON(c.OutOrStdout())
				encoder.SetIndent("", "  ")
				return encoder.Encode(rules)
			case len(args) == 1:
				return printRule(c.OutOrStdout(), a.Texts(), rules[0])
			}
			err := printRules(c.OutOrStdout(), a.Texts(), rules)
			suggest(a, c, "next.rule", "rules", rules[0].ID)
			return err
		},
	}
	settings := []setting.Setting{formatSetting(&format, "text or json")}
	addFlags(c, settings)
	c.ValidArgsFunction = completeArgument(0, applint.RuleIDs)
	return c
}

func printRules(w io.Writer, c *catalog.Catalog, rules []*lint.Rule) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	heads := []any{c.Text("rules.severity"), c.Text("rules.judges"), c.Text("rules.engines"), c.Text("rules.title")}
	fmt.Fprintf(table, "ID\t%s\t%s\t%s\t%s\n", heads...) // Flush returns the error
	for _, r := range rules {
		severity, engines := c.Text("severity."+r.Severity.String()), "-"
		switch {
		case r.OffByDefault():
			severity = c.Text("severity.off") // until --severity names it
		case r.Escalated != lint.SeverityOff:
			severity += "," + c.Text("severity."+r.Escalated.String())
		}
		if r.Subject == lint.SubjectSitemap {
			engines = r.AppliesTo().String()
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", r.ID, severity, c.Text("subject."+r.Subject.String()), engines,
			wordIn(c, r.Title()))
	}
	return table.Flush()
}

func printRule(w io.Writer, c *catalog.Catalog, r *lint.Rule) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n%s\n\n%s\n\n", r.ID, wordIn(c, r.Title()),
		wrapped(wordIn(c, r.Why()), usualHelp), wrapped(c.Text("rules.fix", wordIn(c, r.Fix())), usualHelp))
	facts := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	printSeverities(facts, c, r)
	for _, fact := range [][2]string{
		{"Search Console", r.SearchConsole}, {c.Text("rules.yandex"), r.Yandex}, {c.Text("rules.source"), r.Source},
	} {
		if fact[1] != "" {
			fmt.Fprintf(facts, "%s\t%s\n", fact[0], fact[1])
		}
	}
	facts.Flush()
	b.WriteString("\n" + c.Text("rules.example") + "\n\n")
	for line := range strings.Lines(applint.RuleExample(r)) {
		fmt.Fprintf(&b, "  %s\n", printable(strings.TrimSuffix(line, "\n")))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// wordIn returns a text of a rule in the language of a catalog.
func wordIn(c *catalog.Catalog, text lint.Text) string { return text.In(string(c.Language())) }

// printSeverities prints the severity of a rule under every rule set or, if it judges a crawl,
// what has which severity.
func printSeverities(w io.Writer, c *catalog.Catalog, r *lint.Rule) {
	if r.Subject == lint.SubjectSitemap {
		for _, engine := range lint.RuleSets() {
			fmt.Fprintf(w, "%s\t%s\n", engine, c.Text("severity."+r.SeverityUnder(engine).String()))
		}
		return
	}
	fmt.Fprintf(w, "%s\t%s\n", c.Text("rules.judges.one"), c.Text("subject."+r.Subject.String()))
	if r.OffByDefault() {
		fmt.Fprintf(w, "%s\t%s\n", c.Text("severity.off"), c.Text("rules.until", r.ID))
	}
	first, second := r.Limits()
	severity, escalated := c.Text("severity."+r.Severity.String()), c.Text("severity."+r.Escalated.String())
	switch {
	case first.String() != "":
		fmt.Fprintf(w, "%s\t%s\n", severity, wordIn(c, first))
	case r.Escalated != lint.SeverityOff:
		fmt.Fprintf(w, "%s\t%s\n", severity, c.Text("rules.otherwise"))
	default:
		fmt.Fprintf(w, "%s\t%s\n", c.Text("rules.severity.one"), severity)
	}
	if r.Escalated != lint.SeverityOff {
		fmt.Fprintf(w, "%s\t%s\n", escalated, wordIn(c, second))
	}
	if threshold := r.Threshold.String(); threshold != "" {
		fmt.Fprintf(w, "%s\t%s\n", c.Text("rules.threshold"), threshold)
	}
}

package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	applint "github.com/mapatools/mapa/internal/app/lint"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/lint"
	"github.com/spf13/cobra"
)

func newRules() *cobra.Command {
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
				return printRule(c.OutOrStdout(), rules[0])
			}
			err := printRules(c.OutOrStdout(), rules)
			suggest(c, "explain a rule", "rules", rules[0].ID)
			return err
		},
	}
	settings := []setting.Setting{formatSetting(&format, "text or json")}
	addFlags(c, settings)
	completeFlags(c, settings)
	c.ValidArgsFunction = completeArgument(0, applint.RuleIDs)
	return c
}

func printRules(w io.Writer, rules []*lint.Rule) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tSEVERITY\tJUDGES\tENGINES\tTITLE") // Flush returns the error
	for _, r := range rules {
		severity, engines := r.Severity.String(), "-"
		switch {
		case r.OffByDefault():
			severity = lint.SeverityOff.String() // until --severity names it
		case r.Escalated != lint.SeverityOff:
			severity += "," + r.Escalated.String()
		}
		if r.Subject == lint.SubjectSitemap {
			engines = r.AppliesTo().String()
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", r.ID, severity, r.Subject, engines, r.Title())
	}
	return table.Flush()
}

func printRule(w io.Writer, r *lint.Rule) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n%s\n\n%s\n\n", r.ID, r.Title(),
		wrapped(r.Why().String(), usualHelp), wrapped("Fix: "+r.Fix().String(), usualHelp))
	facts := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	printSeverities(facts, r)
	for _, fact := range [][2]string{
		{"Search Console", r.SearchConsole}, {"Yandex's report", r.Yandex}, {"source", r.Source}, {"since", r.Since},
	} {
		if fact[1] != "" {
			fmt.Fprintf(facts, "%s\t%s\n", fact[0], fact[1])
		}
	}
	facts.Flush()
	b.WriteString("\nBad (-) and good (+):\n\n")
	for line := range strings.Lines(applint.RuleExample(r)) {
		fmt.Fprintf(&b, "  %s\n", printable(strings.TrimSuffix(line, "\n")))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// printSeverities prints the severity of a rule under every rule set or, if it judges a crawl,
// what has which severity.
func printSeverities(w io.Writer, r *lint.Rule) {
	if r.Subject == lint.SubjectSitemap {
		for _, engine := range lint.RuleSets() {
			fmt.Fprintf(w, "%s\t%s\n", engine, r.SeverityUnder(engine))
		}
		return
	}
	fmt.Fprintf(w, "judges\t%s\n", r.Subject)
	if r.OffByDefault() {
		fmt.Fprintf(w, "off\tuntil --severity %s=on\n", r.ID)
	}
	first, second := r.Limits()
	switch {
	case first.String() != "":
		fmt.Fprintf(w, "%s\t%s\n", r.Severity, first)
	case r.Escalated != lint.SeverityOff:
		fmt.Fprintf(w, "%s\totherwise\n", r.Severity)
	default:
		fmt.Fprintf(w, "severity\t%s\n", r.Severity)
	}
	if r.Escalated != lint.SeverityOff {
		fmt.Fprintf(w, "%s\t%s\n", r.Escalated, second)
	}
	if threshold := r.Threshold.String(); threshold != "" {
		fmt.Fprintf(w, "threshold\t%s\n", threshold)
	}
}

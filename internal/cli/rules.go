package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/mapatools/mapa/internal/lintreport"
	"github.com/mapatools/mapa/lint"
	"github.com/spf13/cobra"
)

func newRules() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:     "rules [ID]",
		Short:   "List and explain the rules of lint",
		Long:    rulesText,
		Example: rulesExamples,
		Args:    atMostOne("the ID of a rule"),
		RunE: func(c *cobra.Command, args []string) error {
			rules := lint.Rules()
			if len(args) == 1 {
				r, err := lint.Find(args[0])
				if err != nil {
					return &usageError{c, err}
				}
				rules = []*lint.Rule{r}
			}
			switch {
			case format == "json":
				return writeRulesJSON(c.OutOrStdout(), rules)
			case format != "text":
				return &usageError{c, fmt.Errorf("--format is text or json, not %q", format)}
			case len(args) == 1:
				return explainRule(c.OutOrStdout(), rules[0])
			}
			return tableRules(c.OutOrStdout(), rules)
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text or json")
	return c
}

func tableRules(w io.Writer, rules []*lint.Rule) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tSEVERITY\tENGINES\tTITLE") // an error comes back at Flush
	for _, r := range rules {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", r.ID, r.Severity, lintreport.EnginesOf(r), r.Title)
	}
	return table.Flush()
}

func explainRule(w io.Writer, r *lint.Rule) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n%s\n\n%s\n\n", r.ID, r.Title, wrapped(r.Why), wrapped("Cure: "+r.Cure))
	facts := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, engine := range lintreport.Engines() {
		fmt.Fprintf(facts, "%s\t%s\n", engine, r.SeverityUnder(engine))
	}
	for _, fact := range [][2]string{{"Search Console", r.SearchConsole}, {"Yandex's report", r.Yandex}, {"source", r.Source}, {"since", r.Since}} {
		if fact[1] != "" {
			fmt.Fprintf(facts, "%s\t%s\n", fact[0], fact[1])
		}
	}
	facts.Flush()
	for _, example := range [][2]string{{"Bad", r.Bad}, {"Good", r.Good}} {
		if text := strings.Trim(example[1], "\n"); text != "" {
			fmt.Fprintf(&b, "\n%s:\n\n  %s\n", example[0], printable(strings.ReplaceAll(text, "\n", "\n  ")))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// wrapped breaks a text into lines of at most 80 columns, where it can.
func wrapped(text string) string {
	var b strings.Builder
	column := 0
	for word := range strings.FieldsSeq(text) {
		switch {
		case column == 0:
		case column+1+len(word) > 80:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}

// A toldRule is a rule in JSON.
type toldRule struct {
	ID            string                   `json:"id"`
	Title         string                   `json:"title"`
	Why           string                   `json:"why"`
	Cure          string                   `json:"cure"`
	Severity      lint.Severity            `json:"severity"`
	Engines       map[string]lint.Severity `json:"engines"`
	Live          bool                     `json:"live,omitempty"`
	Source        string                   `json:"source"`
	SearchConsole string                   `json:"search_console,omitempty"`
	Yandex        string                   `json:"yandex,omitempty"`
	Since         string                   `json:"since"`
	Bad           string                   `json:"bad"`
	Good          string                   `json:"good"`
}

func writeRulesJSON(w io.Writer, rules []*lint.Rule) error {
	told := make([]toldRule, len(rules))
	for i, r := range rules {
		told[i] = toldRule{
			ID: r.ID, Title: r.Title, Why: r.Why, Cure: r.Cure, Severity: r.Severity, Engines: map[string]lint.Severity{},
			Live: r.Live, Source: r.Source, SearchConsole: r.SearchConsole, Yandex: r.Yandex, Since: r.Since, Bad: r.Bad, Good: r.Good,
		}
		for _, engine := range lintreport.Engines() {
			told[i].Engines[engine.String()] = r.SeverityUnder(engine)
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(told)
}

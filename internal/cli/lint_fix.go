package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/app"
	applint "github.com/mapatools/mapa/internal/app/lint"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/sitemap"
	"github.com/spf13/cobra"
)

// fix writes repaired copies and lists what was changed and what was not repaired.
func fix(a *app.App, c *cobra.Command, sources []string, settings *applint.Settings) error {
	if err := checkFixFlags(c); err != nil {
		return &usageError{c, err}
	}
	format := formatText // that of mapa.yaml is for findings
	if c.Flags().Changed("format") {
		format = settings.Format
	}
	if format != formatText && format != formatJSON {
		return &usageError{c, fmt.Errorf("--format must be text or json with --fix, not %q", format)}
	}
	result, err := applint.Fix(c.Context(), a, sources, settings)
	if err != nil {
		return settingError(c, err)
	}
	if format == formatJSON {
		encoder := newJSON(c.OutOrStdout())
		encoder.SetIndent("", "  ")
		err = encoder.Encode(result)
	} else {
		err = printText(c.OutOrStdout(), fixSummary(a.Texts(), result, settings.BaseURL))
	}
	if err != nil {
		return err
	}
	if format == formatText && len(result.Files) > 0 {
		suggest(a, c, "next.copies", "lint", result.Folder)
	}
	return fixExit(result)
}

// checkFixFlags refuses flags that mean nothing with --fix.
func checkFixFlags(c *cobra.Command) error {
	for _, name := range []string{
		"output", "baseline", "write-baseline", "live", "only", "engine", "fail-on", "severity",
		"crawl", "site-since",
	} {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s cannot be used with --fix", name)
		}
	}
	return nil
}

func fixSummary(c *catalog.Catalog, result *applint.FixResult, baseURL string) string {
	var b strings.Builder
	printNotes(&b, c, "fix.changed", result.Changed)
	printNotes(&b, c, "fix.left", result.Left)
	isRelative := func(n applint.FixNote) bool { return n.Rule == string(sitemap.FaultLocRelative) }
	if baseURL == "" && slices.ContainsFunc(result.Left, isRelative) {
		b.WriteString(c.Text("fix.relative") + "\n")
	}
	b.WriteString(c.Plural("fix.files", int64(len(result.Files)), printable(result.Folder)) + "\n")
	return b.String()
}

func printNotes(b *strings.Builder, c *catalog.Catalog, title string, notes []applint.FixNote) {
	for _, n := range notes {
		rule := cmp.Or(n.Rule, c.Text("fix.other"))
		fmt.Fprintf(b, "%s: %s, %s\n", c.Text(title), rule, c.Plural("fix.places", int64(n.Count)))
		for _, e := range n.Examples {
			place := e.File
			if e.Line > 0 {
				place = fmt.Sprintf("%s:%d", e.File, e.Line)
			}
			if e.Text != "" {
				place += ": " + e.Text
			}
			fmt.Fprintf(b, "  %s\n", printable(place))
		}
	}
}

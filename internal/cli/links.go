package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/config"
	"github.com/mapatools/mapa/internal/app/links"
	"github.com/spf13/cobra"
)

func newLinks(a *app.App) *cobra.Command {
	flags := links.NewSettings()
	var configName string
	c := &cobra.Command{
		Use:     "links SOURCE...",
		Short:   "Check the links in files, lists and sitemaps",
		Long:    linksText,
		Example: linksExamples,
		Args:    atLeastOne("a file, a folder, -, or the URL of a sitemap"),
	}
	addFlags(c, flags.All())
	addConfigFlag(c, &configName)
	completeFlags(c, flags.All())
	c.RunE = func(c *cobra.Command, args []string) error {
		file, err := config.Read(a, configName, configTables())
		if err != nil {
			return &usageError{c, err}
		}
		settings := links.NewSettings()
		if err := config.Combine(a, settings.All(), file.Section(links.Section), flags.All(), typed(c.Flags())); err != nil {
			return &usageError{c, err}
		}
		settings.Config = file.Name()
		result, err := links.Run(c.Context(), a, args, settings, c.OutOrStdout())
		if err != nil {
			return settingError(c, err)
		}
		_ = printText(c.ErrOrStderr(), linksSummary(result))
		if err := sourcesExit(result.Unread, result.Documents+result.URLs); err != nil {
			return err
		}
		if result.Limit != crawl.LimitNone {
			return exitWith(exitPart)
		}
		return checkExit(&result.Checks)
	}
	return c
}

// linksSummary says what was checked, and how many findings fail the run.
func linksSummary(r *links.Result) string {
	var t strings.Builder
	for _, err := range r.Unread {
		fmt.Fprintf(&t, "mapa: %s\n", printable(err.Error()))
	}
	if r.IsEmpty() {
		return t.String()
	}
	var checked []string
	for _, n := range []struct {
		number int
		what   string
	}{{r.Documents, "document"}, {r.URLs, "URL"}} {
		if n.number > 0 {
			checked = append(checked, plural(n.number, n.what))
		}
	}
	t.WriteString(cmp.Or(strings.Join(checked, " and "), "nothing") + " checked")
	if r.Limit != "" {
		fmt.Fprintf(&t, ", not all: --%s ended the run", r.Limit)
	}
	checks := strings.Join(r.Checks.Checks, ",")
	switch {
	case r.Checks.Written:
		fmt.Fprintf(&t, "; %s written to %s", plural(r.Checks.Accepted, "finding"), r.Checks.Baseline)
	case r.Checks.Failing > 0:
		fmt.Fprintf(&t, "; %s of --fail-on %s", plural(r.Checks.Failing, "finding"), checks)
	default:
		fmt.Fprintf(&t, "; no finding of --fail-on %s", checks)
	}
	if r.Checks.Accepted > 0 && !r.Checks.Written {
		fmt.Fprintf(&t, ", besides %d in %s", r.Checks.Accepted, r.Checks.Baseline)
	}
	t.WriteString("\n" + undecidedText(r.Undecided))
	return t.String()
}

// undecidedText says how many links were not checked, and why.
func undecidedText(all []links.Undecided) string {
	var parts []string
	total := 0
	for _, u := range all {
		first, rest, _ := strings.Cut(u.What, " ")
		parts = append(parts, plural(u.Links, first)+" "+rest)
		total += u.Links
	}
	if total == 0 {
		return ""
	}
	were := "were"
	if total == 1 {
		were = "was"
	}
	return fmt.Sprintf("%s %s not checked\n", strings.Join(parts, ", "), were)
}

package cli

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/links"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
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
	c.RunE = func(c *cobra.Command, args []string) error {
		settings := links.NewSettings()
		file, err := readSettings(a, c, configName, links.Section, settings.All(), flags.All())
		if err != nil {
			return err
		}
		settings.Config, a.Lang = file.Name(), catalog.Language(settings.Lang)
		result, err := links.Run(c.Context(), a, args, settings, c.OutOrStdout())
		if err != nil {
			return settingError(c, err)
		}
		_ = printText(c.ErrOrStderr(), linksSummary(a.Texts(), result))
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
func linksSummary(c *catalog.Catalog, r *links.Result) string {
	var t strings.Builder
	for _, err := range r.Unread {
		fmt.Fprintf(&t, "mapa: %s\n", printable(err.Error()))
	}
	if r.IsEmpty() {
		return t.String()
	}
	var checked []string
	if r.Documents > 0 {
		checked = append(checked, c.Plural("links.documents", int64(r.Documents)))
	}
	if r.URLs > 0 {
		checked = append(checked, c.Plural("links.urls", int64(r.URLs)))
	}
	all := cmp.Or(strings.Join(checked, " "+c.Text("hint.and")+" "), c.Text("links.nothing"))
	t.WriteString(c.Text("links.checked", all))
	if r.Limit != "" {
		t.WriteString(", " + c.Text("links.limit", "--"+string(r.Limit)))
	}
	checks := strings.Join(r.Checks.Checks, ",")
	switch {
	case r.Checks.Written:
		t.WriteString("; " + c.Plural("summary.baseline", int64(r.Checks.Accepted), r.Checks.Baseline))
	case r.Checks.Failing > 0:
		t.WriteString("; " + c.Plural("summary.check", int64(r.Checks.Failing), "--fail-on "+checks))
	default:
		t.WriteString("; " + format.InSentence(c.Text("summary.check.none", "--fail-on "+checks)))
	}
	if r.Checks.Accepted > 0 && !r.Checks.Written {
		t.WriteString(", " + c.Text("summary.check.accepted", strconv.Itoa(r.Checks.Accepted), r.Checks.Baseline))
	}
	t.WriteString("\n" + undecidedText(c, r.Undecided))
	return t.String()
}

// undecidedText says how many links were not checked, and why.
func undecidedText(c *catalog.Catalog, all []links.Undecided) string {
	var parts []string
	total := 0
	for _, u := range all {
		parts = append(parts, c.Plural("links.undecided."+u.What, int64(u.Links)))
		total += u.Links
	}
	if total == 0 {
		return ""
	}
	unchecked := strings.Join(parts, ", ")
	if total == 1 {
		return c.Text("links.unchecked.one", unchecked) + "\n"
	}
	return c.Text("links.unchecked.other", unchecked) + "\n"
}

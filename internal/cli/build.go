package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/internal/app"
	appannounce "github.com/mapatools/mapa/internal/app/announce"
	"github.com/mapatools/mapa/internal/app/build"
	"github.com/mapatools/mapa/internal/app/config"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/spf13/cobra"
)

func newBuild(a *app.App) *cobra.Command {
	flags := build.NewSettings()
	var after announceAfterFlags
	var configName string
	c := &cobra.Command{
		Use:     "build [SOURCE...]",
		Short:   "Write the sitemap of URLs from lists, databases, logs or sitemaps",
		Long:    buildText,
		Example: buildExamples,
		RunE: func(c *cobra.Command, args []string) error {
			file, err := config.Read(a, configName, configTables())
			if err != nil {
				return &usageError{c, err}
			}
			settings, err := buildSettings(a, c, args, flags, file)
			if err != nil {
				return &usageError{c, err}
			}
			if err := cmp.Or(checkFormat(settings.Format), after.read(file)); err != nil {
				return &usageError{c, err}
			}
			result, err := build.Run(c.Context(), a, settings)
			if err != nil {
				return settingError(c, err)
			}
			folder, whyNot := result.Details.Folder, result.WhyNotAnnounce(a.Texts())
			if settings.Format == formatJSON {
				announcement, failed := after.run(a, c, folder, whyNot)
				printed := newJSON(c.OutOrStdout()).Encode(struct {
					*build.Result
					Announcement *appannounce.Result `json:"announcement,omitempty"`
				}{result, announcement})
				return cmp.Or(printed, buildExit(result), failed)
			}
			failed := cmp.Or(printBuild(a.Texts(), c, result), buildExit(result))
			return cmp.Or(failed, after.runAndPrint(a, c, folder, whyNot))
		},
	}
	all := slices.Concat(flags.All(), after.all())
	addFlags(c, all)
	addConfigFlag(c, &configName)
	return c
}

// buildSettings returns the settings: those of the configuration file, of the environment
// and of the command line, which override each other in this order. A source on the command
// line takes the place of all sources of the file.
func buildSettings(
	a *app.App, c *cobra.Command, args []string, flags *build.Settings, file *config.File,
) (*build.Settings, error) {
	section := file.Section(build.Section)
	if flags.Sources = args; flags.HasSource() {
		section = section.Without(build.SourceNames...)
	}
	settings := build.NewSettings()
	if err := config.Combine(a, settings.All(), section, flags.All(), typed(c.Flags())); err != nil {
		return nil, err
	}
	if len(args) > 0 {
		settings.Sources = args
	}
	if !settings.HasSource() {
		return nil, &helpError{errors.New("build needs a source: a file, -, a sitemap or a site, or sources in the build " +
			"section of " + config.DefaultName)}
	}
	return settings, nil
}

// printBuild prints the summary and chooses the exit code.
func printBuild(texts *catalog.Catalog, c *cobra.Command, result *build.Result) error {
	if isQuiet(c) {
		return printText(c.OutOrStdout(), buildLine(texts, result))
	}
	summary := buildSummary(texts, result)
	if len(result.Files) > 0 {
		summary += nextText(texts, "next.check-sitemap", "lint", result.Files[0])
	}
	return printText(c.OutOrStdout(), summary)
}

// buildExit returns the error for a build with a result.
func buildExit(result *build.Result) error {
	switch {
	case result.Details.Refused != nil:
		return result.Details.Refused
	case result.Invalid > 0:
		return exitWith(exitPart)
	}
	return nil
}

// buildSummary returns the outcome of a build, for people.
func buildSummary(c *catalog.Catalog, r *build.Result) string {
	var t strings.Builder
	rows, pages := c.Plural("build.rows", int64(r.Rows)), c.Plural("verdict.pages", int64(r.Listed))
	if r.Refused != "" {
		t.WriteString(c.Text("build.refused", rows, pages) + "\n")
	} else {
		t.WriteString(c.Text("build.read", rows, c.Decimal(r.Seconds, 1), pages) + "\n")
		fmt.Fprintf(&t, "  %s\n", filesText(c, r.Files, r.Details.Parts))
	}
	title := "\n" + c.Text("build.left-out") + "\n"
	leftOut := func(count int, text string) {
		if count > 0 {
			fmt.Fprintf(&t, "%s  %7d %s\n", title, count, text)
			title = ""
		}
	}
	leftOut(r.Invalid, c.Text("build.invalid"))
	for _, reason := range r.Details.Reasons {
		leftOut(reason.Count, reason.Reason)
	}
	leftOut(r.OutOfScope, c.Text("build.outside"))
	leftOut(r.Excluded, c.Text("build.excluded"))
	duplicates := c.Text("build.duplicates")
	if r.Conflicts > 0 {
		duplicates = c.Text("build.conflicts", strconv.Itoa(r.Conflicts))
	}
	leftOut(r.Duplicates, duplicates)
	if r.DroppedValues > 0 {
		fmt.Fprintf(&t, "\n%s\n", c.Plural("build.dropped", int64(r.DroppedValues)))
	}
	if n := r.Details.Dropped; n > 0 {
		fmt.Fprintf(&t, "\n%s\n", c.Text("summary.dropped", strconv.Itoa(n)))
	}
	if r.Robots != "" {
		fmt.Fprintf(&t, "\n%s\n", c.Text("build.robots", r.Robots))
	}
	return t.String()
}

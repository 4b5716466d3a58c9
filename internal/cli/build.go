package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/app"
	"github.com/spf13/cobra"
)

func newBuild(a *app.App) *cobra.Command {
	settings := app.NewBuildSettings()
	format := formatText
	var after announcing
	all := slices.Concat(settings.All(), after.all(), []app.Setting{formatSetting(&format, "summary as text or json")})
	c := &cobra.Command{
		Use:     "build SOURCE... --base-url URL",
		Short:   "Write the sitemap of URLs from lists, databases, logs or other sitemaps",
		Long:    buildText,
		Example: buildExamples,
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.ApplyEnvironment(all, typed(c.Flags())); err != nil {
				return &usageError{c, err}
			}
			if err := checkFormat(format); err != nil {
				return &usageError{c, err}
			}
			if len(args) == 0 && !settings.HasSource() {
				return &usageError{c, errors.New("build needs a source: a file, -, a sitemap or a site")}
			}
			if err := after.check(); err != nil {
				return &usageError{c, err}
			}
			result, err := a.Build(c.Context(), args, settings)
			if err != nil {
				return settingError(c, err)
			}
			folder, whyNot := result.Details.Folder, result.Unannounceable()
			if format == formatJSON {
				var failed error
				result.Announcement, failed = after.run(a, c, folder, whyNot)
				return cmp.Or(printBuild(c, result, format), failed)
			}
			failed := printBuild(c, result, format)
			return cmp.Or(failed, after.runAndPrint(a, c, folder, whyNot))
		},
	}
	addFlags(c.Flags(), all)
	completeFlags(c, all, app.BuildValues)
	return c
}

// printBuild prints the summary and chooses the exit code.
func printBuild(c *cobra.Command, result *app.BuildResult, format string) error {
	if format == formatJSON {
		if err := newJSON(c.OutOrStdout()).Encode(result); err != nil {
			return err
		}
	} else {
		summary := buildSummary(result)
		if len(result.Files) > 0 && !isQuiet(c) {
			summary += nextText("check the sitemap", "lint", result.Files[0])
		}
		if _, err := io.WriteString(c.OutOrStdout(), summary); err != nil {
			return err
		}
	}
	switch {
	case result.Details.Refused != nil:
		return result.Details.Refused
	case result.Invalid > 0:
		return exitWith(exitPart)
	}
	return nil
}

// buildSummary returns what came of a build, for people.
func buildSummary(r *app.BuildResult) string {
	var t strings.Builder
	if r.Refused != "" {
		fmt.Fprintf(&t, "%s read, %s for the sitemap, which was not changed\n", plural(r.Rows, "row"), plural(r.Listed, "page"))
	} else {
		fmt.Fprintf(&t, "%s read in %.1f s, %s in the sitemap:\n  %s\n", plural(r.Rows, "row"), r.Seconds,
			plural(r.Listed, "page"), strings.Join(r.Files, "\n  "))
	}
	title := "\nLeft out:\n"
	for _, part := range []struct {
		count int
		text  string
	}{
		{r.Invalid, "invalid"}, {r.OutOfScope, "outside the site"}, {r.Excluded, "excluded by a pattern"},
		{r.Duplicates, "listed before" + conflicts(r.Conflicts)},
	} {
		if part.count > 0 {
			fmt.Fprintf(&t, "%s  %7d %s\n", title, part.count, part.text)
			title = ""
		}
	}
	if n := r.Details.Dropped; n > 0 {
		fmt.Fprintf(&t, droppedText, n)
	}
	if r.Robots != "" {
		fmt.Fprintf(&t, "\n%s names the sitemap.\n", r.Robots)
	}
	return t.String()
}

// conflicts says how many duplicates have other values than the row that counts.
func conflicts(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d of them with other values than the first, which count", n)
}

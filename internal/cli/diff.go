package cli

import (
	"fmt"

	"github.com/mapatools/mapa/internal/app"
	appdiff "github.com/mapatools/mapa/internal/app/diff"
	"github.com/spf13/cobra"
)

func newDiff(a *app.App) *cobra.Command {
	settings := appdiff.NewSettings()
	c := &cobra.Command{
		Use:     "diff OLD NEW",
		Short:   "Show what changed between two crawls or sitemaps",
		Long:    diffText,
		Example: diffExamples,
		Args:    exactlyTwo("an old and a new crawl or sitemap"),
		RunE: func(c *cobra.Command, args []string) error {
			if args[0] == args[1] {
				return &usageError{c, fmt.Errorf("OLD and NEW are both %s", args[0])}
			}
			result, err := appdiff.Run(c.Context(), a, args[0], args[1], settings, c.OutOrStdout())
			if err != nil {
				return settingError(c, err)
			}
			if n := result.Counts; n != nil && n.Unseen > 0 {
				text := "diff.unseen"
				if len(result.Failed) > 0 {
					text = "diff.uncompared"
				}
				fmt.Fprintln(c.ErrOrStderr(), "mapa: "+a.Texts().Plural(text, int64(n.Unseen)))
			}
			if settings.Format == formatText && result.Counts != nil && result.Counts.Total() > 0 {
				suggest(a, c, "next.diff", "diff", args[0], args[1], "--format", "html")
			}
			for i := range result.Gates {
				fmt.Fprintln(c.ErrOrStderr(), gateLine(a.Texts(), &result.Gates[i]))
			}
			return diffExit(result, len(settings.FailOn) > 0)
		},
	}
	addSettings(a, c, settings.All())
	return c
}

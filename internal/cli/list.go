package cli

import (
	"github.com/mapatools/mapa/internal/app"
	applist "github.com/mapatools/mapa/internal/app/list"
	"github.com/spf13/cobra"
)

func newList(a *app.App) *cobra.Command {
	settings := applist.NewSettings()
	c := &cobra.Command{
		Use:     "list SOURCE...",
		Short:   "Print the URLs of any sitemap",
		Long:    listText,
		Example: listExamples,
		Args:    atLeastOne("a source: a file, -, a URL or a site"),
		RunE: func(c *cobra.Command, args []string) error {
			sayFolder(a, c, args...)
			result, err := applist.Run(c.Context(), a, args, settings, c.OutOrStdout())
			if err != nil {
				return settingError(c, err)
			}
			if settings.Format == formatText && result.Read > 0 {
				suggest(a, c, "next.check", append([]string{"lint"}, args...)...)
			}
			return sourcesExit(result.Failed, result.Read+result.Listed)
		},
	}
	addSettings(a, c, settings.All())
	return c
}

package cli

import (
	"cmp"
	"strings"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	appfigures "github.com/mapatools/mapa/internal/app/figures"
	appreport "github.com/mapatools/mapa/internal/app/report"
	"github.com/mapatools/mapa/internal/report"
	"github.com/spf13/cobra"
)

func newReport(a *app.App) *cobra.Command {
	settings := appreport.NewSettings()
	c := &cobra.Command{
		Use:     "report [FOLDER]",
		Short:   "Report what a crawl found, in many formats",
		Long:    reportText,
		Example: reportExamples,
		Args:    atMostOne("the folder of a crawl, or its crawl.sqlite"),
		RunE: func(c *cobra.Command, args []string) error {
			folder := "."
			if len(args) > 0 {
				folder = args[0]
			}
			a.Lang = cmp.Or(a.Lang, crawlfile.GivenLanguage(folder))
			sayFolder(a, c, folder)
			settings.OnJoin = func(joined *appfigures.Result) {
				if !isQuiet(c) {
					_ = printText(c.ErrOrStderr(), report.FiguresText(a.Texts(), &joined.About, joined.Read))
				}
			}
			result, err := appreport.Run(c.Context(), a, folder, settings, c.OutOrStdout())
			if err != nil {
				return settingError(c, err)
			}
			checked := checkSummary(a.Texts(), &result)
			_ = printText(c.ErrOrStderr(), strings.TrimPrefix(checked, "\n"))
			if settings.Format == formatText && settings.Output == "" {
				suggest(a, c, "next.page", "report", folder, "--format", "html", "-o", "report.html")
			}
			return checkExit(&result)
		},
	}
	addSettings(a, c, settings.All())
	c.ValidArgsFunction = completeArgument(0, crawlfile.Folders)
	return c
}

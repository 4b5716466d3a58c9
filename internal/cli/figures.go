package cli

import (
	"path/filepath"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	appfigures "github.com/mapatools/mapa/internal/app/figures"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/report"
	"github.com/spf13/cobra"
)

func newFigures(a *app.App) *cobra.Command {
	format := formatText
	c := &cobra.Command{
		Use:     "figures FOLDER [FILE]...",
		Short:   "Add what search engines say about the pages of a crawl",
		Long:    figuresText,
		Example: figuresExamples,
		Args:    atLeastOne("the folder of a crawl, and exports of Search Console, Bing or another table with URLs"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkFormat(format); err != nil {
				return &usageError{c, err}
			}
			folder := args[0]
			var result *appfigures.Result
			var err error
			if len(args) == 1 {
				result, err = appfigures.Show(folder)
			} else {
				result, err = appfigures.Read(c.Context(), folder, args[1:])
			}
			switch {
			case err != nil:
				return err
			case format == formatJSON:
				return newJSON(c.OutOrStdout()).Encode(result)
			}
			texts := a.Texts()
			exports, text := result.Exports, ""
			if len(args) > 1 {
				exports = result.Read
			}
			switch name := crawlfile.FileIn(folder, crawlfile.ReportName); {
			case len(exports) == 0:
				text = texts.Text("figures.none") + "\n"
			case len(args) > 1 && name != "":
				again := []string{"report", folder, "--format", "html", "-o", filepath.Join(folder, name)}
				text = "\n" + texts.Text("figures.report", name, commandText(again)) + "\n"
			}
			return printText(c.OutOrStdout(), report.FiguresText(texts, &result.About, exports)+text)
		},
	}
	settings := []setting.Setting{formatSetting(&format, "text or json")}
	addFlags(c, settings)
	c.ValidArgsFunction = completeArgument(0, crawlfile.Folders)
	return c
}

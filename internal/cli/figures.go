package cli

import (
	"path/filepath"

	"github.com/mapatools/mapa/internal/app/crawlfile"
	appfigures "github.com/mapatools/mapa/internal/app/figures"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/report"
	"github.com/spf13/cobra"
)

func newFigures() *cobra.Command {
	format, lang := formatText, string(catalog.English)
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
			language, err := setting.LanguageOf(lang)
			if err != nil {
				return &usageError{c, err}
			}
			folder := args[0]
			result, err := appfigures.Read(c.Context(), folder, args[1:])
			switch {
			case err != nil:
				return err
			case format == formatJSON:
				return newJSON(c.OutOrStdout()).Encode(result)
			}
			texts := catalog.For(language)
			text := texts.Text("figures.none") + "\n"
			switch {
			case len(args) > 1:
				text = report.FiguresText(texts, &result.About, result.Read)
			case result != nil:
				text = report.FiguresText(texts, &result.About, result.Exports)
			}
			page := filepath.Join(folder, crawlfile.ReportName)
			suggest(c, "the report with the figures", "report", folder, "--format", "html", "-o", page)
			return printText(c.OutOrStdout(), text)
		},
	}
	settings := []setting.Setting{formatSetting(&format, "text or json"), setting.LangSetting(&lang)}
	addFlags(c, settings)
	completeFlags(c, settings)
	c.ValidArgsFunction = completeArgument(0, crawlfile.Folders)
	return c
}

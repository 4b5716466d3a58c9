package cli

import (
	"errors"
	"fmt"
	"os"

	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/setting"
	appwhy "github.com/mapatools/mapa/internal/app/why"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/spf13/cobra"
)

var errWhyArguments = errors.New(
	"why takes the URL of a page, and the folder of its crawl unless that is named after the host",
)

func newWhy() *cobra.Command {
	format, lang := formatText, string(catalog.English)
	c := &cobra.Command{
		Use:     "why URL [FOLDER]",
		Short:   "Explain why a page is, or is not, in the sitemap",
		Long:    whyText,
		Example: whyExamples,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return &usageError{c, errWhyArguments}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkFormat(format); err != nil {
				return &usageError{c, err}
			}
			language, err := setting.LanguageOf(lang)
			if err != nil {
				return &usageError{c, err}
			}
			folder := ""
			if len(args) == 2 {
				folder = args[1]
			}
			page := args[0]
			switch info, err := os.Stat(page); {
			case err != nil || !info.IsDir():
			case folder == "":
				return &usageError{c, fmt.Errorf("%s is a folder: give the URL of a page too", page)}
			case !addresses.Exists(folder):
				page, folder = folder, page
			}
			sayFolder(c, folder)
			why, err := appwhy.Explain(c.Context(), page, folder)
			switch {
			case errors.Is(err, addresses.ErrNotPage):
				return &usageError{c, err}
			case err != nil:
				return err
			case format == formatJSON:
				err = newJSON(c.OutOrStdout()).Encode(why)
			default:
				_, err = fmt.Fprint(c.OutOrStdout(), why.In(catalog.For(language)))
				suggest(c, "all pages and reasons", "report", why.Folder)
			}
			if err == nil && !why.Found {
				return exitWith(exitFindings)
			}
			return err
		},
	}
	settings := []setting.Setting{formatSetting(&format, "text or json"), setting.LangSetting(&lang)}
	addFlags(c, settings)
	completeFlags(c, settings)
	c.ValidArgsFunction = completeArgument(1, crawlfile.Folders)
	return c
}

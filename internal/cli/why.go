package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	approbots "github.com/mapatools/mapa/internal/app/robots"
	"github.com/mapatools/mapa/internal/app/setting"
	appwhy "github.com/mapatools/mapa/internal/app/why"
	"github.com/spf13/cobra"
)

var errWhyArguments = errors.New(
	"why takes the URL of a page, and the folder of its crawl unless that is named after the host",
)

var errAsArguments = errors.New("--as takes the URL of a page, whose robots.txt it requests, and no folder")

func newWhy(a *app.App) *cobra.Command {
	format := formatText
	var as []string
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
			if len(as) > 0 {
				return printPermissions(c, a, args, as, format)
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
			sayFolder(a, c, folder)
			why, err := appwhy.Explain(c.Context(), page, folder)
			switch {
			case errors.Is(err, addresses.ErrNotPage):
				return &usageError{c, err}
			case err != nil:
				return err
			case format == formatJSON:
				err = newJSON(c.OutOrStdout()).Encode(why)
			default:
				a.Lang = cmp.Or(a.Lang, crawlfile.GivenLanguage(why.Folder))
				_, err = fmt.Fprint(c.OutOrStdout(), why.In(a.Texts()))
				suggest(a, c, "next.pages", "report", why.Folder)
			}
			if err == nil && !why.Found {
				return exitWith(exitFindings)
			}
			return err
		},
	}
	settings := []setting.Setting{
		{Name: "as", Value: setting.List(&as), Risk: setting.RiskNone,
			Values: setting.Choices(append(approbots.Names(), approbots.AllRobots)...),
			Help:   "say whether these `ROBOTS` may read the page, such as GPTBot,Googlebot, or ai for all AI robots"},
		formatSetting(&format, "text or json"),
	}
	addFlags(c, settings)
	c.ValidArgsFunction = completeArgument(1, crawlfile.Folders)
	return c
}

// printPermissions prints which robots may read a page.
func printPermissions(c *cobra.Command, a *app.App, args, names []string, format string) error {
	if len(args) > 1 || strings.HasPrefix(args[0], "/") {
		return &usageError{c, errAsArguments}
	}
	permissions, err := approbots.CheckRobots(c.Context(), a, args[0], names)
	switch {
	case errors.Is(err, addresses.ErrNotPage):
		return &usageError{c, err}
	case err != nil:
		return err
	case format == formatJSON:
		return newJSON(c.OutOrStdout()).Encode(permissions)
	}
	_, err = fmt.Fprint(c.OutOrStdout(), permissions.In(a.Texts()))
	return err
}

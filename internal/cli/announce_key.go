package cli

import (
	"fmt"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/internal/app"
	appannounce "github.com/mapatools/mapa/internal/app/announce"
	"github.com/spf13/cobra"
)

func newKey(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "key",
		Short: "Create, write and check the key of IndexNow",
		Long:  keyText,
		Args:  noCommand,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newKeyGenerate(), newKeyWrite(a), newKeyCheck(a))
	return c
}

func newKeyGenerate() *cobra.Command {
	return &cobra.Command{
		Use:   "generate",
		Short: "Print a new key",
		Args:  noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(c.OutOrStdout(), announce.NewKey())
			return err
		},
	}
}

func newKeyWrite(a *app.App) *cobra.Command {
	c, flags := newAnnounceCommand(&cobra.Command{
		Use:   "write FOLDER",
		Short: "Write the key file to the folder that is published as the root of the site",
		Args:  exactlyOne("the folder that is published"),
	}, []string{"indexnow-key-file"})
	c.RunE = func(c *cobra.Command, args []string) error {
		settings, err := flags.read(a, c)
		if err != nil {
			return err
		}
		if err := appannounce.WriteIndexNowKey(a, args[0], settings.Settings); err != nil {
			return settingError(c, err)
		}
		_, err = fmt.Fprintln(c.OutOrStdout(), a.Texts().Text("announced.key", printable(args[0])))
		return err
	}
	return c
}

func newKeyCheck(a *app.App) *cobra.Command {
	c, flags := newAnnounceCommand(&cobra.Command{
		Use:   "check SITE...",
		Short: "Check the key file of a site",
		Long:  keyCheckText,
		Args:  atLeastOne("the URL or the host of a site"),
	}, []string{"indexnow-key-file", "format"})
	c.RunE = func(c *cobra.Command, args []string) error {
		settings, err := flags.read(a, c)
		if err != nil {
			return err
		}
		checks, err := appannounce.CheckIndexNowKey(c.Context(), a, args, settings.Settings)
		if err != nil {
			return settingError(c, err)
		}
		return printKeyChecks(c, checks, settings.format)
	}
	return c
}

func printKeyChecks(c *cobra.Command, checks []announce.KeyCheck, format string) error {
	code := exitDone
	if format == formatJSON {
		if err := newJSON(c.OutOrStdout()).Encode(checks); err != nil {
			return err
		}
	}
	for _, check := range checks {
		if check.Problem != announce.KeyGood {
			code = exitFindings
		}
		if format == formatJSON {
			continue
		}
		fmt.Fprintln(c.OutOrStdout(), printable(check.String()))
		if advice := check.Advice(); advice != "" {
			fmt.Fprintf(c.OutOrStdout(), "  %s\n", advice)
		}
	}
	return exitWith(code)
}

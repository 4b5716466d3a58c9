package cli

import (
	"fmt"

	"github.com/mapatools/mapa/internal/app"
	applint "github.com/mapatools/mapa/internal/app/lint"
	"github.com/spf13/cobra"
)

func newLint(a *app.App) *cobra.Command {
	flags := applint.NewSettings()
	var configName string
	c := &cobra.Command{
		Use:     "lint SOURCE...",
		Short:   "Check sitemaps for problems, and repair them",
		Long:    lintText,
		Example: lintExamples,
		Args:    atLeastOne("a source: a file, a folder, -, a URL or a site"),
	}
	addFlags(c, flags.All())
	addConfigFlag(c, &configName)
	c.RunE = func(c *cobra.Command, args []string) error {
		settings := applint.NewSettings()
		file, err := readSettings(a, c, configName, applint.Section, settings.All(), flags.All())
		if err != nil {
			return err
		}
		settings.Config = file.Name()
		if settings.Fix.Folder != "" {
			return fix(a, c, args, settings)
		}
		if err := checkLiveFlags(c, settings); err != nil {
			return &usageError{c, err}
		}
		document := applint.Document{Out: c.OutOrStdout(), Color: isColored, Width: widthOf}
		sayFolder(a, c, args...)
		result, err := applint.Run(c.Context(), a, args, settings, document)
		if err != nil {
			return settingError(c, err)
		}
		if settings.Format == formatText && settings.Output == "" && result.Opened > 0 {
			suggestAfterLint(a, c, args, settings, result)
		}
		return lintExit(result)
	}
	return c
}

func suggestAfterLint(a *app.App, c *cobra.Command, sources []string, s *applint.Settings, result *applint.Result) {
	again := append([]string{"lint"}, sources...)
	switch {
	case result.Findings > 0 && !s.WriteBaseline:
		suggest(a, c, "next.repair", append(again, "--fix", "repaired")...)
	case !s.Live.On:
		suggest(a, c, "next.live", append(again, "--live")...)
	}
}

// checkLiveFlags refuses flags that mean nothing without --live. In mapa.yaml they
// apply whenever --live is given.
func checkLiveFlags(c *cobra.Command, s *applint.Settings) error {
	if s.Live.On {
		return nil
	}
	for _, name := range []string{"sample", "rate", "concurrency"} {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s needs --live", name)
		}
	}
	return nil
}

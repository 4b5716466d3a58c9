package cli

import (
	"fmt"

	"github.com/mapatools/mapa/internal/app"
	appannounce "github.com/mapatools/mapa/internal/app/announce"
	"github.com/mapatools/mapa/internal/app/config"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/spf13/cobra"
)

// announceAfterFlags are the flags of commands that announce what they published.
type announceAfterFlags struct {
	on       bool
	settings *appannounce.Settings // of the configuration file
}

func (f *announceAfterFlags) all() []setting.Setting {
	return []setting.Setting{
		{Name: "announce", Value: setting.Bool(&f.on), CommandLineOnly: true,
			Help: "afterwards announce the sitemap and what changed, as mapa announce does"},
	}
}

// read takes the settings of announce from the configuration file, before anything is
// published.
func (f *announceAfterFlags) read(file *config.File) error {
	if !f.on {
		return nil
	}
	f.settings = appannounce.NewSettings()
	section := file.Section(appannounce.Section)
	return section.Apply(f.settings.Table())
}

// run announces the sitemap in a folder, unless there is a reason not to. The result is
// nil when nothing was to be announced.
func (f *announceAfterFlags) run(a *app.App, c *cobra.Command, folder, whyNot string) (*appannounce.Result, error) {
	switch {
	case !f.on:
		return nil, nil
	case whyNot != "":
		fmt.Fprintln(c.ErrOrStderr(), "mapa: "+a.Texts().Text("unannounced", whyNot))
		return nil, nil
	}
	result, err := appannounce.Run(c.Context(), a, folder, f.settings, announceHooks(a, c, formatText))
	if err != nil {
		return nil, settingError(c, err)
	}
	return result, announceExit(result.Outcome())
}

// runAndPrint announces like run, and prints the result for people.
func (f *announceAfterFlags) runAndPrint(a *app.App, c *cobra.Command, folder, whyNot string) error {
	result, err := f.run(a, c, folder, whyNot)
	if result != nil {
		separator := "\n"
		if isQuiet(c) {
			separator = ""
		}
		if err := printText(c.OutOrStdout(), separator+announcement(a, c, result)); err != nil {
			return err
		}
	}
	return err
}

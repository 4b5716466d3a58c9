package cli

import (
	"fmt"

	"github.com/mapatools/mapa/internal/app"
	"github.com/spf13/cobra"
)

// announceAfterFlags are the flags of commands that announce what they published.
type announceAfterFlags struct {
	on       bool
	endpoint string
	settings *app.AnnounceSettings // of the configuration file
}

func (f *announceAfterFlags) all() []app.Setting {
	return []app.Setting{
		{Name: "announce", Value: &f.on, CommandLineOnly: true,
			Help: "afterwards announce the sitemap and what changed, as mapa announce does"},
		{Name: "endpoint", Value: &f.endpoint, CommandLineOnly: true,
			Help: "with --announce, send everything to this `URL` on this machine instead, for a rehearsal"},
	}
}

// read takes the settings of announce from the configuration file, before anything is
// published. It refuses flags that mean nothing without --announce.
func (f *announceAfterFlags) read(file *app.Config) error {
	switch {
	case f.on:
		f.settings = app.NewAnnounceSettings()
		f.settings.Endpoint = f.endpoint
		section := file.Section(app.SectionAnnounce)
		return section.Apply(f.settings.Settings())
	case f.endpoint != "":
		return fmt.Errorf("--endpoint needs --announce")
	}
	return nil
}

// run announces the sitemap in a folder, unless there is a reason not to. The result is
// nil when nothing was to be announced.
func (f *announceAfterFlags) run(a *app.App, c *cobra.Command, folder, whyNot string) (*app.AnnounceResult, error) {
	switch {
	case !f.on:
		return nil, nil
	case whyNot != "":
		fmt.Fprintf(c.ErrOrStderr(), "mapa: nothing was announced: %s\n", whyNot)
		return nil, nil
	}
	result, err := a.Announce(c.Context(), folder, f.settings, announceHooks(c, formatText))
	if err != nil {
		return nil, settingError(c, err)
	}
	return result, announceExit(result.Outcome())
}

// runAndPrint announces like run, and prints the result for people.
func (f *announceAfterFlags) runAndPrint(a *app.App, c *cobra.Command, folder, whyNot string) error {
	result, err := f.run(a, c, folder, whyNot)
	if result != nil {
		if err := printText(c.OutOrStdout(), "\n"+announceSummary(result)); err != nil {
			return err
		}
	}
	return err
}

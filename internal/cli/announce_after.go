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
	config   string // file that holds the settings of announce, or empty
}

func (f *announceAfterFlags) all() []app.Setting {
	return []app.Setting{
		{Name: "announce", Value: &f.on, CommandLineOnly: true,
			Help: "afterwards announce the sitemap and what changed, as mapa announce does"},
		{Name: "endpoint", Value: &f.endpoint, CommandLineOnly: true,
			Help: "with --announce, send everything to this `URL` on this machine instead, for a rehearsal"},
	}
}

// check refuses flags that mean nothing without --announce.
func (f *announceAfterFlags) check() error {
	if f.endpoint != "" && !f.on {
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
	file, err := a.ReadConfig(f.config, newCrawlFlags().all())
	if err != nil {
		return nil, &usageError{c, err}
	}
	settings := app.NewAnnounceSettings()
	if err := file.ApplyAnnounce(settings.Settings()); err != nil {
		return nil, &usageError{c, err}
	}
	settings.Endpoint = f.endpoint
	result, err := a.Announce(c.Context(), folder, settings, announceHooks(c, formatText))
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

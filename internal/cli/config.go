package cli

import (
	"github.com/mapatools/mapa/internal/app"
	"github.com/spf13/cobra"
)

// addConfigFlag adds the flag that names a configuration file.
func addConfigFlag(c *cobra.Command, name *string) {
	c.Flags().StringVar(name, "config", "", "read settings from this `FILE` (default: "+app.ConfigName+" if it exists)")
}

// configTables returns the settings that a configuration file may have.
func configTables() app.Tables {
	return app.Tables{
		Crawl: newCrawlFlags().all(),
		Sections: map[string][]app.Setting{
			app.SectionBuild: app.NewBuildSettings().All(), app.SectionLint: app.NewLintSettings().All(),
			app.SectionAnnounce: app.NewAnnounceSettings().Settings(), app.SectionWatch: app.NewWatchSettings().All(),
		},
	}
}

package cli

import (
	appannounce "github.com/mapatools/mapa/internal/app/announce"
	"github.com/mapatools/mapa/internal/app/build"
	"github.com/mapatools/mapa/internal/app/config"
	"github.com/mapatools/mapa/internal/app/links"
	applint "github.com/mapatools/mapa/internal/app/lint"
	"github.com/mapatools/mapa/internal/app/setting"
	appwatch "github.com/mapatools/mapa/internal/app/watch"
	"github.com/spf13/cobra"
)

// addConfigFlag adds the flag that names a configuration file.
func addConfigFlag(c *cobra.Command, name *string) {
	c.Flags().StringVar(name, "config", "", "read settings from this `FILE` (default: "+config.DefaultName+" if it exists)")
}

// configTables returns the settings that a configuration file may have.
func configTables() config.Tables {
	return config.Tables{
		Crawl: newCrawlFlags().all(),
		Sections: map[string][]setting.Setting{
			build.Section: build.NewSettings().All(), applint.Section: applint.NewSettings().All(),
			links.Section:       links.NewSettings().All(),
			appannounce.Section: appannounce.NewSettings().Table(), appwatch.Section: appwatch.NewSettings().All(),
		},
	}
}

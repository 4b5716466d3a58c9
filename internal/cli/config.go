package cli

import (
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/mapatools/mapa/internal/app"
	appannounce "github.com/mapatools/mapa/internal/app/announce"
	"github.com/mapatools/mapa/internal/app/build"
	"github.com/mapatools/mapa/internal/app/config"
	"github.com/mapatools/mapa/internal/app/links"
	applint "github.com/mapatools/mapa/internal/app/lint"
	"github.com/mapatools/mapa/internal/app/setting"
	appwatch "github.com/mapatools/mapa/internal/app/watch"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// addConfigFlag adds the flag that names a configuration file.
func addConfigFlag(c *cobra.Command, name *string) {
	c.Flags().StringVar(name, "config", "", "read settings from this `FILE` (default: "+config.DefaultName+" if it exists)")
}

// readSettings sets the settings of a command by its section of mapa.yaml, the environment and its flags. It returns
// the file.
func readSettings(
	a *app.App, c *cobra.Command, configName, section string, settings, flags []setting.Setting,
) (*config.File, error) {
	file, err := config.Read(a, configName, configTables())
	if err == nil {
		err = config.Combine(a, settings, file.Section(section), flags, typed(c.Flags()))
	}
	if err != nil {
		return nil, &usageError{c, err}
	}
	return file, nil
}

// warnOfVariables names the environment variables that are misspelled names of settings.
func warnOfVariables(root *cobra.Command) {
	var names []string
	for _, table := range append(slices.Collect(maps.Values(configTables().Sections)), configTables().Crawl) {
		for i := range table {
			names = append(names, table[i].Name)
		}
	}
	var add func(c *cobra.Command)
	add = func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		for _, sub := range c.Commands() {
			add(sub)
		}
	}
	add(root)
	for _, notice := range config.MisspelledVariables(os.Environ(), names) {
		fmt.Fprintln(root.ErrOrStderr(), "mapa: "+printable(notice))
	}
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

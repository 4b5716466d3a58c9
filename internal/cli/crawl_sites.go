package cli

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// crawlSites crawls the address that is given, or the sites of the configuration
// file. What goes wrong at one site does not keep the others from being crawled.
func crawlSites(c *cobra.Command, args []string, configuration string) error {
	file, err := readConfig(configuration, c.Flags(), flagsOf(c.Root(), "lint"))
	if err != nil {
		return &usageError{c, err}
	}
	sites := file.sites
	if len(args) == 1 {
		sites = []site{{url: args[0], settings: file.settingsFor(args[0])}}
	}
	if len(sites) == 0 {
		return &usageError{c, fmt.Errorf("crawl takes the address of a site, or a %s that names some", configName)}
	}
	if len(sites) == 1 {
		return file.crawl(c, &sites[0])
	}
	worst := exitDone
	for i := range sites {
		if err := file.crawl(c, &sites[i]); err != nil {
			worst = max(worst, explain(c.Context(), c.ErrOrStderr(), err))
		}
		if err := c.Context().Err(); err != nil {
			return err
		}
	}
	if worst != exitDone {
		return &incomplete{worst}
	}
	return nil
}

// crawl crawls one site with the settings for it.
func (c *config) crawl(command *cobra.Command, s *site) error {
	var flags crawlFlags
	set := pflag.NewFlagSet(s.url, pflag.ContinueOnError)
	flags.register(set)
	typed, err := copyTyped(set, command.Flags())
	if err == nil {
		err = c.apply(set, typed, c.all, s.settings)
	}
	if err != nil {
		return &usageError{command, err}
	}
	return flags.run(command, s.url)
}

// settingsFor returns those of the site that lies on the same host.
func (c *config) settingsFor(address string) []setting {
	for i := range c.sites {
		if hostOf(c.sites[i].url) == hostOf(address) {
			return c.sites[i].settings
		}
	}
	return nil
}

func hostOf(address string) string {
	u, err := url.Parse(withScheme(address))
	if err != nil {
		return address
	}
	return strings.ToLower(u.Host)
}

// copyTyped gives flags the values of the command line and tells which those are.
func copyTyped(to, from *pflag.FlagSet) (typed map[string]bool, err error) {
	typed = map[string]bool{}
	from.Visit(func(f *pflag.Flag) {
		flag := to.Lookup(f.Name)
		if flag == nil {
			return
		}
		typed[f.Name] = true
		if list, isList := f.Value.(pflag.SliceValue); isList {
			err = errors.Join(err, flag.Value.(pflag.SliceValue).Replace(list.GetSlice()))
			return
		}
		value := f.Value.String()
		if strings.HasPrefix(f.Value.Type(), "stringTo") {
			value = strings.TrimSuffix(strings.TrimPrefix(value, "["), "]")
		}
		err = errors.Join(err, flag.Value.Set(value))
	})
	return typed, err
}

// flagsOf returns the flags of a command, or none where there is no such command.
func flagsOf(root *cobra.Command, name string) *pflag.FlagSet {
	for _, c := range root.Commands() {
		if c.Name() == name {
			return c.Flags()
		}
	}
	return pflag.NewFlagSet(name, pflag.ContinueOnError)
}

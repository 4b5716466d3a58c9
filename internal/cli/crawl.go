package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/mapatools/mapa/internal/app"
	"github.com/spf13/cobra"
)

// crawlFlags are the flags of crawl: the settings, and how the summary is printed.
type crawlFlags struct {
	*app.CrawlSettings
	format   string
	announce announcing
}

func newCrawlFlags() *crawlFlags {
	return &crawlFlags{CrawlSettings: app.NewCrawlSettings(), format: formatText}
}

func (f *crawlFlags) all() []app.Setting {
	return slices.Concat(f.All(), f.announce.all(), []app.Setting{formatSetting(&f.format, "summary as text or json")})
}

func newCrawl(a *app.App) *cobra.Command {
	flags := newCrawlFlags()
	var config string
	c := &cobra.Command{
		Use:     "crawl [URL]",
		Short:   "Crawl a site and write its sitemap",
		Long:    crawlText,
		Example: crawlExamples,
		Args:    atMostOne("the URL of a site"),
	}
	addFlags(c.Flags(), flags.all())
	addConfigFlag(c, &config)
	completeFlags(c, flags.all(), app.CrawlValues)
	c.RunE = func(c *cobra.Command, args []string) error {
		file, err := a.ReadConfig(config, flags.all())
		if err != nil {
			return &usageError{c, err}
		}
		sites := file.Sites
		if len(args) == 1 {
			sites = []app.Site{file.Site(args[0])}
		}
		if len(sites) == 0 {
			return &usageError{c, fmt.Errorf("crawl needs the URL of a site, or a %s that names sites", app.ConfigName)}
		}
		settings := make([]*crawlFlags, len(sites))
		for i, site := range sites {
			settings[i] = newCrawlFlags()
			if err := file.ApplyCrawl(settings[i].all(), site); err != nil {
				return &usageError{c, err}
			}
			if err := a.ApplyEnvironment(settings[i].all(), typed(c.Flags())); err != nil {
				return &usageError{c, err}
			}
			app.Override(settings[i].all(), flags.all(), typed(c.Flags()))
			settings[i].announce.config = config
		}
		if err := flags.announce.check(); err != nil {
			return &usageError{c, err}
		}
		if err := checkBaselines(settings); err != nil {
			return &usageError{c, err}
		}
		return crawlSites(c, sites, func(i int) error { return crawlSite(a, c, sites[i].URL, settings[i]) })
	}
	return c
}

// checkBaselines refuses to write the baselines of several sites to one file.
func checkBaselines(sites []*crawlFlags) error {
	written := map[string]bool{}
	for _, site := range sites {
		checks := &site.Checks
		if checks.WriteBaseline && written[checks.Baseline] {
			return fmt.Errorf("--write-baseline would write several sites to %s: crawl one site at a time, "+
				"or give each its own baseline in %s", checks.Baseline, app.ConfigName)
		}
		written[checks.Baseline] = true
	}
	return nil
}

func addConfigFlag(c *cobra.Command, name *string) {
	c.Flags().StringVar(name, "config", "", "read settings from this `FILE` (default: "+app.ConfigName+" if it exists)")
}

// crawlSites crawls sites one after the other. An error at one of several is printed
// and does not keep the others from being crawled.
func crawlSites(c *cobra.Command, sites []app.Site, crawl func(site int) error) error {
	if len(sites) == 1 {
		return crawl(0)
	}
	worst := exitDone
	for i := range sites {
		if err := crawl(i); err != nil {
			worst = max(worst, explain(c.Context(), c.ErrOrStderr(), err))
		}
		if err := c.Context().Err(); err != nil {
			return err
		}
	}
	return exitWith(worst)
}

func crawlSite(a *app.App, c *cobra.Command, url string, flags *crawlFlags) error {
	if err := checkFormat(flags.format); err != nil {
		return &usageError{c, err}
	}
	result, err := a.Crawl(c.Context(), url, flags.CrawlSettings)
	if err != nil {
		return crawlError(c, err)
	}
	folder, whyNot := result.Details.Folder, result.Unannounceable()
	if flags.format == formatJSON {
		var failed error
		result.Announcement, failed = flags.announce.run(a, c, folder, whyNot)
		return cmp.Or(printCrawl(c, result, flags), failed)
	}
	failed := printCrawl(c, result, flags)
	return cmp.Or(failed, flags.announce.runAndPrint(a, c, folder, whyNot))
}

// printCrawl prints the summary and chooses the exit code.
func printCrawl(c *cobra.Command, result *app.CrawlResult, flags *crawlFlags) error {
	if flags.format == formatJSON {
		if err := newJSON(c.OutOrStdout()).Encode(result); err != nil {
			return err
		}
	} else {
		summary := crawlSummary(result, flags.IgnoreRobots)
		if result.Sitemap != "" && !isQuiet(c) && !goesOn(result) {
			summary += nextText("check the sitemap", "lint", result.Sitemap)
		}
		if _, err := io.WriteString(c.OutOrStdout(), summary); err != nil {
			return err
		}
	}
	if goesOn(result) && !isQuiet(c) {
		fmt.Fprintln(c.ErrOrStderr(), resumeText)
	}
	return crawlExit(result)
}

// goesOn reports whether the next run continues the crawl.
func goesOn(result *app.CrawlResult) bool {
	return slices.Contains(resumable, result.Limit) || result.Details.Cut != nil
}

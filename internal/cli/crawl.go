package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/addresses"
	appannounce "github.com/mapatools/mapa/internal/app/announce"
	"github.com/mapatools/mapa/internal/app/config"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/spf13/cobra"
)

// crawlFlags are the flags of crawl: the settings, and how the summary is printed.
type crawlFlags struct {
	*appcrawl.Settings
	format   string
	announce announceAfterFlags
	job      appcrawl.JobSettings
	sites    string // file with sites
}

func newCrawlFlags() *crawlFlags {
	return &crawlFlags{Settings: appcrawl.NewSettings(), format: formatText}
}

func (f *crawlFlags) all() []setting.Setting {
	return slices.Concat(f.All(), f.announce.all(), f.job.All(), []setting.Setting{
		formatSetting(&f.format, "summary as text or json"),
		{Name: "sites", Value: setting.String(&f.sites), CommandLineOnly: true, Help: "with --nats: crawl the sites in this `FILE` too, one a line"},
	})
}

func newCrawl(a *app.App) *cobra.Command {
	flags := newCrawlFlags()
	var configName string
	c := &cobra.Command{
		Use:     "crawl [URL or FOLDER]",
		Short:   "Crawl a site and write its sitemap",
		Long:    crawlText,
		Example: crawlExamples,
	}
	addFlags(c, flags.all())
	addConfigFlag(c, &configName)
	c.RunE = func(c *cobra.Command, args []string) error {
		file, err := config.Read(a, configName, configTables())
		if err != nil {
			return &usageError{c, err}
		}
		sites, err := sitesOf(a, file, args, flags.sites)
		if err != nil {
			return &usageError{c, err}
		}
		if err := flags.announce.read(file); err != nil {
			return &usageError{c, err}
		}
		settings, err := settingsOf(a, c, file, sites, flags)
		if err == nil {
			err = appcrawl.CheckCredentials(sites, crawlSettings(settings))
		}
		if err != nil {
			return &usageError{c, err}
		}
		if job := &settings[0].job; job.NATS.URL != "" {
			if flags.announce.on {
				return &usageError{c, errors.New("--announce cannot be used with --nats: run mapa announce for each site afterwards")}
			}
			job.Output, job.Force = flags.Output, flags.Force
			for _, site := range settings {
				site.Output = "" // each site has its folder in that of the job
			}
			return crawlJob(a, c, sites, settings, job)
		}
		if len(args) > 1 || flags.sites != "" {
			return &usageError{c, errors.New("several sites on the command line need --nats, or list them in " + config.DefaultName)}
		}
		if err := checkBaselines(settings); err != nil {
			return &usageError{c, err}
		}
		return crawlSites(a, c, sites, func(i int) error {
			a.Lang = catalog.Language(settings[i].Lang)
			return crawlSite(a, c, sites[i].URL, settings[i])
		})
	}
	return c
}

// sitesOf returns the sites to crawl: those of the command line and of a list of sites, or
// else those of the configuration file.
func sitesOf(a *app.App, file *config.File, args []string, list string) (sites []config.Site, err error) {
	for _, address := range args {
		sites = append(sites, file.Site(address))
	}
	if list != "" {
		listed, err := appcrawl.ReadSites(a, list)
		if err != nil {
			return nil, err
		}
		for _, address := range listed {
			sites = append(sites, file.Site(address))
		}
	}
	if len(args) == 0 && list == "" {
		sites = file.Sites
	}
	if len(sites) == 0 {
		return nil, &helpError{fmt.Errorf("crawl needs the URL of a site, or a %s that names sites", config.DefaultName)}
	}
	return sites, nil
}

// settingsOf returns the settings of each site. Sites without settings of their own share
// one value, apart from those that get no secret of the file.
func settingsOf(
	a *app.App, c *cobra.Command, file *config.File, sites []config.Site, flags *crawlFlags,
) ([]*crawlFlags, error) {
	settings := make([]*crawlFlags, len(sites))
	common := map[bool]*crawlFlags{} // by whether they have secrets
	given := typed(c.Flags())
	for i, site := range sites {
		hasSecrets := file.HasSecretsFor(site)
		if settings[i] = common[hasSecrets]; settings[i] != nil && !site.HasSettings() {
			if err := file.CheckSite(site, given); err != nil {
				return nil, err
			}
			continue
		}
		own := newCrawlFlags()
		if err := config.Combine(a, own.all(), file.Crawl(site), flags.all(), given); err != nil {
			return nil, err
		}
		own.withholdPublication(a, given)
		own.announce = flags.announce
		if settings[i] = own; !site.HasSettings() {
			common[hasSecrets] = own
		}
	}
	return settings, nil
}

// withholdPublication leaves out where mapa.yaml and the environment publish the sitemap of a site, if only
// the given pages are crawled. typed are the names of the flags of the command line.
func (f *crawlFlags) withholdPublication(a *app.App, typed []string) {
	for name, place := range map[string]*string{"publish": &f.PublishFolder, "robots-txt": &f.Publish.RobotsTxt} {
		if f.OnlySeeds() && *place != "" && !slices.Contains(typed, name) {
			a.Notify("notice.withheld", name, name)
			*place = ""
		}
	}
}

// crawlSettings returns the settings of the sites without those of the summary.
func crawlSettings(flags []*crawlFlags) []*appcrawl.Settings {
	all := make([]*appcrawl.Settings, len(flags))
	for i := range flags {
		all[i] = flags[i].Settings
	}
	return all
}

// checkBaselines refuses to write the baselines of several sites to one file.
func checkBaselines(sites []*crawlFlags) error {
	written := map[string]bool{}
	for _, site := range sites {
		checks := &site.Checks
		if checks.WriteBaseline && written[checks.Baseline] {
			return fmt.Errorf("--write-baseline would write several sites to %s: crawl one site at a time, "+
				"or give each its own baseline in %s", checks.Baseline, config.DefaultName)
		}
		written[checks.Baseline] = true
	}
	return nil
}

// crawlSites crawls sites one after the other. An error at one of several is printed
// and does not keep the others from being crawled.
func crawlSites(a *app.App, c *cobra.Command, sites []config.Site, crawl func(site int) error) error {
	if len(sites) == 1 {
		return crawl(0)
	}
	code := exitDone
	for i := range sites {
		if err := crawl(i); err != nil {
			code = firstCode(code, explain(c.Context(), a.Texts(), c.ErrOrStderr(), err))
		}
		if err := c.Context().Err(); err != nil {
			return err
		}
	}
	return exitWith(code)
}

func crawlSite(a *app.App, c *cobra.Command, url string, flags *crawlFlags) error {
	if err := checkFormat(flags.format); err != nil {
		return &usageError{c, err}
	}
	result, err := appcrawl.Run(c.Context(), a, url, flags.Settings)
	if err != nil {
		if flags.format == formatJSON {
			return cmp.Or(printFailure(c, url, err), crawlError(a, c, err))
		}
		return crawlError(a, c, err)
	}
	folder, whyNot := result.Details.Folder, result.WhyNotAnnounce(a.Texts())
	if flags.format == formatJSON {
		announcement, failed := flags.announce.run(a, c, folder, whyNot)
		printed := newJSON(c.OutOrStdout()).Encode(struct {
			*appcrawl.Result
			Verdict      *verdictJSON        `json:"verdict,omitempty"`
			Announcement *appannounce.Result `json:"announcement,omitempty"`
		}{result, newVerdictJSON(result, url, keptFlagsOf(c.Flags())...), announcement})
		printResumable(a, c, result)
		return cmp.Or(printed, crawlExit(result), failed)
	}
	failed := cmp.Or(printCrawl(a, c, url, result, flags.IgnoreRobots), crawlExit(result))
	return cmp.Or(failed, flags.announce.runAndPrint(a, c, folder, whyNot))
}

// printFailure prints why a crawl has no result, for programs.
func printFailure(c *cobra.Command, address string, err error) error {
	return newJSON(c.OutOrStdout()).Encode(struct {
		URL     string       `json:"url"`
		Error   failureJSON  `json:"error"`
		Verdict *verdictJSON `json:"verdict,omitempty"`
	}{
		addresses.TruncatedAddress(address),
		failureJSON{
			failureCode(err), format.Truncate(errorText(err), maxErrorText), hintOf(catalog.For(catalog.English), err),
		},
		newVerdictJSON(&appcrawl.Result{Verdict: insight.FailureVerdict(err)}, address),
	})
}

// A failureJSON says why a crawl has no result.
type failureJSON struct {
	Code    string `json:"code,omitempty"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// failureCode returns the code that the server has for an error, or "".
func failureCode(err error) string {
	if code := service.FailureOf(err).Code; code != service.FailureInternal {
		return code
	}
	return ""
}

// printCrawl prints the summary for people.
func printCrawl(a *app.App, c *cobra.Command, address string, result *appcrawl.Result, ignoreRobots bool) error {
	if isQuiet(c) {
		return printText(c.OutOrStdout(), crawlLine(a.Texts(), result))
	}
	summary := crawlSummary(result, ignoreRobots)
	if !goesOn(result) {
		summary += nextAfterCrawl(result, address, keptFlagsOf(c.Flags())...)
	}
	if err := printText(c.OutOrStdout(), summary); err != nil {
		return err
	}
	printResumable(a, c, result)
	return nil
}

// printResumable says that the next run continues the crawl, if it does.
func printResumable(a *app.App, c *cobra.Command, result *appcrawl.Result) {
	if goesOn(result) && !isQuiet(c) {
		fmt.Fprintln(c.ErrOrStderr(), a.Texts().Text("line.resume"))
	}
}

// goesOn reports whether the next run continues the crawl.
func goesOn(result *appcrawl.Result) bool {
	return slices.Contains(resumable, result.Limit) || result.Details.Cut != nil
}

package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/config"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/spf13/cobra"
)

// crawlJob crawls sites on workers.
func crawlJob(
	a *app.App, c *cobra.Command, sites []config.Site, settings []*crawlFlags, job *appcrawl.JobSettings,
) error {
	jobSites := make([]appcrawl.JobSite, len(sites))
	for i, site := range sites {
		jobSites[i] = appcrawl.JobSite{URL: site.URL, Settings: settings[i].Settings}
	}
	result, err := appcrawl.RunJob(c.Context(), a, jobSites, job)
	if err != nil {
		return jobError(c, err)
	}
	return printJob(c, result, settings[0].format)
}

// jobError returns the error for a job without a result.
func jobError(c *cobra.Command, err error) error {
	if unfinished, ok := errors.AsType[*appcrawl.UnfinishedJobError](err); ok {
		_ = printText(c.ErrOrStderr(), fmt.Sprintf(unfinishedText, unfinished.Job, unfinished.Job, unfinished.Job))
	}
	return settingError(c, err)
}

// maxFailures is how many sites that failed the summary of a job names.
const maxFailures = 10

// printJob prints the outcome of a job and chooses the exit code.
func printJob(c *cobra.Command, result *appcrawl.JobResult, format string) error {
	if format == formatJSON {
		if err := newJSON(c.OutOrStdout()).Encode(result); err != nil {
			return err
		}
	} else if err := printText(c.OutOrStdout(), jobSummary(result)); err != nil {
		return err
	}
	switch {
	case result.Sites > 0 && result.Failed == result.Sites:
		return exitWith(exitUnreachable)
	case result.Failed > 0 || result.Ended < result.Sites || slices.ContainsFunc(result.Results, ranOutOfTime):
		return exitWith(exitPart)
	case result.Failing > 0:
		return exitWith(exitFindings)
	}
	return nil
}

// ranOutOfTime reports whether a site has pages left that could have been crawled.
func ranOutOfTime(site appcrawl.SiteResult) bool {
	return slices.Contains(resumable, site.Limit)
}

// jobSummary returns the outcome of a job, for people.
func jobSummary(r *appcrawl.JobResult) string {
	var t strings.Builder
	fmt.Fprintf(&t, "Job %s is %s: %d of %s ended, %s fetched, %s in the sitemaps:\n  %s\n", r.Job, r.State, r.Ended,
		plural(r.Sites, "site"), plural(int(r.Pages), "page"), plural(int(r.Listed), "page"), printable(r.Folder))
	if r.Broken > 0 {
		fmt.Fprintf(&t, "\n%s; every link to them is in broken.csv in the folder of the site.\n", plural(int(r.Broken), "broken URL"))
	}
	if r.Failed > 0 {
		fmt.Fprintf(&t, "\n%s failed:\n", plural(r.Failed, "site"))
		shown := 0
		for i := range r.Results {
			if site := &r.Results[i]; site.Failure != "" && shown < maxFailures {
				fmt.Fprintf(&t, "  %s: %s\n", printable(site.URL), printable(site.Failure))
				shown++
			}
		}
		if more := r.Failed - shown; more > 0 {
			fmt.Fprintf(&t, "  and %d more, all in job.json\n", more)
		}
	}
	if r.Failing > 0 {
		fmt.Fprintf(&t, "\n%s of --fail-on\n", plural(r.Failing, "problem"))
	}
	return t.String()
}

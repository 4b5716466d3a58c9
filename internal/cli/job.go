package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/mapatools/mapa/internal/app"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/spf13/cobra"
)

func newJob(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:     "job",
		Short:   "List and control crawls on workers, and write their results",
		Long:    jobText,
		Example: jobExamples,
		Args:    noArguments,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newJobList(a), newJobShow(a), newJobCancel(a), newJobResults(a), newJobDelete(a))
	return c
}

// jobCommand adds the settings to a command, which run uses.
func jobCommand(
	a *app.App, c *cobra.Command, settings []setting.Setting, run func(args []string) error,
) *cobra.Command {
	c.RunE = func(c *cobra.Command, args []string) error {
		if form := setting.Find(settings, "format"); form != nil {
			if err := checkFormat(form.Value.String()); err != nil {
				return &usageError{c, err}
			}
		}
		return settingError(c, run(args))
	}
	addSettings(a, c, settings)
	return c
}

func newJobList(a *app.App) *cobra.Command {
	var nats appcrawl.NATSSettings
	form := formatText
	c := &cobra.Command{Use: "list", Short: "List the jobs on the servers", Args: noArguments,
		Example: "  mapa job list --nats nats://127.0.0.1:4222"}
	return jobCommand(a, c, append(nats.All(), formatSetting(&form, "text or json")), func([]string) error {
		jobs, err := appcrawl.JobList(c.Context(), a, &nats)
		if err != nil {
			return err
		}
		for i := range jobs {
			jobs[i].Options = nil // they may hold credentials
		}
		if form == formatJSON {
			return newJSON(c.OutOrStdout()).Encode(jobs)
		}
		return printJobs(c.OutOrStdout(), jobs)
	})
}

func printJobs(w io.Writer, jobs []appcrawl.Job) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "JOB\tSTATE\tSITES\tCREATED") // Flush returns the error
	for i := range jobs {
		j := &jobs[i]
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\n", printable(j.Name), printable(string(j.State)), j.Sites, shortTime(j.Created))
	}
	return table.Flush()
}

func newJobShow(a *app.App) *cobra.Command {
	var nats appcrawl.NATSSettings
	form := formatText
	c := &cobra.Command{Use: "show NAME", Short: "Show how far a job is", Args: exactlyOne("the name of a job"),
		Example: "  mapa job show news --nats nats://127.0.0.1:4222 --format json"}
	return jobCommand(a, c, append(nats.All(), formatSetting(&form, "text or json")), func(args []string) error {
		job, err := appcrawl.JobShow(c.Context(), a, &nats, args[0])
		if err != nil {
			return err
		}
		if form == formatJSON {
			return newJSON(c.OutOrStdout()).Encode(job)
		}
		return printJobDetails(c.OutOrStdout(), job)
	})
}

func printJobDetails(w io.Writer, j *appcrawl.JobDetails) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, line := range []struct {
		name  string
		value any
	}{
		{"job", j.Name}, {"state", j.State}, {"created", shortTime(j.Created)}, {"sites", j.Sites}, {"ended", j.Ended},
		{"failed", j.Failed}, {"crawled now", j.Running}, {"workers", j.Workers}, {"pages", j.Pages},
		{"in sitemaps", j.Listed}, {"broken URLs", j.Broken}, {"waiting URLs", j.Waiting},
	} {
		fmt.Fprintf(table, "%s\t%v\n", line.name, line.value) // Flush returns the error
	}
	if j.Failure != "" {
		fmt.Fprintf(table, "damage\t%s\n", printable(j.Failure))
	}
	if err := table.Flush(); err != nil || len(j.Failures) == 0 {
		return err
	}
	var t strings.Builder
	t.WriteString("\nfailed:\n")
	for i := range min(len(j.Failures), maxFailures) {
		fmt.Fprintf(&t, "  %s: %s\n", printable(j.Failures[i].URL), printable(j.Failures[i].Failure))
	}
	if more := j.Failed - maxFailures; more > 0 {
		fmt.Fprintf(&t, "  and %d more\n", more)
	}
	_, err := io.WriteString(w, t.String())
	return err
}

func newJobCancel(a *app.App) *cobra.Command {
	var nats appcrawl.NATSSettings
	c := &cobra.Command{Use: "cancel NAME", Short: "End a job and keep what was crawled", Args: exactlyOne("the name of a job"),
		Example: "  mapa job cancel news --nats nats://127.0.0.1:4222"}
	return jobCommand(a, c, nats.All(), func(args []string) error {
		return appcrawl.JobCancel(c.Context(), a, &nats, args[0])
	})
}

func newJobDelete(a *app.App) *cobra.Command {
	var nats appcrawl.NATSSettings
	c := &cobra.Command{Use: "delete NAME", Short: "Remove a job and all that was crawled from the servers",
		Args: exactlyOne("the name of a job"), Example: "  mapa job delete news --nats nats://127.0.0.1:4222"}
	return jobCommand(a, c, nats.All(), func(args []string) error {
		return appcrawl.JobDelete(c.Context(), a, &nats, args[0])
	})
}

func newJobResults(a *app.App) *cobra.Command {
	var job appcrawl.JobSettings
	form := formatText
	c := &cobra.Command{Use: "results NAME", Short: "Write the results of the sites that have ended", Long: jobResultsText,
		Args: exactlyOne("the name of a job"), Example: "  mapa job results news -o news --nats nats://127.0.0.1:4222"}
	settings := append([]setting.Setting{
		{Name: "output", Short: "o", Value: setting.FileName(&job.Output), Risk: setting.RiskFile,
			Help: "write to this `FOLDER` (default: the name of the job)"},
		{Name: "force", Value: setting.Bool(&job.Force), Risk: setting.RiskOutside,
			Help: "replace files in the folder that mapa did not write"},
		formatSetting(&form, "summary as text or json"),
	}, job.NATS.All()...)
	return jobCommand(a, c, settings, func(args []string) error {
		job.Name = args[0]
		result, err := appcrawl.JobResults(c.Context(), a, &job)
		if err != nil {
			return err
		}
		return printJob(c, result, form)
	})
}

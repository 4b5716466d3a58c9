package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/setting"
	appwatch "github.com/mapatools/mapa/internal/app/watch"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/watch"
	"github.com/spf13/cobra"
)

func newWatch(a *app.App) *cobra.Command {
	flags := &watchFlags{Settings: appwatch.NewSettings()}
	c := &cobra.Command{
		Use:     "watch SITE...",
		Short:   "Follow sitemaps and print what is new, changed and gone",
		Long:    watchText,
		Example: watchExamples,
		RunE: func(c *cobra.Command, args []string) error {
			var settings *appwatch.Settings
			read := func() (_ *appwatch.Settings, err error) {
				settings, err = flags.read(a, c)
				return settings, err
			}
			reload := make(chan os.Signal, 1)
			signal.Notify(reload, syscall.SIGHUP)
			defer signal.Stop(reload)
			result, err := appwatch.Run(c.Context(), a, args, read, reload, c.OutOrStdout())
			if errors.Is(err, addresses.ErrNoSites) {
				return &usageError{c, &helpError{errors.New("watch needs a site, or --sites FILE")}}
			}
			var site *watch.SiteError
			if errors.As(err, &site) {
				return &usageError{c, err}
			}
			if err != nil {
				return settingError(c, err)
			}
			if settings.Every == 0 && len(result.Failed) > 0 {
				return exitWith(exitPart)
			}
			return nil
		},
	}
	addFlags(c, flags.All())
	addConfigFlag(c, &flags.config)
	c.AddCommand(newWatchStatus(a))
	return c
}

// watchFlags are the flags of watch.
type watchFlags struct {
	*appwatch.Settings
	config string
}

// read returns the settings: those of the configuration file, of the environment and of
// the flags, which override each other in this order.
func (f *watchFlags) read(a *app.App, c *cobra.Command) (*appwatch.Settings, error) {
	settings := appwatch.NewSettings()
	_, err := readSettings(a, c, f.config, appwatch.Section, settings.All(), f.All())
	return settings, err
}

func newWatchStatus(a *app.App) *cobra.Command {
	state, form := appwatch.NewSettings().State, formatText
	c := &cobra.Command{
		Use:     "status",
		Short:   "Print what is known of the sites that are followed",
		Long:    watchStatusText,
		Example: "  mapa watch status\n  mapa watch status --state news.sqlite --format json",
		Args:    noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := checkFormat(form); err != nil {
				return &usageError{c, err}
			}
			sites, pending, err := appwatch.Status(c.Context(), a, state)
			if err != nil {
				return err
			}
			if form == formatJSON {
				return newJSON(c.OutOrStdout()).Encode(struct {
					Sites   []watch.Site `json:"sites"`
					Pending int          `json:"pending"`
				}{sites, pending})
			}
			return printWatchStatus(c.OutOrStdout(), sites, pending)
		},
	}
	settings := []setting.Setting{
		{Name: "state", Value: setting.String(&state), Risk: setting.RiskFile, Help: "the `FILE` with what is known of the sites"},
		formatSetting(&form, "text or json"),
	}
	addFlags(c, settings)
	return c
}

func printWatchStatus(w io.Writer, sites []watch.Site, pending int) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "SITE\tLAST PASS\tPAGES\tNEW\tCHANGED\tGONE\tREQUESTS\tBYTES\tNEXT PASS") // Flush returns the error
	for i := range sites {
		s := &sites[i]
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%s\n", printable(s.Name), shortTime(s.LastPass), s.Entries, s.New,
			s.Changed, s.Gone, s.Requests, s.Bytes, shortTime(s.NextPass))
	}
	for i := range sites {
		s := &sites[i]
		if !s.Complete {
			fmt.Fprintf(table, "\n%s: the last pass could not read everything: %s\n", printable(s.Name),
				printable(format.Truncate(s.Problem, maxErrorText)))
		}
		for _, found := range s.Discrepancies {
			fmt.Fprintf(table, "\n%s: %s\n", printable(found.URL), printable(found.Reason))
		}
	}
	if pending > 0 {
		fmt.Fprintf(table, "\n%s not delivered yet\n", plural(pending, "event"))
	}
	return table.Flush()
}

// shortTime returns a time in UTC to the minute, or a dash for none.
func shortTime(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04 MST")
}

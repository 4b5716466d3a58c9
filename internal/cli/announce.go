package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/internal/app"
	appannounce "github.com/mapatools/mapa/internal/app/announce"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/spf13/cobra"
)

// announceFlags are the flags of announce: the settings, and how the result is printed.
type announceFlags struct {
	*appannounce.Settings
	format string
	config string
}

func newAnnounceFlags() *announceFlags {
	return &announceFlags{Settings: appannounce.NewSettings(), format: formatText}
}

func (f *announceFlags) all() []setting.Setting {
	return append(f.Table(), formatSetting(&f.format, "result as text or json"))
}

func newAnnounce(a *app.App) *cobra.Command {
	c, flags := newAnnounceCommand(&cobra.Command{
		Use:     "announce SOURCE",
		Short:   "Announce a sitemap and changed pages to search engines",
		Long:    announceText,
		Example: announceExamples,
		Args:    exactlyOne("the folder, the file or the URL of a sitemap"),
	}, nil)
	c.ValidArgsFunction = completeArgument(0, crawlfile.Folders)
	c.RunE = func(c *cobra.Command, args []string) error {
		settings, err := flags.read(a, c)
		if err != nil {
			return err
		}
		return announceTo(a, c, args[0], settings)
	}
	c.AddCommand(newAnnounceStatus(a), newKey(a), newPing())
	return c
}

// newAnnounceCommand gives a command the flags of announce that it needs; nil is all.
func newAnnounceCommand(c *cobra.Command, names []string) (*cobra.Command, *announceFlags) {
	flags := newAnnounceFlags()
	settings := flags.all()
	if names != nil {
		settings = nil
		for _, name := range names {
			settings = append(settings, *setting.Find(flags.all(), name))
		}
	}
	addFlags(c, settings)
	addConfigFlag(c, &flags.config)
	c.Flags().Bool("ping", false, "")
	_ = c.Flags().MarkHidden("ping") // it is there
	return c, flags
}

// read returns the settings: those of the configuration file, of the environment and of
// the flags, which override each other in this order.
func (f *announceFlags) read(a *app.App, c *cobra.Command) (*announceFlags, error) {
	if c.Flags().Changed("ping") {
		return nil, errPing(c)
	}
	settings := newAnnounceFlags()
	if _, err := readSettings(a, c, f.config, appannounce.Section, settings.all(), f.all()); err != nil {
		return nil, err
	}
	if err := checkFormat(settings.format); err != nil {
		return nil, &usageError{c, err}
	}
	return settings, nil
}

// announceTo announces and prints the result.
func announceTo(a *app.App, c *cobra.Command, source string, flags *announceFlags) error {
	result, err := appannounce.Run(c.Context(), a, source, flags.Settings, announceHooks(a, c, flags.format))
	switch {
	case errors.Is(err, appannounce.ErrNotConfirmed):
		fmt.Fprintln(c.ErrOrStderr(), "mapa: "+a.Texts().Text("announced.nothing"))
		return nil
	case err != nil:
		return settingError(c, err)
	}
	if flags.format == formatJSON {
		if err := newJSON(c.OutOrStdout()).Encode(result); err != nil {
			return err
		}
	} else if err := printText(c.OutOrStdout(), announcement(a, c, result)); err != nil {
		return err
	}
	return announceExit(result.Outcome())
}

// announcement returns the outcome of an announcement, for people.
func announcement(a *app.App, c *cobra.Command, result *appannounce.Result) string {
	if isQuiet(c) {
		return announceLine(a.Texts(), result)
	}
	return announceSummary(a.Texts(), result)
}

// announceHooks ask on the terminal, and print the requests of a dry run.
func announceHooks(a *app.App, c *cobra.Command, format string) appannounce.Hooks {
	return appannounce.Hooks{
		Confirm: func(pages int, sitemap string) (bool, error) {
			if !isTerminal(c.InOrStdin()) {
				return false, &usageError{c, errors.New("--all asks first: confirm with --yes where nobody can answer")}
			}
			fmt.Fprint(c.ErrOrStderr(), a.Texts().Plural("announced.confirm", int64(pages), printable(sitemap))+" ")
			answer, err := bufio.NewReader(c.InOrStdin()).ReadString('\n')
			return err == nil && isYes(a.Texts(), answer), nil
		},
		Request: func(p announce.Provider, r announce.Request) error {
			if format == formatJSON {
				return newJSON(c.OutOrStdout()).Encode(plannedRequest{p, r})
			}
			_, err := io.WriteString(c.OutOrStdout(), requestText(p, &r))
			return err
		},
	}
}

// isYes reports whether an answer begins with the letter for yes: that of English, or of the language.
func isYes(c *catalog.Catalog, answer string) bool {
	answer = strings.ToLower(strings.TrimSpace(answer))
	return strings.HasPrefix(answer, "y") || strings.HasPrefix(answer, c.Text("announced.yes"))
}

// A plannedRequest is a request of a dry run.
type plannedRequest struct {
	Provider announce.Provider `json:"provider"`
	announce.Request
}

// requestText returns a request as it would be sent.
func requestText(p announce.Provider, r *announce.Request) string {
	var t strings.Builder
	fmt.Fprintf(&t, "# %s\n%s %s\n", p, r.Method, printable(r.URL))
	for _, line := range r.Header {
		fmt.Fprintln(&t, printable(line))
	}
	if r.Body != "" {
		fmt.Fprintf(&t, "\n%s\n", printable(r.Body))
	}
	t.WriteString("\n")
	return t.String()
}

// announceExit returns the error for what an announcement amounts to.
func announceExit(outcome appannounce.Outcome) error {
	switch outcome {
	case appannounce.AnnouncedRefused:
		return exitWith(exitFindings)
	case appannounce.AnnouncedPart:
		return exitWith(exitPart)
	case appannounce.AnnouncedNone:
		return exitWith(exitUnreachable)
	}
	return nil
}

func newAnnounceStatus(a *app.App) *cobra.Command {
	c, flags := newAnnounceCommand(&cobra.Command{
		Use:   "status SOURCE...",
		Short: "Show what search engines say about a sitemap",
		Long:  announceStatusText,
		Args:  atLeastOne("the folder, the file or the URL of a sitemap"),
	}, []string{
		"to", "base-url", "ledger", "wait", "endpoint", "google-credentials", "bing-key-file", "yandex-token-file", "format",
	})
	c.RunE = func(c *cobra.Command, args []string) error {
		settings, err := flags.read(a, c)
		if err != nil {
			return err
		}
		worst := appannounce.AnnouncedAll
		var reports []*appannounce.SitemapReport
		for _, source := range args {
			report, err := appannounce.Status(c.Context(), a, source, settings.Settings)
			if err != nil {
				return settingError(c, err)
			}
			worst = max(worst, report.Outcome())
			reports = append(reports, report)
		}
		if err := printStatus(c.OutOrStdout(), a.Texts(), reports, settings.format); err != nil {
			return err
		}
		return announceExit(worst)
	}
	return c
}

func printStatus(out io.Writer, c *catalog.Catalog, reports []*appannounce.SitemapReport, format string) error {
	if format == formatJSON {
		var encoder *json.Encoder = newJSON(out)
		return encoder.Encode(reports)
	}
	for _, report := range reports {
		if err := printText(out, statusTable(c, report)); err != nil {
			return err
		}
	}
	return nil
}

// pingText answers those who look for the pings of sitemaps, which no engine takes any
// more (https://developers.google.com/search/blog/2023/06/sitemaps-lastmod-ping,
// https://blogs.bing.com/webmaster/may-2022/Spring-cleaning-Removed-Bing-anonymous-sitemap-submission).
const pingText = "sitemap pings are gone: Google's answers 404 since the end of 2023, and Bing's 410 since December 2021; " +
	"a Sitemap line in robots.txt, Search Console and IndexNow replace them"

func errPing(c *cobra.Command) error { return &usageError{c, errors.New(pingText)} }

func newPing() *cobra.Command {
	return &cobra.Command{
		Use:                "ping",
		Short:              "Say what replaced the pings of sitemaps",
		DisableFlagParsing: true,
		RunE:               func(c *cobra.Command, _ []string) error { return errPing(c) },
	}
}

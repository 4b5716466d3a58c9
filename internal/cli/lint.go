package cli

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"time"

	"github.com/mapatools/mapa/internal/lintreport"
	"github.com/mapatools/mapa/lint"
	"github.com/mapatools/mapa/source"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// lintFlags are the flags of lint, as they are typed.
type lintFlags struct {
	config                                 string
	format, out, baseURL, failOn, baseline string
	engines, enable, disable, verified     []string
	severity                               map[string]string
	writeBaseline                          bool
	crawl, siteSince                       string
	live                                   liveFlags
	fix                                    fixFlags
}

func newLint() *cobra.Command {
	var flags lintFlags
	c := &cobra.Command{
		Use:     "lint SOURCE...",
		Short:   "Find what is wrong with sitemaps",
		Long:    lintText,
		Example: lintExamples,
		Args:    atLeastOne("a source: a file, a folder, -, an address or a site"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := flags.configure(c); err != nil {
				return &usageError{c, err}
			}
			if flags.fix.folder != "" {
				return flags.repair(c, args)
			}
			run, err := flags.run(c, args)
			if err != nil {
				return &usageError{c, err}
			}
			if flags.crawl == "" {
				return run.do(c.Context(), args)
			}
			return run.doWithCrawl(c.Context(), args, flags.crawl)
		},
	}
	flags.register(c.Flags())
	return c
}

func (f *lintFlags) register(s *pflag.FlagSet) {
	s.StringVar(&f.config, "config", "", "read settings from this `FILE` (default: "+configName+" where there is one)")
	s.StringSliceVar(&f.engines, "engine", []string{"sitemaps.org"}, "judge by these rule sets: `NAMES` of sitemaps.org, google, bing, yandex or all")
	s.StringSliceVar(&f.enable, "enable", nil, "apply only the rules with these `IDS`")
	s.StringSliceVar(&f.disable, "disable", nil, "leave out the rules with these `IDS`")
	s.StringToStringVar(&f.severity, "severity", nil, "replace the severity of rules: `ID=LEVEL`, of off, info, warning and error")
	s.StringVar(&f.failOn, "fail-on", "error", "exit with 1 on findings of this severity or above: error, warning or info")
	s.StringSliceVar(&f.verified, "verified", nil, "`HOSTS` that are yours: their pages may be listed anywhere")
	s.StringVar(&f.baseURL, "base-url", "", "the `URL` where files will be published")
	s.StringVar(&f.format, "format", "text", "text, json, jsonl, sarif, junit, github or html")
	s.StringVarP(&f.out, "output", "o", "", "write into this `FILE`")
	s.StringVar(&f.baseline, "baseline", "", "leave out the findings that this `FILE` lists, and compare the number of pages with its own")
	s.BoolVar(&f.writeBaseline, "write-baseline", false, "list all findings, and the number of pages, in the file of --baseline")
	s.StringVar(&f.siteSince, "site-since", "", "the `DAY` on which the site began, such as 2019-03-01: no page changed before")
	s.StringVar(&f.crawl, "crawl", "", "compare with the pages that this crawl found: its `FOLDER`, or its crawl.sqlite")
	f.live.register(s)
	f.fix.register(s)
}

// configure takes what the configuration file says of lint, except what is typed.
func (f *lintFlags) configure(c *cobra.Command) error {
	file, err := readConfig(f.config, flagsOf(c.Root(), "crawl"), c.Flags())
	if err != nil {
		return err
	}
	typed := map[string]bool{}
	c.Flags().Visit(func(flag *pflag.Flag) { typed[flag.Name] = true })
	return file.apply(c.Flags(), typed, file.lint)
}

// repair writes copies instead of findings.
func (f *lintFlags) repair(c *cobra.Command, sources []string) error {
	if !c.Flags().Changed("format") {
		f.format = "text" // a configured one is that of findings
	}
	linting, err := f.options()
	if err != nil {
		return &usageError{c, err}
	}
	options, err := f.fix.options(c, linting, f.format)
	if err != nil {
		return &usageError{c, err}
	}
	return fix(c.Context(), sources, options, f.format, c.OutOrStdout())
}

// run makes the flags ready; what they say wrong is an error.
func (f *lintFlags) run(c *cobra.Command, sources []string) (*lintRun, error) {
	if f.fix.zone != "" {
		return nil, errors.New("--zone needs --fix FOLDER")
	}
	options, err := f.options()
	if err != nil {
		return nil, err
	}
	if err := f.live.apply(c, &options); err != nil {
		return nil, err
	}
	options.Source = source.Options{Stdin: c.InOrStdin(), UserAgent: userAgent()}
	run := &lintRun{options: options, format: f.format, out: f.out, stdout: c.OutOrStdout(), stderr: c.ErrOrStderr()}
	if err := run.failOn.UnmarshalText([]byte(f.failOn)); err != nil || run.failOn == lint.SeverityOff {
		return nil, fmt.Errorf("--fail-on is error, warning or info, not %q", f.failOn)
	}
	if _, err := lintreport.New(f.format, io.Discard, nil); err != nil {
		return nil, err
	}
	if overwrites(f.out, sources) {
		return nil, fmt.Errorf("--output would overwrite %s, which is to be checked", f.out)
	}
	switch {
	case f.writeBaseline && f.baseline == "":
		return nil, errors.New("--write-baseline needs --baseline FILE")
	case f.writeBaseline:
		run.newBaseline = f.baseline
	case f.baseline != "":
		if run.baseline, err = readBaseline(f.baseline); err != nil {
			return nil, fmt.Errorf("--baseline: %w", err)
		}
		run.options.Previous = run.baseline.pages
	}
	return run, nil
}

func (f *lintFlags) options() (lint.Options, error) {
	o := lint.Options{
		Enable: f.enable, Disable: f.disable, VerifiedHosts: f.verified,
		Severity: map[string]lint.Severity{}, BaseURL: f.baseURL,
	}
	for _, name := range f.engines {
		engines, err := lint.ParseEngine(name)
		if err != nil {
			return o, fmt.Errorf("--%w", err)
		}
		o.Engines |= engines
	}
	for _, id := range append(append([]string{}, f.enable...), f.disable...) {
		if _, err := lint.Find(id); err != nil {
			return o, err
		}
	}
	for id, name := range f.severity {
		if _, err := lint.Find(id); err != nil {
			return o, err
		}
		var level lint.Severity
		if err := level.UnmarshalText([]byte(name)); err != nil {
			return o, fmt.Errorf("--severity: %w", err)
		}
		o.Severity[id] = level
	}
	if f.siteSince != "" {
		since, err := time.Parse(time.DateOnly, f.siteSince)
		if err != nil {
			return o, fmt.Errorf("--site-since is a day such as 2019-03-01, not %q", f.siteSince)
		}
		o.SiteSince = since
	}
	if u, err := url.Parse(f.baseURL); f.baseURL != "" && (err != nil || u.Host == "") {
		return o, fmt.Errorf("--base-url is an address such as https://example.com/, not %q", f.baseURL)
	}
	return o, nil
}

// overwrites reports whether a file is among the sources.
func overwrites(out string, sources []string) bool {
	target, err := os.Stat(out)
	if err != nil {
		return false
	}
	for _, s := range sources {
		if info, err := os.Stat(s); err == nil && os.SameFile(info, target) {
			return true
		}
	}
	return false
}

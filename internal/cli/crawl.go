package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/publish"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// crawlFlags are the flags of crawl, as they are typed.
type crawlFlags struct {
	out, format, prefix, user, cookie, proxy, agent string
	include, exclude, noList, add, strip, header    []string
	concurrency, maxPages, maxDepth                 int
	rate                                            crawl.Rate
	maxTime                                         time.Duration
	maxBytes                                        int64
	traps                                           map[string]int
	subdomains, ignoreRobots, assets, external      bool
	fresh, images                                   bool
	lastMod                                         []string
	publish                                         publishFlags
	seeds                                           seedFlags
}

func newCrawl() *cobra.Command {
	var flags crawlFlags
	var configuration string
	c := &cobra.Command{
		Use:     "crawl [URL]",
		Short:   "Visit every page of a site and write its sitemap",
		Long:    crawlText,
		Example: crawlExamples,
		Args:    atMostOne("the address of a site"),
		RunE: func(c *cobra.Command, args []string) error {
			return crawlSites(c, args, configuration)
		},
	}
	flags.register(c.Flags())
	c.Flags().StringVar(&configuration, "config", "", "read settings from this `FILE` (default: "+configName+" where there is one)")
	return c
}

// run crawls one site.
func (f *crawlFlags) run(c *cobra.Command, address string) error {
	options, err := f.options(address)
	if err != nil {
		return &usageError{c, err}
	}
	published, err := f.publish.options()
	if err != nil {
		return &usageError{c, err}
	}
	options.Images = options.Images || published.Apart.Images
	run := &crawlRun{
		options: options,
		publish: published,
		folder:  f.out,
		fresh:   f.fresh,
		json:    f.format == "json",
		seeds:   f.seeds,
		stdin:   c.InOrStdin(),
		stdout:  c.OutOrStdout(),
		stderr:  c.ErrOrStderr(),
	}
	return run.do(c.Context())
}

func (f *crawlFlags) register(s *pflag.FlagSet) {
	s.StringVarP(&f.out, "output", "o", "", "write into this `FOLDER` (default: the host's name)")
	s.StringVar(&f.format, "format", "text", "summary as text or json")
	s.BoolVar(&f.fresh, "fresh", false, "start over instead of going on or asking only for changes")

	s.BoolVar(&f.images, "images", false, "list the images of every page in the sitemap")
	s.StringSliceVar(&f.lastMod, "lastmod", nil, "believe only these `SOURCES` of dates: "+joined(crawl.LastModSources())+"; or none")

	f.publish.register(s)
	f.seeds.register(s)

	s.IntVar(&f.concurrency, "concurrency", 8, "requests under way at once")
	s.TextVar(&f.rate, "rate", crawl.Rate{}, "at most `N` requests per second to a host, 0 for no limit")
	s.IntVar(&f.maxPages, "max-pages", 0, "stop after this many pages")
	s.IntVar(&f.maxDepth, "max-depth", 0, "follow this many links from the start")
	s.DurationVar(&f.maxTime, "max-time", 0, "stop after this time, such as 10m; the next run goes on")
	s.Int64Var(&f.maxBytes, "max-bytes", 0, "stop after this many bytes of bodies")

	s.BoolVar(&f.subdomains, "subdomains", false, "take in the hosts below this one")
	s.StringVar(&f.prefix, "prefix", "", "only pages whose path begins with this")
	s.StringArrayVar(&f.include, "include", nil, "only pages that match the `PATTERN`")
	s.StringArrayVar(&f.exclude, "exclude", nil, "neither fetch nor list pages that match the `PATTERN`")
	s.StringArrayVar(&f.noList, "no-list", nil, "fetch and follow, but do not list, pages that match the `PATTERN`")
	s.StringArrayVar(&f.add, "add", nil, "list pages that match the `PATTERN` without fetching them")
	s.StringSliceVar(&f.strip, "strip-params", nil, "query parameters that make no difference, such as ref,src_*")
	s.StringToIntVar(&f.traps, "trap", nil, "bound of a trap, -1 for off: "+strings.Join(trapNames(), ", "))

	s.StringArrayVar(&f.header, "header", nil, "send this `HEADER: VALUE` to the site")
	s.StringVar(&f.user, "user", "", "`NAME:PASSWORD` for the site")
	s.StringVar(&f.cookie, "cookie", "", "send this cookie to the site: `NAME=VALUE`")
	s.StringVar(&f.proxy, "proxy", "", "`URL` of a proxy")
	s.StringVar(&f.agent, "user-agent", "", "what the crawler calls itself")
	s.BoolVar(&f.ignoreRobots, "ignore-robots", false, "fetch what robots.txt forbids")
	s.BoolVar(&f.assets, "assets", false, "check images, scripts and style sheets too")
	s.BoolVar(&f.external, "external", false, "check links to other sites too")
}

// options make the flags ready for the crawler; what they say wrong is an error.
func (f *crawlFlags) options(address string) (crawl.Options, error) {
	if f.format != "text" && f.format != "json" {
		return crawl.Options{}, fmt.Errorf("--format is text or json, not %q", f.format)
	}
	if err := f.checkNumbers(); err != nil {
		return crawl.Options{}, err
	}
	if f.proxy != "" && !strings.Contains(f.proxy, "://") {
		return crawl.Options{}, fmt.Errorf("--proxy is a URL, such as http://proxy.example:8080, not %q", f.proxy)
	}
	o := crawl.Options{
		Start:           withScheme(address),
		IgnoreRobots:    f.ignoreRobots,
		Assets:          f.assets,
		External:        f.external,
		Images:          f.images,
		StripParameters: f.strip,
		Limits:          crawl.Limits{Pages: f.maxPages, Depth: f.maxDepth, Time: f.maxTime, Bytes: f.maxBytes},
		Scope:           crawl.Scope{Subdomains: f.subdomains, Prefix: f.prefix},
		Access: crawl.Access{
			Concurrency: f.concurrency,
			Rate:        f.rate,
			UserAgent:   f.agent,
			User:        f.user,
			Proxy:       f.proxy,
			Header:      http.Header{},
		},
	}
	if err := f.seeds.check(); err != nil {
		return o, err
	}
	if f.agent == "" {
		o.Access.UserAgent = userAgent()
	}
	for _, line := range f.header {
		name, value, found := strings.Cut(line, ":")
		if !found {
			return o, fmt.Errorf("--header is NAME: VALUE, not %q", line)
		}
		o.Access.Header.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	if f.cookie != "" {
		if !strings.Contains(f.cookie, "=") {
			return o, fmt.Errorf("--cookie is NAME=VALUE, not %q", f.cookie)
		}
		o.Access.Header.Set("Cookie", f.cookie)
	}
	if f.user != "" && !strings.Contains(f.user, ":") {
		return o, errors.New("--user is NAME:PASSWORD")
	}
	var err error
	if o.LastMod, err = lastModSources(f.lastMod); err != nil {
		return o, err
	}
	if err := setTraps(&o.Traps, f.traps); err != nil {
		return o, err
	}
	for _, list := range []struct {
		flag     string
		patterns []string
		into     *[]*regexp.Regexp
	}{
		{"include", f.include, &o.Scope.Include}, {"exclude", f.exclude, &o.Scope.Exclude},
		{"no-list", f.noList, &o.Scope.NoList}, {"add", f.add, &o.Scope.Add},
	} {
		for _, pattern := range list.patterns {
			compiled, err := regexp.Compile(pattern)
			if err != nil {
				return o, fmt.Errorf("--%s: %w", list.flag, err)
			}
			*list.into = append(*list.into, compiled)
		}
	}
	return o, nil
}

// checkNumbers refuses what no crawl can keep to.
func (f *crawlFlags) checkNumbers() error {
	if f.concurrency < 1 {
		return fmt.Errorf("--concurrency is 1 or more, not %d", f.concurrency)
	}
	for _, limit := range []struct {
		flag  string
		value float64
	}{
		{"max-pages", float64(f.maxPages)}, {"max-depth", float64(f.maxDepth)},
		{"max-time", f.maxTime.Seconds()}, {"max-bytes", float64(f.maxBytes)},
	} {
		if !(limit.value >= 0) { // NaN too
			return fmt.Errorf("--%s is 0 for no limit, or more; not less", limit.flag)
		}
	}
	return nil
}

// withScheme completes an address that people type without its beginning.
func withScheme(address string) string {
	if strings.Contains(address, "://") {
		return address
	}
	return "https://" + address
}

// lastModSources reads --lastmod.
func lastModSources(names []string) ([]crawl.LastModSource, error) {
	if len(names) == 0 {
		return nil, nil
	}
	chosen := []crawl.LastModSource{}
	for _, name := range names {
		source := crawl.LastModSource(name)
		switch {
		case name == "none" && len(names) == 1:
		case slices.Contains(crawl.LastModSources(), source):
			chosen = append(chosen, source)
		default:
			return nil, fmt.Errorf("--lastmod knows no %q: it is none, or some of %s", name, joined(crawl.LastModSources()))
		}
	}
	return chosen, nil
}

func joined[T ~string](names []T) string {
	var list []string
	for _, name := range names {
		list = append(list, string(name))
	}
	return strings.Join(list, ",")
}

func trapNames() []string {
	var names []string
	for _, kind := range crawl.TrapKinds() {
		names = append(names, kind.String())
	}
	return names
}

func setTraps(t *crawl.Traps, bounds map[string]int) error {
	for name, bound := range bounds {
		kind, err := crawl.ParseTrapKind(name)
		if err != nil {
			return fmt.Errorf("--trap: %w", err)
		}
		t.Set(kind, bound)
	}
	return nil
}

// A crawlRun is one run of the command.
type crawlRun struct {
	options crawl.Options
	publish publish.Options
	folder  string
	fresh   bool
	json    bool
	seeds   seedFlags
	stdin   io.Reader
	stdout  io.Writer
	stderr  io.Writer
}

func (r *crawlRun) do(ctx context.Context) error {
	start, err := url.Parse(r.options.Start)
	if err != nil || start.Host == "" {
		return fmt.Errorf("%w: %s is no address", crawl.ErrStart, r.options.Start)
	}
	if r.folder == "" {
		r.folder = folderOf(start.Host)
	}
	if err := os.MkdirAll(r.folder, 0o777); err != nil {
		return err
	}
	file, err := openCrawl(r.folder, r.options.Start, keptBy(&r.options), r.fresh)
	if err != nil {
		return err
	}
	defer file.release()
	r.options.Previous = file.remembered(keptBy(&r.options))
	r.options.TempDir = r.folder
	live := newLiveLine(r.stderr)
	r.options.OnProgress = live.show
	r.options.OnRateChange = func(host string, rate float64, why string) {
		live.say(fmt.Sprintf("%s: %.3g requests a second from now on: %s", host, rate, why))
	}
	if r.options.Seeds, err = r.seeds.seeds(ctx, &r.options, r.stdin, live.say); err != nil {
		return errors.Join(err, file.store.Close(), file.takeBack())
	}
	progress, err := crawl.Run(ctx, file.store, &r.options)
	err = errors.Join(err, file.store.Close())
	live.end()
	if progress.Resumed && r.options.Seeds != nil {
		fmt.Fprintln(r.stderr, "mapa: the crawl went on where it had stopped: --sitemap, --list and --log count where one begins, as with --fresh")
	}
	if err != nil && !isCut(err) {
		if isUnreachable(err) {
			err = errors.Join(err, file.takeBack())
			_ = os.Remove(r.folder) // stays unless this run made it and left it empty
		}
		return err
	}
	if err != nil && file.memory != nil {
		fmt.Fprintf(r.stderr, "mapa: %s: the sitemap of the crawl before is left as it is; run the same command again to go on\n", cutWords(err, &progress))
		return cutCode(err)
	}
	return r.finish(file, progress, err)
}

// finish writes what the crawl is for, also when something cut it off. It has its
// own context: after an interruption what is there is written all the same.
func (r *crawlRun) finish(file *crawlFile, progress crawl.Progress, cut error) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	results, err := writeResults(ctx, file.path, r.folder, r.publish)
	if err != nil {
		return err
	}
	if err := writeChanges(ctx, r.folder, file.path, file.memory, time.Now()); err != nil {
		return err
	}
	summary := newSummary(progress, results, cut)
	if r.json {
		err = summary.writeJSON(r.stdout)
	} else {
		err = summary.writeText(r.stdout, r.folder, r.options)
	}
	if err != nil {
		return err
	}
	if cut != nil || progress.Limit == crawl.LimitTime {
		fmt.Fprintln(r.stderr, goOn)
	}
	switch {
	case cut != nil:
		return cutCode(cut)
	case results.Refused != nil:
		return results.Refused
	case progress.Limit != "":
		return &incomplete{exitPart}
	}
	return nil
}

package app

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/publish"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// CrawlSettings say how to crawl a site and what to write about it. Get them from
// [NewCrawlSettings].
type CrawlSettings struct {
	Output string // the folder; empty is named after the host
	Fresh  bool
	Force  bool // replace files in the folder that mapa did not write

	BaseURL       string
	IgnoreNoIndex bool
	CleanURLs     bool   // of a folder
	Orphans       string // of a folder: report or list
	PublishFolder string // of the outputs; empty is Output
	Lang          string // of the report
	// KeepFinished writes the results of a finished crawl in the folder again, in place of
	// another crawl. No flag sets it: servers that were killed while results were written
	// do.
	KeepFinished bool

	Documents    List
	Images       bool
	LastMod      List
	StripParams  List
	Traps        map[string]int
	IgnoreRobots bool
	Assets       bool
	External     bool
	Feeds        bool

	Limits  crawl.Limits
	Scope   ScopeSettings
	Access  AccessSettings
	Seeds   SeedSettings
	Publish PublishSettings
	Checks  CheckSettings
}

// ScopeSettings say which pages belong to the site.
type ScopeSettings struct {
	Subdomains                    bool
	Prefix                        string
	Include, Exclude, NoList, Add []string // patterns
}

// NewCrawlSettings returns the defaults.
func NewCrawlSettings() *CrawlSettings {
	return &CrawlSettings{
		Access:    AccessSettings{Concurrency: defaultConcurrency},
		Documents: texts(crawl.DefaultDocuments()),
		Publish:   newPublishSettings(),
		Orphans:   orphansReport,
		Lang:      string(catalog.English),
	}
}

const (
	defaultConcurrency = 8
	maxConcurrency     = 10_000 // each request has a worker with buffers
)

// checkConcurrency validates the concurrency setting.
func checkConcurrency(n int) error {
	switch {
	case n < 1:
		return badSetting("concurrency", "%s must be 1 or more, not %d", n)
	case n > maxConcurrency:
		return badSetting("concurrency", "%s must be %d or less, not %d", maxConcurrency, n)
	}
	return nil
}

// All returns the table of the settings.
func (s *CrawlSettings) All() []Setting {
	return slices.Concat([]Setting{
		{Name: "output", Short: "o", Value: &s.Output, Risk: RiskFile,
			Help: "write to this `FOLDER` (default: the host name)"},
		{Name: "fresh", Value: &s.Fresh, CommandLineOnly: true,
			Help: "start over instead of resuming or fetching only changes"},
		{Name: "force", Value: &s.Force, CommandLineOnly: true,
			Help: "replace files in the folder that mapa did not write"},
		{Name: "base-url", Value: &s.BaseURL, Risk: RiskNone,
			Help: "public `URL` of a site that is crawled at another address, such as a preview"},
		{Name: "ignore-noindex", Value: &s.IgnoreNoIndex, Risk: RiskNone,
			Help: "with --base-url: ignore X-Robots-Tag headers, by which previews keep search engines out"},
		{Name: "documents", Value: &s.Documents, Risk: RiskNone, Values: choices(append(crawl.DocumentKinds(), "none")...),
			Help: "`KINDS` of files to list besides pages: " + joined(crawl.DocumentKinds(), ",") + "; or none"},
		{Name: "clean-urls", Value: &s.CleanURLs, Risk: RiskNone, Help: "of a folder: serve about.html as /about"},
		{Name: "orphans", Value: &s.Orphans, Risk: RiskNone, Values: choices(orphanSettings...),
			Help: "of a folder: report pages that no page links to, or list them in the sitemap too"},
		{Name: "publish", Value: &s.PublishFolder, Risk: RiskFile,
			Help: "write the sitemap and the other outputs to this `FOLDER`, and nothing else"},
		langSetting(&s.Lang),
		{Name: "images", Value: &s.Images, Risk: RiskNone, Help: "list the images of every page in the sitemap"},
		{Name: "lastmod", Value: &s.LastMod, Risk: RiskNone, Values: choices(append(allLastModSources(), "none")...),
			Help: "`SOURCES` of lastmod to trust: " + joined(crawl.LastModSources(), ",") +
				"; of a folder also git, mtime; or none"},
		{Name: "strip-params", Value: &s.StripParams, Risk: RiskNone,
			Help: "ignore these query parameters, such as ref,src_*"},
		{Name: "trap", Value: &s.Traps, Risk: RiskNone, Values: assigned(trapNames()),
			Help: "limit of a crawler trap as `NAME=N`, -1 for off: " + strings.Join(trapNames(), ", ")},
		{Name: "ignore-robots", Value: &s.IgnoreRobots, Risk: RiskNone, Help: "fetch pages that robots.txt blocks"},
		{Name: "assets", Value: &s.Assets, Risk: RiskNone, Help: "check images, scripts and style sheets too"},
		{Name: "feeds", Value: &s.Feeds, Risk: RiskNone, Help: "read each feed that pages name, for its links"},
		{Name: "external", Value: &s.External, Risk: RiskNone, Help: "check links to other sites too"},
		{Name: string(crawl.LimitPages), Value: &s.Limits.Pages, Risk: RiskNone, Help: "stop after this many pages"},
		{Name: "max-depth", Value: &s.Limits.Depth, Risk: RiskNone,
			Help: "maximum crawl depth: links from the start page"},
		{Name: string(crawl.LimitTime), Value: &s.Limits.Time, Risk: RiskNone,
			Help: "stop after this time, such as 10m; the next run continues"},
		{Name: string(crawl.LimitBytes), Value: &s.Limits.Bytes, Risk: RiskNone,
			Help: "stop after downloading this many bytes"},
	}, s.Scope.all(), s.Access.all(), s.Seeds.all(), s.Publish.all(), s.Checks.all())
}

// forWorkers returns the settings that workers need to know: those of the table, and
// whether only the public internet may be requested.
func (s *CrawlSettings) forWorkers() []Setting {
	return append(s.All(), Setting{Name: "public-only", Value: &s.Access.PublicOnly})
}

func (s *ScopeSettings) all() []Setting {
	return []Setting{
		{Name: "subdomains", Value: &s.Subdomains, Risk: RiskNone, Help: "include subdomains of the host"},
		{Name: "prefix", Value: &s.Prefix, Risk: RiskNone, Help: "crawl only paths that begin with this"},
		{Name: "include", Value: &s.Include, Risk: RiskNone, Help: "crawl only pages that match the `PATTERN`"},
		{Name: "exclude", Value: &s.Exclude, Risk: RiskNone,
			Help: "do not fetch or list pages that match the `PATTERN`"},
		{Name: "no-list", Value: &s.NoList, Risk: RiskNone,
			Help: "fetch pages that match the `PATTERN` but do not list them"},
		{Name: "add", Value: &s.Add, Risk: RiskNone, Help: "list pages that match the `PATTERN` without fetching them"},
	}
}

// Options validates the settings and returns the options of a crawl of a site. What is
// wrong is a [*SettingError].
func (s *CrawlSettings) Options(start *url.URL) (crawl.Options, error) {
	o := crawl.Options{
		IgnoreRobots: s.IgnoreRobots, Assets: s.Assets, External: s.External, Images: s.Images, Feeds: s.Feeds,
		StripParameters: s.StripParams, Limits: s.Limits, BaseURL: s.BaseURL, IgnoreRobotsHeader: s.IgnoreNoIndex,
	}
	if err := s.checkBaseURL(); err != nil {
		return o, err
	}
	if err := checkLimits(&s.Limits); err != nil {
		return o, err
	}
	if err := s.Seeds.check(); err != nil {
		return o, err
	}
	if !slices.Contains(orphanSettings, s.Orphans) {
		return o, badSetting("orphans", "%s must be %s, not %q", oneOf(orphanSettings), s.Orphans)
	}
	var err error
	if o.LastMod, err = namesOf("lastmod", "source", s.LastMod, allLastModSources()); err != nil {
		return o, err
	}
	if o.Documents, err = namesOf("documents", "kind", s.Documents, crawl.DocumentKinds()); err != nil {
		return o, err
	}
	if err := setTraps(&o.Traps, s.Traps); err != nil {
		return o, err
	}
	if o.Access, err = s.Access.options(start); err != nil {
		return o, err
	}
	if o.Accept, err = s.Access.accepted(); err != nil {
		return o, err
	}
	o.Scope, err = s.Scope.options()
	return o, err
}

// checkStart refuses a start that no sitemap may list, by its public address.
func (s *CrawlSettings) checkStart(start *url.URL) error {
	public, err := (&crawl.Options{Start: start.String(), BaseURL: s.BaseURL}).StartURL()
	switch {
	case errors.Is(err, urlnorm.ErrTooLong):
		public = start.String()
	case err != nil:
		return err
	}
	return checkListable(public)
}

// checkBaseURL refuses a public address that is not a URL, and settings that do not go
// with it, or without it.
func (s *CrawlSettings) checkBaseURL() error {
	if s.BaseURL == "" {
		if s.IgnoreNoIndex {
			return badSetting("ignore-noindex", "%s needs {base-url}, the public URL of the site")
		}
		return nil
	}
	if s.Scope.Subdomains {
		return badSetting("subdomains", "%s cannot be used with {base-url}, which maps one host")
	}
	return checkBaseURL(s.BaseURL)
}

// checkBaseURL refuses what is not the URL of a site, and what no sitemap may list.
func checkBaseURL(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" ||
		u.Fragment != "" {
		return badSetting("base-url", "%s must be a URL such as https://example.com/, not %q", truncatedAddress(address))
	}
	if err := publish.CheckFolderURL(strings.TrimSuffix(address, "/") + "/"); err != nil {
		return wrapSetting("base-url", fmt.Errorf("with the names of files, %w: %s", err, truncatedAddress(address)))
	}
	return nil
}

// checkLimits refuses negative limits.
func checkLimits(l *crawl.Limits) error {
	for _, limit := range []struct {
		name     string
		negative bool
	}{
		{string(crawl.LimitPages), l.Pages < 0}, {"max-depth", l.Depth < 0},
		{string(crawl.LimitTime), l.Time < 0}, {string(crawl.LimitBytes), l.Bytes < 0},
	} {
		if limit.negative {
			return badSetting(limit.name, "%s must be 0 (no limit) or more")
		}
	}
	return nil
}

func (s *ScopeSettings) options() (crawl.Scope, error) {
	scope := crawl.Scope{Subdomains: s.Subdomains, Prefix: s.Prefix}
	for _, list := range []struct {
		name     string
		patterns []string
		into     *[]*regexp.Regexp
	}{
		{"include", s.Include, &scope.Include}, {"exclude", s.Exclude, &scope.Exclude},
		{"no-list", s.NoList, &scope.NoList}, {"add", s.Add, &scope.Add},
	} {
		for _, pattern := range list.patterns {
			compiled, err := regexp.Compile(pattern)
			if err != nil {
				return scope, wrapSetting(list.name, err)
			}
			*list.into = append(*list.into, compiled)
		}
	}
	return scope, nil
}

// allLastModSources returns the sources of a site, and those of a folder.
func allLastModSources() []crawl.LastModSource {
	return append(crawl.LastModSources(), crawl.LastModGit, crawl.LastModFile)
}

// namesOf reads a setting that is the word none, or names of a kind of thing. Without a value it
// returns nil, for the default.
func namesOf[T ~string](option, kind string, names List, all []T) ([]T, error) {
	if len(names) == 0 {
		return nil, nil
	}
	chosen := []T{}
	for _, name := range names {
		switch {
		case name == "none" && len(names) == 1:
		case slices.Contains(all, T(name)):
			chosen = append(chosen, T(name))
		default:
			return nil, badSetting(option, "unknown %s %s %q: use none or any of %s", kind, name, joined(all, ","))
		}
	}
	return chosen, nil
}

func trapNames() []string {
	var names []string
	for _, kind := range crawl.TrapKinds() {
		names = append(names, kind.String())
	}
	return names
}

func setTraps(t *crawl.Traps, values map[string]int) error {
	for name, value := range values {
		kind, err := crawl.ParseTrapKind(name)
		if err != nil {
			return badSetting("trap", "unknown %s %q: use one of %s", name, strings.Join(trapNames(), ", "))
		}
		t.Set(kind, value)
	}
	return nil
}

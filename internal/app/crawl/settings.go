package crawl

import (
	"cmp"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/agents"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/checks"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/figures"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/app/scope"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// Settings say how to crawl a site and what to write about it. Get them from
// [NewSettings].
type Settings struct {
	Output string // the folder; empty is named after the host
	Fresh  bool
	Force  bool // replace files in the folder that mapa did not write

	BaseURL       string
	IgnoreNoIndex bool
	CleanURLs     string // of a folder: true, false, or empty for what its links need
	Orphans       string // of a folder: report or list
	PublishFolder string // of the outputs; empty is Output
	Lang          string // of the report
	// KeepFinished writes the results of a finished crawl in the folder again, in place of
	// another crawl. No flag sets it: servers that were killed while results were written
	// do.
	KeepFinished bool

	Documents    []string
	Images       bool
	LastMod      []string
	StripParams  []string
	Traps        map[string]int
	IgnoreRobots bool
	Assets       bool
	External     bool
	CheckAgents  bool
	Feeds        bool

	Render string // never, auto, always or a pattern; empty is that of the crawl before, or never

	Browser BrowserSettings
	// MaxDepth is Limits.Depth: links from the start. 0 crawls the given pages alone, and empty
	// means no limit.
	MaxDepth string
	Limits   crawl.Limits
	Scope    scope.Settings
	Access   access.AccessSettings
	Seeds    SeedSettings
	Publish  outputs.PublishSettings
	Join     []string // tables to join, as mapa figures reads them
	// Figures is the place of the figures of the site; nil means the folder of the crawl.
	Figures *figures.Place
	Rules   checks.RuleSettings
	Checks  checks.Settings
}

// NewSettings returns the defaults.
func NewSettings() *Settings {
	return &Settings{
		Access:    access.NewAccessSettings(),
		Documents: setting.Texts(crawl.DefaultDocuments()),
		Publish:   outputs.NewPublishSettings(),
		Orphans:   orphansReport,
	}
}

// All returns the table of the settings.
func (s *Settings) All() []setting.Setting {
	return slices.Concat([]setting.Setting{
		{Name: "output", Short: "o", Value: setting.FileName(&s.Output), Risk: setting.RiskFile,
			Help: "write to this `FOLDER` (default: the host name)"},
		{Name: "fresh", Value: setting.Bool(&s.Fresh), CommandLineOnly: true,
			Help: "start over instead of resuming or fetching only changes"},
		{Name: "force", Value: setting.Bool(&s.Force), CommandLineOnly: true,
			Help: "replace files in the folder that mapa did not write"},
		{Name: "base-url", Value: setting.String(&s.BaseURL), Risk: setting.RiskNone,
			Help: "public `URL` of a site that is crawled at another address, such as a preview"},
		{Name: "ignore-noindex", Value: setting.Bool(&s.IgnoreNoIndex), Risk: setting.RiskNone, FileOnly: true,
			Help: "with --base-url: ignore X-Robots-Tag headers, by which previews keep search engines out"},
		{Name: "documents", Value: setting.List(&s.Documents), Risk: setting.RiskNone, FileOnly: true,
			Values: setting.Choices(append(crawl.DocumentKinds(), "none")...),
			Help:   "`KINDS` of files to list besides pages: " + setting.Joined(crawl.DocumentKinds(), ",") + "; or none"},
		{Name: "clean-urls", Value: setting.Switch(&s.CleanURLs), Risk: setting.RiskNone,
			Help: "of a folder: serve about.html as /about (default: where links need it)"},
		{Name: "orphans", Value: setting.String(&s.Orphans), Risk: setting.RiskNone,
			Values: setting.Choices(orphanSettings...),
			Help:   "of a folder: report pages that are not reached from the start page, or list them in the sitemap too"},
		{Name: "publish", Value: setting.String(&s.PublishFolder), Risk: setting.RiskFile,
			Help: "write the sitemap and the other outputs to this `FOLDER`, and nothing else"},
		setting.LangSetting(&s.Lang),
		{Name: "images", Value: setting.Bool(&s.Images), Risk: setting.RiskNone, FileOnly: true,
			Help: "list the images of every page in the sitemap"},
		{Name: "lastmod", Value: setting.List(&s.LastMod), Risk: setting.RiskNone, FileOnly: true,
			Values: setting.Choices(append(allLastModSources(), "none")...),
			Help: "`SOURCES` of lastmod to trust: " + setting.Joined(crawl.LastModSources(), ", ") +
				"; of a folder also git, mtime; or none"},
		{Name: "strip-params", Value: setting.List(&s.StripParams), Risk: setting.RiskNone,
			Help: "ignore these query parameters, such as ref,src_*"},
		{Name: "trap", Value: setting.Ints(&s.Traps), Risk: setting.RiskNone, FileOnly: true,
			Values: setting.Assigned(trapNames()),
			Help:   "limit of a crawler trap as `NAME=N`, -1 for off: " + strings.Join(trapNames(), ", ")},
		{Name: "ignore-robots", Value: setting.Bool(&s.IgnoreRobots), Risk: setting.RiskNone,
			Help: "fetch pages that robots.txt blocks"},
		{Name: "assets", Value: setting.Bool(&s.Assets), Risk: setting.RiskNone, Help: "check images, scripts and style sheets too"},
		{Name: "feeds", Value: setting.Bool(&s.Feeds), Risk: setting.RiskNone, FileOnly: true,
			Help: "read each feed that pages name, for its links"},
		{Name: "external", Value: setting.Bool(&s.External), Risk: setting.RiskNone, Help: "check links to other sites too"},
		{Name: "check-agents", Value: setting.Bool(&s.CheckAgents), Risk: setting.RiskNone,
			Help: "check that the start page is not refused to the user agents of Googlebot, bingbot and others"},
		{Name: crawl.LimitPages, Value: setting.Int(&s.Limits.Pages), Risk: setting.RiskNone,
			Help: "stop after this many pages"},
		{Name: crawl.LimitDepth, Value: setting.OptionalInt(&s.MaxDepth), Risk: setting.RiskNone,
			Help: "maximum crawl depth: links from the start page; 0 crawls only the given pages"},
		{Name: crawl.LimitTime, Value: setting.Duration(&s.Limits.Time), Risk: setting.RiskNone,
			Help: "stop after this time, such as 10m; the next run continues"},
		{Name: crawl.LimitBytes, Value: setting.Int64(&s.Limits.Bytes), Risk: setting.RiskNone, FileOnly: true,
			Help: "stop after downloading this many bytes"},
		figures.Setting(&s.Join),
	}, s.renderSettings(), s.Scope.All(), s.Access.All(), s.Seeds.all(), s.Publish.All(), s.Publish.OfCrawl(),
		s.Rules.All(), s.Checks.All())
}

// forWorkers returns the settings that workers need to know: those of the table, and
// whether only the public internet may be requested.
func (s *Settings) forWorkers() []setting.Setting {
	return append(s.All(), setting.Setting{Name: "public-only", Value: setting.Bool(&s.Access.PublicOnly)})
}

// Options validates the settings and returns the options of a crawl of a site. What is
// wrong is a [*setting.Error].
func (s *Settings) Options(start *url.URL) (crawl.Options, error) {
	o := crawl.Options{
		Checks: crawl.Checks{Assets: s.Assets, External: s.External}, Images: s.Images, Feeds: s.Feeds,
		StripParameters: s.StripParams, Limits: s.Limits, BaseURL: s.BaseURL, SkipSitemaps: s.Seeds.skipsOwn(),
	}
	if s.CheckAgents {
		for _, engine := range agents.Engines() {
			o.Checks.Agents = append(o.Checks.Agents, crawl.Agent{UserAgent: engine.UserAgent, Tokens: engine.Tokens})
		}
	}
	if err := s.checkBaseURL(); err != nil {
		return o, err
	}
	if err := s.setDepth(&o.Limits); err != nil {
		return o, err
	}
	if err := checkLimits(&o.Limits); err != nil {
		return o, err
	}
	if err := s.Seeds.check(); err != nil {
		return o, err
	}
	var err error
	if o.RenderPattern, err = readRender(s.Render); err != nil {
		return o, err
	}
	if !slices.Contains(orphanSettings, s.Orphans) {
		return o, setting.Invalid("orphans", "%s must be %s, not %q", setting.OneOf(orphanSettings), s.Orphans)
	}
	if o.LastMod, err = scope.NamesOf("lastmod", "source", s.LastMod, allLastModSources()); err != nil {
		return o, err
	}
	if o.Documents, err = scope.NamesOf("documents", "kind", s.Documents, crawl.DocumentKinds()); err != nil {
		return o, err
	}
	if err := setTraps(&o.Traps, s.Traps); err != nil {
		return o, err
	}
	requested, err := s.Access.Access("", []string{start.String()}, nil)
	if err == nil {
		err = s.Access.SetOptions(&o, requested)
	}
	if err != nil {
		return o, err
	}
	o.Scope, err = s.Scope.Options()
	o.Scope.IgnoreRobots, o.Scope.IgnoreRobotsHeader = s.IgnoreRobots, s.IgnoreNoIndex
	o.Scope.OnlySeeds = s.OnlySeeds()
	return o, err
}

// OnlySeeds reports whether the given pages are crawled alone.
func (s *Settings) OnlySeeds() bool { return s.MaxDepth == "0" }

// setDepth sets the limit of the depth.
func (s *Settings) setDepth(l *crawl.Limits) (err error) {
	if s.MaxDepth == "" {
		return nil
	}
	if l.Depth, err = strconv.Atoi(s.MaxDepth); err != nil {
		return setting.Wrap(crawl.LimitDepth, err)
	}
	return nil
}

// folderOf returns the folder of the crawl of a host. That of given pages has another one than
// that of the site.
func (s *Settings) folderOf(host string) string {
	folder := crawlfile.FolderOf(strings.ToLower(host))
	if s.OnlySeeds() {
		folder += crawlfile.ListSuffix
	}
	return cmp.Or(s.Output, folder)
}

// checkStart refuses a start that no sitemap may list, by its public address.
func (s *Settings) checkStart(start *url.URL) error {
	public, err := (&crawl.Options{Start: start.String(), BaseURL: s.BaseURL}).StartURL()
	switch {
	case errors.Is(err, urlnorm.ErrTooLong):
		public = start.String()
	case err != nil:
		return err
	}
	return addresses.CheckListable(public)
}

// checkBaseURL refuses a public address that is not a URL, and settings that do not go
// with it, or without it.
func (s *Settings) checkBaseURL() error {
	if s.BaseURL == "" {
		if s.IgnoreNoIndex {
			return setting.InvalidKey("ignore-noindex", "%s needs {base-url}, the public URL of the site")
		}
		return nil
	}
	if s.Scope.Subdomains {
		return setting.Invalid("subdomains", "%s cannot be used with {base-url}, which maps one host")
	}
	return addresses.CheckBaseURL(s.BaseURL)
}

// checkLimits refuses negative limits.
func checkLimits(l *crawl.Limits) error {
	for _, limit := range []struct {
		name     string
		negative bool
		invalid  func(name, format string, values ...any) error
	}{
		{crawl.LimitPages, l.Pages < 0, setting.Invalid}, {crawl.LimitTime, l.Time < 0, setting.Invalid},
		{crawl.LimitBytes, l.Bytes < 0, setting.InvalidKey}, {"max-render", l.Render < 0, setting.InvalidKey},
	} {
		if limit.negative {
			return limit.invalid(limit.name, "%s must be 0 (no limit) or more")
		}
	}
	if l.Depth < 0 {
		return setting.Invalid(crawl.LimitDepth, "%s must be 0 (only the given pages) or more")
	}
	return nil
}

// allLastModSources returns the sources of a site, and those of a folder.
func allLastModSources() []crawl.LastModSource {
	return append(crawl.LastModSources(), crawl.LastModGit, crawl.LastModFile)
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
			return setting.InvalidKey("trap", "unknown %s %q: use one of %s", name, strings.Join(trapNames(), ", "))
		}
		t.Set(kind, value)
	}
	return nil
}

// Check validates settings for a site before its crawl begins. What is wrong is a
// [*setting.Error], or [addresses.ErrUnlistableStart].
func (s *Settings) Check(site *addresses.SiteAddress) error {
	start, err := url.Parse(addresses.WithScheme(site.URL))
	if err != nil {
		return addresses.InvalidStart(site.URL)
	}
	if _, err := s.Options(start); err != nil {
		return err
	}
	if err := s.checkStart(start); err != nil {
		return err
	}
	_, err = s.Publish.Options()
	return err
}

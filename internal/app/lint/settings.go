package lint

import (
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/app"
	appaccess "github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/ruleset"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/lint"
)

// Section is the section of mapa.yaml that has the settings of lint.
const Section = "lint"

// Settings say how to check sitemaps. Get them from [NewSettings].
type Settings struct {
	Engines, Verified  []string
	Rules              ruleset.Settings
	FailOn             string
	BaseURL, SiteSince string
	Format, Output     string // of the report; Output is a file
	Baseline           string
	WriteBaseline      bool
	Crawl              string // folder or crawl file to compare with
	Config             string // file that the settings are from; never overwritten
	Live               LiveSettings
	Request            appaccess.RequestSettings
	Fix                FixSettings
}

// LiveSettings say how to check the site itself.
type LiveSettings struct {
	On          bool
	Sample      string // number of pages, or all
	Rate        access.Rate
	Concurrency int
}

// FixSettings say how to write repaired copies.
type FixSettings struct {
	Folder, Zone string
	Force        bool
}

// NewSettings returns the defaults.
func NewSettings() *Settings {
	return &Settings{
		Engines: []string{lint.EngineSitemapsOrg.String()}, FailOn: lint.SeverityError.String(), Format: "text",
		Live: LiveSettings{Sample: "200", Concurrency: appaccess.DefaultConcurrency},
	}
}

// All returns the table of the settings.
func (s *Settings) All() []setting.Setting {
	engine := setting.Setting{Name: "engine", Value: setting.List(&s.Engines), Risk: setting.RiskNone, Values: engineNames,
		Help: "rule sets to apply: `NAMES` of " + setting.Joined(engineNames(), ", ")}
	return slices.Concat([]setting.Setting{engine}, s.Rules.All(SitemapRuleIDs), []setting.Setting{
		{Name: "fail-on", Value: setting.String(&s.FailOn), Risk: setting.RiskNone,
			Values: setting.Choices("error", "warning", "info"),
			Help:   "exit with 1 on findings of this severity or above: error, warning or info"},
		{Name: "verified", Value: setting.List(&s.Verified), Risk: setting.RiskNone,
			Help: "`HOSTS` that you own: any sitemap may list their pages"},
		{Name: "base-url", Value: setting.String(&s.BaseURL), Risk: setting.RiskSite, Help: "the `URL` where the files will be published"},
		{Name: "format", Value: setting.String(&s.Format), Risk: setting.RiskNone, Values: setting.Choices(lintFormats...),
			Help: setting.OneOf(lintFormats)},
		{Name: "output", Short: "o", Value: setting.FileName(&s.Output), Risk: setting.RiskFile,
			Help: "write to this `FILE`"},
		{Name: "baseline", Value: setting.String(&s.Baseline), Risk: setting.RiskFile,
			Help: "skip the findings listed in this `FILE`, and compare the number of pages with it"},
		{Name: "write-baseline", Value: setting.Bool(&s.WriteBaseline), CommandLineOnly: true,
			Help: "write all findings and the number of pages to the file of --baseline"},
		{Name: "site-since", Value: setting.String(&s.SiteSince), Risk: setting.RiskNone,
			Help: "`DAY` the site went online, such as 2019-03-01: an earlier lastmod is wrong"},
		{Name: "crawl", Value: setting.String(&s.Crawl), Risk: setting.RiskFile, Values: crawlfile.Folders,
			Help: "compare with the pages of this crawl: its `FOLDER`, or its crawl.sqlite"},
		{Name: "live", Value: setting.Bool(&s.Live.On), Risk: setting.RiskNone,
			Help: "check the site too: robots.txt, and a sample of the listed pages"},
		{Name: "sample", Value: setting.String(&s.Live.Sample), Risk: setting.RiskNone,
			Help: "with --live, number of `PAGES` to check, or all"},
		{Name: "rate", Value: setting.Rate(&s.Live.Rate), Risk: setting.RiskNone,
			Help: "with --live, at most `N` requests per second to a host, 0 for no limit, or auto"},
		{Name: "concurrency", Value: setting.Int(&s.Live.Concurrency), Risk: setting.RiskNone,
			Help: "with --live, maximum number of concurrent requests"},
		{Name: "fix", Value: setting.String(&s.Fix.Folder), CommandLineOnly: true,
			Help: "instead of reporting, write repaired copies to this `FOLDER`"},
		{Name: "force", Value: setting.Bool(&s.Fix.Force), CommandLineOnly: true,
			Help: "with --fix, replace files in the folder, except the sources"},
		{Name: "zone", Value: setting.String(&s.Fix.Zone), CommandLineOnly: true,
			Help: "with --fix, the time `ZONE` of times without one, such as +01:00"},
	}, s.Request.All())
}

// sites returns the sites that credentials may be sent to: those of the sources,
// or else that of the base URL, where files are published.
func (s *Settings) sites(sources []string) []string {
	if slices.ContainsFunc(sources, func(source string) bool { return addresses.NamedOrigin(source) != "" }) {
		return sources
	}
	return append(slices.Clone(sources), s.BaseURL)
}

// optionsFor validates the settings and returns the options to check sources, and these
// without user information.
func (s *Settings) optionsFor(a *app.App, sources []string) (clean []string, o lint.Options, err error) {
	if o, err = s.Options(); err != nil {
		return nil, o, err
	}
	_, users := appaccess.CutUsers(sources)
	if clean, o.Source, err = appaccess.Sources(a, &s.Request, sources...); err != nil {
		return nil, o, err
	}
	if err = s.Request.SetHeaders(&o.Source.Access, s.sites(clean), users); err != nil {
		return nil, o, err
	}
	return clean, o, s.Live.apply(&o, a)
}

// Options validates the settings and returns the options of the linter, without those
// of requests and live checks. What is wrong is a [*setting.Error].
func (s *Settings) Options() (lint.Options, error) {
	baseURL, _ := format.CutUser(s.BaseURL)
	o := lint.Options{
		Only: s.Rules.Only, VerifiedHosts: s.Verified, BaseURL: baseURL,
	}
	choice, err := s.Rules.Check(lint.LookupSitemapRule)
	if err != nil {
		return o, err
	}
	o.Enable, o.Disable, o.Severity = choice.Enable, choice.Disable, choice.Severity
	for _, name := range s.Engines {
		engines, err := lint.ParseEngine(name)
		if err != nil {
			return o, setting.Invalid("engine", "unknown %s %q: use any of %s", name, setting.Joined(engineNames(), ", "))
		}
		o.Engines |= engines
	}
	if s.SiteSince != "" {
		since, err := time.Parse(time.DateOnly, s.SiteSince)
		if err != nil {
			return o, setting.Invalid("site-since", "%s must be a day such as 2019-03-01, not %q", s.SiteSince)
		}
		o.SiteSince = since
	}
	if u, err := url.Parse(baseURL); s.BaseURL != "" && (err != nil || u.Host == "") {
		return o, setting.Invalid("base-url", "%s must be a URL such as https://example.com/, not %q", baseURL)
	}
	return o, nil
}

// engineNames are the values of the engine setting.
func engineNames() []string {
	return append(RuleEngines(), "all")
}

// lintFormats are the formats of [lintreport.New].
var lintFormats = []string{"text", "json", "jsonl", "sarif", "junit", "github", "html"}

// failOn returns the severity from which findings fail a run.
func (s *Settings) failOn() (level lint.Severity, err error) {
	if err := level.UnmarshalText([]byte(s.FailOn)); err != nil || level == lint.SeverityOff {
		return level, setting.Invalid("fail-on", "%s must be error, warning or info, not %q", s.FailOn)
	}
	return level, nil
}

// apply adds live checks to the options of the linter.
func (s *LiveSettings) apply(o *lint.Options, a *app.App) error {
	if !s.On {
		return nil
	}
	if o.Sample = -1; s.Sample != appaccess.SampleAll {
		var err error
		if o.Sample, err = strconv.Atoi(s.Sample); err != nil || o.Sample < 1 {
			return setting.Invalid("sample", "%s must be a number of pages or all, not %q", s.Sample)
		}
	}
	if err := appaccess.CheckConcurrency(s.Concurrency); err != nil {
		return err
	}
	o.Live, o.Concurrency, o.Source.Access.Rate = true, s.Concurrency, s.Rate
	o.OnNotice = func(text string) { a.Emit(app.Notice{Text: text}) }
	return nil
}

// SitemapRuleIDs returns the IDs of the rules over sitemaps.
func SitemapRuleIDs() []string { return idsOf(lint.Rules()) }

func idsOf(rules []*lint.Rule) (ids []string) {
	for _, rule := range rules {
		ids = append(ids, rule.ID)
	}
	return ids
}

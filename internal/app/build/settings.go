package build

import (
	"net/url"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/app/scope"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/source"
)

// Section is the section of mapa.yaml that has the settings of build.
const Section = "build"

// Settings say which sources become a sitemap, and what to write. Get them from
// [NewSettings].
type Settings struct {
	Output  string // the folder; empty is named after the host
	BaseURL string
	Force   bool // replace files in the folder that Mapa did not write
	Strict  bool // stop at the first row that is left out
	Format  string

	Sources               []string // files, "-", URLs and sites, recognized by their content
	Lists, Logs, Sitemaps []string // sources whose kind is given
	SQL, Query            string   // a database, and what selects its pages
	Columns               map[string]string
	StripParams           []string

	Scope   scope.Settings
	Publish outputs.PublishSettings
	Request access.RequestSettings
}

// NewSettings returns the defaults.
func NewSettings() *Settings {
	return &Settings{Format: "text", Publish: outputs.NewPublishSettings()}
}

// All returns the table of the settings.
func (s *Settings) All() []setting.Setting {
	return slices.Concat([]setting.Setting{
		{Name: "output", Short: "o", Value: setting.FileName(&s.Output), Risk: setting.RiskFile,
			Help: "write to this `FOLDER` (default: the host name)"},
		{Name: "base-url", Value: setting.String(&s.BaseURL), Risk: setting.RiskNone, Help: "`URL` of the site, which its pages begin with"},
		{Name: "force", Value: setting.Bool(&s.Force), CommandLineOnly: true,
			Help: "replace files in the folder that mapa did not write"},
		{Name: "strict", Value: setting.Bool(&s.Strict), Risk: setting.RiskNone,
			Help: "stop at the first row that is invalid, a duplicate or out of scope, and publish nothing"},
		{Name: "sources", Value: setting.Strings(&s.Sources), Risk: setting.RiskSource, FileOnly: true},
		{Name: "list", Value: setting.Strings(&s.Lists), Risk: setting.RiskFile,
			Help: "read this `FILE` as a list: text with one URL a line, CSV or JSONL"},
		{Name: "log", Value: setting.Strings(&s.Logs), Risk: setting.RiskFile, Help: "read this `FILE` as an access log of Apache or nginx"},
		{Name: "sitemap", Value: setting.Strings(&s.Sitemaps), Risk: setting.RiskSource,
			Help: "read this `SOURCE` as a sitemap, as mapa list does"},
		{Name: "sql", Value: setting.String(&s.SQL), Risk: setting.RiskOutside,
			Help: "read the pages of a `DATABASE`: postgres://USER@HOST/NAME, mysql://USER@HOST/NAME or sqlite:FILE"},
		{Name: "query", Value: setting.String(&s.Query), Risk: setting.RiskOutside,
			Help: "`SELECT` that returns them, with columns named loc, lastmod, changefreq, priority, title"},
		{Name: "column", Value: setting.Names(&s.Columns), Risk: setting.RiskNone, Values: setting.Assigned(source.Fields()),
			Help: "column of a field: `FIELD=NAME`, such as loc=permalink; fields: " + strings.Join(source.Fields(), ", ")},
		{Name: "strip-params", Value: setting.List(&s.StripParams), Risk: setting.RiskNone,
			Help: "remove these query parameters, such as ref,src_*"},
		{Name: "format", Value: setting.String(&s.Format), Risk: setting.RiskNone, Values: setting.Choices("text", "json"),
			Help: "summary as text or json"},
	}, s.Scope.Listing(), s.Publish.All(), s.Request.All())
}

// HasSource reports whether a setting names a source.
func (s *Settings) HasSource() bool {
	return len(s.Sources)+len(s.Lists)+len(s.Logs)+len(s.Sitemaps) > 0 || s.SQL != ""
}

// SourceNames are the settings that name sources.
var SourceNames = []string{"sources", "list", "log", "sitemap", "sql"}

// A buildSource is one source of a build and its kind.
type buildSource struct {
	name string
	kind source.Kind
}

// sources returns all sources in the order of their precedence: those without a kind,
// then lists, logs and sitemaps.
func (s *Settings) sources(names []string) (all []buildSource, err error) {
	for _, part := range []struct {
		setting string
		names   []string
		kind    source.Kind
	}{
		{"", names, source.KindAny}, {"list", s.Lists, source.KindList}, {"log", s.Logs, source.KindLog},
		{"sitemap", s.Sitemaps, source.KindSitemap},
	} {
		for _, name := range part.names {
			again := slices.ContainsFunc(all, func(other buildSource) bool { return other.name == "-" })
			if name == "-" && again {
				return nil, setting.Invalid("list", "only one source can be standard input")
			}
			all = append(all, buildSource{name, part.kind})
		}
	}
	return all, nil
}

// base returns the normalized URL of the site. What is wrong is a [*setting.Error].
func (s *Settings) base() (*url.URL, error) {
	if s.BaseURL == "" {
		return nil, setting.Invalid("base-url", "%s is missing: it names the site, such as https://example.com/")
	}
	if err := addresses.CheckBaseURL(s.BaseURL); err != nil {
		return nil, err
	}
	normal, err := (&crawl.Options{Start: s.BaseURL}).StartURL()
	if err != nil {
		return nil, setting.Wrap("base-url", err)
	}
	return url.Parse(normal)
}

package app

import (
	"net/url"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/publish"
	"github.com/mapatools/mapa/source"
)

// SectionBuild is the section of mapa.yaml that has the settings of build.
const SectionBuild = "build"

// BuildSettings say which sources become a sitemap, and what to write. Get them from
// [NewBuildSettings].
type BuildSettings struct {
	Output  string // the folder; empty is named after the host
	BaseURL string
	Force   bool // replace files in the folder that Mapa did not write
	Strict  bool // stop at the first row that is left out
	Format  string

	Sources               []string // files, "-", URLs and sites, recognized by their content
	Lists, Logs, Sitemaps []string // sources whose kind is given
	SQL, Query            string   // a database, and what selects its pages
	Columns               map[string]string
	StripParams           List

	Scope   ScopeSettings
	Publish PublishSettings
	Request RequestSettings
}

// NewBuildSettings returns the defaults.
func NewBuildSettings() *BuildSettings {
	return &BuildSettings{Format: "text", Publish: newPublishSettings()}
}

// All returns the table of the settings.
func (s *BuildSettings) All() []Setting {
	return slices.Concat([]Setting{
		{Name: "output", Short: "o", Value: &s.Output, Risk: RiskFile,
			Help: "write to this `FOLDER` (default: the host name)"},
		{Name: "base-url", Value: &s.BaseURL, Risk: RiskNone, Help: "`URL` of the site, which its pages begin with"},
		{Name: "force", Value: &s.Force, CommandLineOnly: true,
			Help: "replace files in the folder that mapa did not write"},
		{Name: "strict", Value: &s.Strict, Risk: RiskNone,
			Help: "stop at the first row that is invalid, a duplicate or out of scope, and publish nothing"},
		{Name: "sources", Value: &s.Sources, Risk: RiskSource, FileOnly: true},
		{Name: "list", Value: &s.Lists, Risk: RiskFile,
			Help: "read this `FILE` as a list: text with one URL a line, CSV or JSONL"},
		{Name: "log", Value: &s.Logs, Risk: RiskFile, Help: "read this `FILE` as an access log of Apache or nginx"},
		{Name: "sitemap", Value: &s.Sitemaps, Risk: RiskSource,
			Help: "read this `SOURCE` as a sitemap, as mapa list does"},
		{Name: "sql", Value: &s.SQL, Risk: RiskOutside,
			Help: "read the pages of a `DATABASE`: postgres://USER@HOST/NAME, mysql://USER@HOST/NAME or sqlite:FILE"},
		{Name: "query", Value: &s.Query, Risk: RiskOutside,
			Help: "`SELECT` that returns them, with columns named loc, lastmod, changefreq, priority, title"},
		{Name: "column", Value: &s.Columns, Risk: RiskNone, Values: assigned(source.Fields()),
			Help: "column of a field: `FIELD=NAME`, such as loc=permalink; fields: " + strings.Join(source.Fields(), ", ")},
		{Name: "strip-params", Value: &s.StripParams, Risk: RiskNone,
			Help: "remove these query parameters, such as ref,src_*"},
		{Name: "format", Value: &s.Format, Risk: RiskNone, Values: choices("text", "json"), Help: "summary as text or json"},
	}, s.Scope.listing(), s.Publish.all(), s.Request.all())
}

// HasSource reports whether a setting names a source.
func (s *BuildSettings) HasSource() bool {
	return len(s.Sources)+len(s.Lists)+len(s.Logs)+len(s.Sitemaps) > 0 || s.SQL != ""
}

// SourceNames are the settings that name sources.
var SourceNames = []string{"sources", "list", "log", "sitemap", "sql"}

// listing returns the settings of the scope that need no crawl.
func (s *ScopeSettings) listing() (settings []Setting) {
	for _, setting := range s.all() {
		switch setting.Name {
		case "add":
			continue
		case "prefix":
			setting.Help = "list only paths that begin with this"
		case "include":
			setting.Help = "list only pages that match the `PATTERN`"
		case "exclude", "no-list":
			setting.Help = "do not list pages that match the `PATTERN`"
		}
		settings = append(settings, setting)
	}
	return settings
}

// A buildSource is one source of a build and its kind.
type buildSource struct {
	name string
	kind source.Kind
}

// sources returns all sources in the order of their precedence: those without a kind,
// then lists, logs and sitemaps.
func (s *BuildSettings) sources(names []string) (all []buildSource, err error) {
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
				return nil, badSetting("list", "only one source can be standard input")
			}
			all = append(all, buildSource{name, part.kind})
		}
	}
	return all, nil
}

// base returns the normalized URL of the site. What is wrong is a [*SettingError].
func (s *BuildSettings) base() (*url.URL, error) {
	if s.BaseURL == "" {
		return nil, badSetting("base-url", "%s is missing: it names the site, such as https://example.com/")
	}
	if err := checkBaseURL(s.BaseURL); err != nil {
		return nil, err
	}
	normal, err := (&crawl.Options{Start: s.BaseURL}).StartURL()
	if err != nil {
		return nil, wrapSetting("base-url", err)
	}
	return url.Parse(normal)
}

// checkWeights refuses weights that only the links of a crawl give, unless all sources
// are crawls.
func checkWeights(w *publish.Weights) error {
	if w.Priority == publish.PriorityByDepth || w.Priority == publish.PriorityByLinks {
		return badSetting("priority", "%s %s needs the links of a crawl: use mapa crawl, or {priority-rule}", w.Priority)
	}
	return nil
}

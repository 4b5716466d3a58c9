// Package scope holds the settings that decide which pages belong to a site.
package scope

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// Settings say which pages belong to the site.
type Settings struct {
	Subdomains                    bool
	Prefix                        string
	Include, Exclude, NoList, Add []string // patterns
}

// All returns the table of the settings.
func (s *Settings) All() []setting.Setting {
	return []setting.Setting{
		{Name: "subdomains", Value: setting.Bool(&s.Subdomains), Risk: setting.RiskNone,
			Help: "include subdomains of the host"},
		{Name: "prefix", Value: setting.String(&s.Prefix), Risk: setting.RiskNone, Help: "crawl only paths that begin with this"},
		{Name: "include", Value: setting.Strings(&s.Include), Risk: setting.RiskNone, Help: "crawl only pages that match the `PATTERN`"},
		{Name: "exclude", Value: setting.Strings(&s.Exclude), Risk: setting.RiskNone,
			Help: "do not fetch or list pages that match the `PATTERN`"},
		{Name: "no-list", Value: setting.Strings(&s.NoList), Risk: setting.RiskNone,
			Help: "fetch pages that match the `PATTERN` but do not list them"},
		{Name: "add", Value: setting.Strings(&s.Add), Risk: setting.RiskNone, FileOnly: true,
			Help: "list pages that match the `PATTERN` without fetching them"},
	}
}

// Options validates the settings.
func (s *Settings) Options() (crawl.Scope, error) {
	if s.Prefix != "" && !strings.HasPrefix(s.Prefix, "/") {
		_, path := urlnorm.CutOrigin(s.Prefix)
		return crawl.Scope{}, setting.Invalid("prefix", "%s must begin with a slash: /%s", strings.TrimPrefix(path, "/"))
	}
	scope := crawl.Scope{Subdomains: s.Subdomains, Prefix: s.Prefix}
	for _, list := range []struct {
		name     string
		patterns []string
		into     *[]*regexp.Regexp
		wrap     func(name string, err error) error
	}{
		{"include", s.Include, &scope.Include, setting.Wrap}, {"exclude", s.Exclude, &scope.Exclude, setting.Wrap},
		{"no-list", s.NoList, &scope.NoList, setting.Wrap}, {"add", s.Add, &scope.Add, setting.WrapKey},
	} {
		for _, pattern := range list.patterns {
			compiled, err := regexp.Compile(pattern)
			if err != nil {
				return scope, list.wrap(list.name, err)
			}
			*list.into = append(*list.into, compiled)
		}
	}
	return scope, nil
}

// NamesOf reads a setting without a flag that is the word none, or names of a kind of thing. Without a value it
// returns nil, for the default.
func NamesOf[T ~string](option, kind string, names []string, all []T) ([]T, error) {
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
			return nil, setting.InvalidKey(option, "unknown %s %s %q: use none or any of %s", kind, name, setting.Joined(all, ","))
		}
	}
	return chosen, nil
}

// Listing returns the settings of the scope that need no crawl.
func (s *Settings) Listing() (settings []setting.Setting) {
	for _, setting := range s.All() {
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
